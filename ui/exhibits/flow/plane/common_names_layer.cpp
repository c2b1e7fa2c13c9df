// SPDX-License-Identifier: Apache-2.0
// The names of the sets of initialisations, where they are in the plane: I* and I_min are regions, I_sad is the curve
// that ends in the saddle, I_max the part of e = 0 that is a local maximum and its own basin (Theorems 2 and 8). Made
// within the frame. Frame thread.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/markov/basin.h"
#include "engine/markov/common_region.h"
#include "engine/markov/critical_sets.h"
#include "ui/exhibits/flow/plane/contour_layers.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using markov::LimitKind;

class NamesLayer final : public PlaneLayer {
 public:
  void declare(PropertyRegistry& registry, const FlowShared&) override {
    // clang-format off
    declareParameters(registry, {.applies = declaring::onPlane(canonical)}, {
        {.key = "flow.show.names", .label = N_("Set names"), .fallback = false,
         .help = N_("Writes into the plane which points reach a global minimum, a local one, the saddle or a local "
                    "maximum: the paper's sets of initialisations."),
         .equation = "Local-to-Global, Theorems 2 and 8"}});
    // clang-format on
  }
  void read(const Document& document, const PropertyRegistry& registry, const FlowState& state) override {
    shown_ = state.canonical && registry.toggle(document, "flow.show.names");
  }
  void update(const FlowFrame&, ExhibitContext&) override {}
  void parts(const FlowFrame& frame, std::vector<PlanePart>& into) const override {
    if (!shown_ || frame.state.degenerate() || frame.layout.tiny) return;
    LayerKey key = boxesKey(frame);
    key.push_back(frame.state.chain.switching() > 0);
    key.push_back(frame.state.showCommon);
    into.push_back({"names of the sets", PlaneLevel::Lines, std::move(key), [&frame] { return names(frame); }});
  }
  std::string toggle() const override { return "flow.show.names"; }

 private:
  static std::vector<render::Item> names(const FlowFrame& frame);
  bool shown_ = false;
};

/// Beside the middle of what is to be seen of a curve.
void nameCurve(std::vector<render::Item>& items, const FlowFrame& frame, const std::vector<markov::PlanePoint>& points,
               const std::string& below, std::vector<render::Point>& places) {
  constexpr double kAway = 26, kBorder = 20;
  if (points.size() < 2) return;
  const auto page = [&](double share) {
    const double place = share * static_cast<double>(points.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(place), points.size() - 2);
    const double part = place - static_cast<double>(i);
    return toPage(frame.camera(), {points[i].e + part * (points[i + 1].e - points[i].e),
                                   points[i].w + part * (points[i + 1].w - points[i].w)});
  };
  const render::Rect& plot = frame.layout.plot;
  const std::vector<render::Rect> written = boxesOver(frame);
  for (const double share : {0.55, 0.4, 0.7}) {
    const render::Point at = page(share), before = page(share - 0.05), after = page(share + 0.05);
    const double length = std::hypot(after.x - before.x, after.y - before.y);
    if (!(length > 0)) continue;
    for (const double side : {1.0, -1.0}) {
      const render::Point place{at.x - side * kAway * (after.y - before.y) / length,
                                at.y + side * kAway * (after.x - before.x) / length};
      if (place.x < plot.min.x + kBorder || place.x > plot.max.x - kBorder || place.y < plot.min.y + kBorder ||
          place.y > plot.max.y - kBorder)
        continue;
      if (std::any_of(written.begin(), written.end(), [place](const render::Rect& box) { return box.contains(place); }))
        continue;
      places.push_back(place);
      items.push_back(pageLine(at, place, frame.theme.text));
      addSetName(items, frame, place, below);
      return;
    }
  }
}

std::vector<render::Item> NamesLayer::names(const FlowFrame& frame) {
  const markov::Chain& chain = frame.state.chain;
  const render::Rect& v = frame.state.view;
  std::vector<render::Item> items;
  std::vector<render::Point> places;
  const markov::CriticalSets sets = markov::criticalSets(chain, v.min.x, v.max.x, v.min.y, v.max.y, 64);
  if (!frame.layout.compact) {  // else there is no room beside the curves
    for (const markov::Curve& curve : sets.separatrix)
      if (curve.points.back().e > 0) nameCurve(items, frame, curve.points, "sad", places);
    for (const markov::Curve& curve : sets.curves)
      if (curve.kind == LimitKind::LocalMax) nameCurve(items, frame, curve.points, "max", places);
  }
  const auto region = [&](LimitKind kind, const std::string& below) {
    constexpr double kApart = 48;
    const auto place = roomiest(frame, [&](render::Point data) {
      if (kind == LimitKind::GlobalMin && frame.state.showCommon && markov::inCommon(data.x, data.y)) return false;
      const render::Point page = toPage(frame.camera(), data);
      for (const render::Point other : places)
        if (std::hypot(page.x - other.x, page.y - other.y) < kApart) return false;
      return markov::basinLabel(chain, data.x, data.y) == kind;
    });
    if (place) addSetName(items, frame, *place, below);
  };
  region(LimitKind::GlobalMin, "∗");
  region(LimitKind::LocalMin, "min");
  return items;
}

}  // namespace

std::unique_ptr<PlaneLayer> makeNamesLayer() {
  return std::make_unique<NamesLayer>();
}

}  // namespace sepx::ui
