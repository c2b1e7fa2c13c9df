// SPDX-License-Identifier: Apache-2.0
// What an exhibit does with numbers it has no use for.
#include "ui/exhibit/exhibit.h"

#include "ui/properties/tr.h"

namespace sepx::ui {

Result<void> Exhibit::take(ExhibitContext&, const Table&, const std::string& file) {
  return fail(ErrorKind::Usage, file + ": " + name() + " " + tr("has no use for a table of numbers"));
}

}  // namespace sepx::ui
