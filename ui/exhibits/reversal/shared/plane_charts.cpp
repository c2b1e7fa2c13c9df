// SPDX-License-Identifier: Apache-2.0
// See plane_charts.h.
#include "ui/exhibits/reversal/shared/plane_charts.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/page_draw.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kKeeps = 0, kViolates = 1;  // looks of the series

}  // namespace

LineChart planesChart(const reversal::RopePlanes& planes, const Theme& theme) {
  LineChart chart;
  chart.title = tr("Planes of RoPE: alignment ρ of the keys with the query");
  chart.x = {.name = tr("plane s, fast to slow"),
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
  }
  for (std::size_t s = 0; s < planes.planes.size(); ++s) {
    ChartSeries& into = planes.planes[s].violates() ? violates : keeps;
    into.x.push_back(static_cast<double>(s + 1));
    into.y.push_back(planes.planes[s].alignment());
  }
  chart.series = {std::move(keeps), std::move(violates)};
  return chart;
}

void addPlaneBars(std::vector<render::Item>& items, const PlacedChart& chart, const reversal::RopePlanes& planes,
                  const Theme& theme) {
  const double half = 0.35 * std::abs(chart.page({1, 0}).x - chart.page({0, 0}).x);
  for (std::size_t s = 0; s < planes.planes.size(); ++s) {
    const double rho = planes.planes[s].alignment();
    if (!std::isfinite(rho)) continue;
    const render::Point zero = chart.page({static_cast<double>(s + 1), 0}),
                        end = chart.page({static_cast<double>(s + 1), rho});
    const render::Color color = seriesLook(theme, rho < 0 ? kViolates : kKeeps).color;
    items.emplace_back(pageFill({{zero.x - half, std::min(zero.y, end.y)}, {zero.x + half, std::max(zero.y, end.y)}},
                                faded(color, 0.7F)));
  }
}

}  // namespace sepx::ui
