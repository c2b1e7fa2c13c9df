// SPDX-License-Identifier: Apache-2.0
// A Flow exhibit with everything that a Workbench provides, without a window or a device.
#pragma once

#include <string>

#include "engine/markov/basin.h"
#include "engine/markov/canonical_model.h"
#include "tests/ui/page/exhibit_rig.h"
#include "ui/exhibits/flow/flow_exhibit.h"

namespace sepx::ui {

class Rig : public ExhibitRig {
 public:
  Rig() : ExhibitRig(makeFlowExhibit()) { editor.history.setCarriedPaths({"flow.view", "flow.selected"}); }

  Result<void> add(double e, double w) {
    ExhibitContext c = context();
    return exhibit->addPoint(c, {e, w});
  }
  Result<void> take(const std::string& csv, const std::string& name = "numbers.csv") {
    const Result<Table> table = parseCsv(csv);
    if (!table) return tl::unexpected(table.error());
    ExhibitContext c = context();
    return exhibit->importTable(c, *table, name);
  }
  /// Position of a data point in the window.
  render::Point at(const render::Scene& drawn, double e, double w) const {
    const render::Point page = render::toPage(drawn, {e, w});
    return {page.x + area.min.x, page.y + area.min.y};
  }
};

}  // namespace sepx::ui
