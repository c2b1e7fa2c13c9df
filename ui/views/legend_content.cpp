// SPDX-License-Identifier: Apache-2.0
// A view of a legend.
#include <memory>
#include <vector>

#include "ui/views/line_chart.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

class PlacedLegend final : public PlacedView {
 public:
  PlacedLegend(const LegendContent& content, const ViewPlace& place)
      : entries_(content.entries), box_(place.box), theme_(place.theme) {}
  std::vector<render::Item> items() const override {
    std::vector<render::Item> items;
    addLegend(items, box_.min, box_.width(), entries_, theme_);
    return items;
  }
  double height() const override {
    std::vector<render::Item> ignored;
    return addLegend(ignored, box_.min, box_.width(), entries_, theme_);
  }

 private:
  std::vector<LegendEntry> entries_;
  render::Rect box_;
  Theme theme_;
};

}  // namespace

std::unique_ptr<PlacedView> placeContent(const LegendContent& content, const ViewPlace& place) {
  return std::make_unique<PlacedLegend>(content, place);
}

}  // namespace sepx::ui
