// SPDX-License-Identifier: Apache-2.0
// See plane_charts.h.
#include "ui/exhibits/reversal/shared/plane_charts.h"

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kKeeps = 0, kViolates = 1;  // seriesLook() of the series

}  // namespace

LineChart planesChart(const reversal::RopePlanes& planes, const Theme& theme) {
  LineChart chart;
  chart.title = tr("Planes of RoPE: alignment ρ of the keys with the query");
  chart.x = {.name = tr("plane s, fast to slow"),
             .brief = "s",
             .whole = true,
             .from = 0,
             .to = static_cast<double>(planes.planes.size()) + 1};
  chart.y = {.name = "ρ", .from = -1, .to = 1};
  chart.legend = true;
  ChartSeries keeps, violates;
  keeps.name = tr("ρ ≥ 0");
  violates.name = trFormat("ρ < 0: violates Assumption 4.2 ({} of {})", planes.violating, planes.planes.size());
  for (ChartSeries* const one : {&keeps, &violates}) {
    one->look = seriesLook(theme, one == &keeps ? kKeeps : kViolates);
    one->look.width = 0;
    one->look.marker = one == &keeps ? render::Shape::Circle : render::Shape::Triangle;
    one->look.markerSize = one == &keeps ? 3 : 5;
    one->look.stem = 0.7f;
  }
  for (std::size_t s = 0; s < planes.planes.size(); ++s) {
    ChartSeries& into = planes.planes[s].violates() ? violates : keeps;
    into.x.push_back(static_cast<double>(s + 1));
    into.y.push_back(planes.planes[s].alignment());
  }
  chart.series = {std::move(keeps), std::move(violates)};
  return chart;
}

}  // namespace sepx::ui
