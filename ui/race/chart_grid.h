// SPDX-License-Identifier: Apache-2.0
// Several charts of a race on a page: kept while nothing changes, with a line at the step that is shown, what lies
// under the pointer, and a drag that moves the slider. Frame thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/race/race_page.h"
#include "ui/race/run_charts.h"
#include "ui/views/arrangement.h"

namespace sepx::ui {

struct ChartPlacing {
  RaceMetric metric = RaceMetric::Loss;
  render::Rect box;
  bool compact = false;
  std::string name{};                 ///< of its layer, where it is not a chart of a metric
  std::function<LineChart()> make{};  ///< in place of makeRunChart(): a chart over steps of the page's own
  std::string layer() const { return name.empty() ? wordOf(metric) : name; }
};

class ChartGrid {
 public:
  /// The legend of charts by layer, in one row or more from `at` on; answers the height that it takes.
  static double legendHeight(const RaceFrame& frame, double width);
  void addLegend(const RaceFrame& frame, std::vector<render::Layer>& into, const render::Rect& box,
                 const LayerKey& key);
  /// `key`: all that the charts depend on besides their places.
  void update(const RaceFrame& frame, const std::vector<ChartPlacing>& places, const LayerKey& key);
  void scene(const RaceFrame& frame, std::vector<render::Layer>& into);
  /// A press or drag in a chart moves the slider. Nothing: the event was not for it.
  std::optional<Cursor> input(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event);

 private:
  struct Kept {
    ChartPlacing place;
    LayerKey key;
    PlacedChart chart;
  };
  const Kept* at(render::Point page) const;

  std::vector<Kept> charts_;
  std::optional<std::size_t> held_;  ///< the chart that is dragged in
  PageLayers layers_;
};

}  // namespace sepx::ui
