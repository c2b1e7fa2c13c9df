// SPDX-License-Identifier: Apache-2.0
// What an exhibit does with what it has no use for.
#include "ui/exhibit/exhibit.h"

#include "ui/exhibit/page_kit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

Result<void> Exhibit::addPoint(ExhibitContext&, const std::vector<double>&) {
  return fail(ErrorKind::Usage, filled(tr("The {exhibit} exhibit has no points to add."), "{exhibit}", name()));
}

Result<void> Exhibit::take(ExhibitContext&, const Table&, const std::string& file) {
  return fail(ErrorKind::Usage, file + ": " + name() + " " + tr("has no use for a table of numbers"));
}

}  // namespace sepx::ui
