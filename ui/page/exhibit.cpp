// SPDX-License-Identifier: Apache-2.0
// Runs a command of an exhibit, and rejects points and tables by default.
#include "ui/page/exhibit.h"

#include "ui/canvas/page_draw.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

Result<void> Exhibit::run(ExhibitContext& context, std::string_view command) {
  for (const Command& one : commands(context.editor.document())) {
    if (one.key != command) continue;
    if (!one.act) return fail(ErrorKind::CheckFailed, one.label + ": " + tr("not available now"));
    one.act(context);
    return {};
  }
  return fail(ErrorKind::Usage,
              filled(filled(tr("The {exhibit} exhibit has no command \"{command}\"."), "{exhibit}", name()),
                     "{command}", std::string(command)));
}

Result<void> Exhibit::addPoint(ExhibitContext&, const std::vector<double>&) {
  return fail(ErrorKind::Usage, filled(tr("The {exhibit} exhibit has no points to add."), "{exhibit}", name()));
}

Result<void> Exhibit::importTable(ExhibitContext&, const Table&, const std::string& file) {
  return fail(ErrorKind::Usage, file + ": " + name() + " " + tr("does not accept a table of numbers"));
}

}  // namespace sepx::ui
