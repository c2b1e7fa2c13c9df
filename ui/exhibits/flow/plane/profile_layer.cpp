// SPDX-License-Identifier: Apache-2.0
// The energy on e = 0, E(0,w) = -(w^2 + sgn(w) log|w|), as a small plot over the plane (Lemma 12). A path keeps its
// energy, so where its level meets this profile is where it can end at e = 0. The pointer inside the plot picks a
// level; the contour of it is then drawn in the plane. Pure functions of a frame. Frame thread.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/markov/basin.h"
#include "engine/markov/energy.h"
#include "engine/markov/level_sets.h"
#include "ui/canvas/page_draw.h"
#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/plots/line_chart.h"
#include "ui/properties/formula.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using markov::LimitKind;

constexpr double kSaddleW = -0.70710678118654752;
constexpr float kGround = 0.94f;

/// The energies that are shown: those of the profile in the window, and the selected point's. Towards w = 0 it runs off
/// both ways.
std::pair<double, double> energyRange(const FlowState& state) {
  constexpr double kDeepest = -40, kHighest = 40, kLeastSpan = 0.05;
  const double from = state.view.min.y, to = state.view.max.y;
  double low = HUGE_VAL, high = -HUGE_VAL;
  const auto take = [&](double E) {
    if (!std::isfinite(E)) return;
    low = std::min(low, E);
    high = std::max(high, E);
  };
  for (const double w : {from, to})
    if (std::abs(w) > 0.3 || (from < 0) == (to < 0)) take(markov::axisEnergy(w));
  if (from < kSaddleW && kSaddleW < to) take(markov::saddleEnergy());
  if (from <= 0 && to >= 0) {
    take(markov::saddleEnergy() - 0.5);
    take(1.5);
  }
  if (const std::optional<double> E = selectedEnergy(state)) take(*E);
  if (!(low <= high)) return {-1, 1};
  const double pad = std::max(0.12 * (high - low), 0.5 * kLeastSpan);
  low = std::max(low - pad, kDeepest);
  high = std::min(high + pad, kHighest);
  return low < high ? std::pair{low, high} : std::pair{kDeepest, kHighest};
}

/// The chart of one frame.

class Profile {
 public:
  Profile(const FlowFrame& frame, const ProfilePlace& place)
      : frame_(frame), theme_(frame.theme), place_(place), window_(place.window) {}

  std::vector<render::Item> items() {
    std::vector<render::Item> items;
    render::Color ground = theme_.surface;
    ground.a = kGround;
    addBox(items, place_.box, theme_.radius, ground, theme_.border);
    chart_.title = tr("energy on e = 0: E(0, w)");
    if (textWidth(chart_.title, theme_.smallSize) > place_.inner.width()) chart_.title = "E(0, w)";
    chart_.compact = true;
    chart_.ground = false;
    chart_.plot = place_.inner;
    chart_.x = {.name = "w", .from = window_.min.x, .to = window_.max.x};
    chart_.y = {.from = window_.min.y, .to = window_.max.y};
    level(markov::saddleEnergy(), {theme_.separatrix, render::Dash::Dotted, 1}, tr("saddle"), true);
    curve();
    if (const std::optional<double> E = energyUnder(frame_); E && frame_.held < 0)
      level(*E, {theme_.text, render::Dash::Dashed, 1}, "E = " + levelText(*E));
    if (const std::optional<double> E = selectedEnergy(frame_.state)) {
      level(*E, {theme_.accent, render::Dash::Solid, theme_.lineWidth}, "E = " + levelText(*E));
      crossings(*E);
    }
    append(items, PlacedChart(std::move(chart_), place_.box, theme_).items());
    return items;
  }

 private:
  bool shows(double w, double E) const { return window_.contains({w, E}); }
  /// In the colour and dash of the kind that each part of e = 0 has, as in the plane.
  void curve() {
    const auto part = [&](double from, double to) {
      if (!(from < to)) return;
      const LimitKind kind = kindAt((from + to) / 2);
      const render::Dash dash = kind == LimitKind::LocalMin   ? render::Dash::Dashed
                                : kind == LimitKind::LocalMax ? render::Dash::Dotted
                                                              : render::Dash::Solid;
      ChartSeries& line = chart_.series.emplace_back();
      line.look = {kind == LimitKind::Undecided ? theme_.globalMin : kindColor(theme_, kind), dash, theme_.strongLine};
      const int count = std::max(8, static_cast<int>(place_.inner.width() * (to - from) / window_.width()));
      const double tiny = 1e-6 * window_.width();
      for (int i = 0; i <= count; ++i) {
        // denser towards w = 0, where the logarithm runs off
        const double share = static_cast<double>(i) / count;
        line.x.push_back(to == 0 ? from * (1 - share) * (1 - share) - tiny
                                 : (from == 0 ? to * share * share + tiny : from + share * (to - from)));
        line.y.push_back(markov::axisEnergy(line.x.back()));
      }
    };
    part(window_.min.x, std::min(window_.max.x, kSaddleW));
    part(std::max(window_.min.x, kSaddleW), std::min(window_.max.x, 0.0));
    part(std::max(window_.min.x, 0.0), window_.max.x);
    if (!frame_.state.degenerate() && shows(kSaddleW, markov::saddleEnergy()))
      chart_.marks.push_back({{kSaddleW, markov::saddleEnergy()},
                              kindShape(LimitKind::Saddle),
                              9,
                              kindColor(theme_, LimitKind::Saddle),
                              theme_.plotBackground,
                              1.25f});
  }
  void level(double E, const ChartLook& look, const std::string& name, bool nameFirst = false) {
    chart_.references.push_back({.value = E, .name = name, .look = look, .nameFirst = nameFirst});
  }
  /// Where the level meets the profile; the end of the selected point's own path is filled, the others are rings.
  void crossings(double E) {
    const FlowResults& results = frame_.results;
    std::optional<render::Point> end;
    if (const auto index = static_cast<std::size_t>(frame_.state.selected); index < results.points())
      if (const PointResult& point = results.point(index); point.limit && point.limit->x == 0) end = point.limit;
    for (const double w : markov::axisCrossings(E)) {
      if (!shows(w, E)) continue;
      const LimitKind kind = kindAt(w);
      const bool here = end && std::abs(end->y - w) < 1e-6 * (1 + std::abs(w));
      const render::Color color = kindColor(theme_, kind);
      chart_.marks.push_back({{w, E},
                              here ? kindShape(kind) : render::Shape::Ring,
                              here ? 10.0f : 7.0f,
                              color,
                              here ? theme_.accent : color,
                              here ? 2.0f : 1.5f});
    }
  }
  LimitKind kindAt(double w) const { return markov::basinLabel(frame_.state.chain, 0, w); }

  const FlowFrame& frame_;
  const Theme& theme_;
  const ProfilePlace& place_;
  const render::Rect& window_;
  LineChart chart_;
};

class ProfileLayer final : public PlaneLayer {
 public:
  ProfileLayer() : PlaneLayer("flow.show.profile") {}
  void declare(PropertyRegistry& registry, const FlowShared& live) override {
    using namespace declaring;
    const Getters level([&state = live.state](int) { return selectedEnergy(state); });
    const auto crossings = [](double E) {
      std::string text;
      for (const double w : markov::axisCrossings(E))
        text += (text.empty() ? "" : ",\\ ") + formulaNumber(w);
      return "E = " + formulaFixed(E) + " \\\\ w \\in \\{" + text + "\\}";
    };
    const char* const formula = "E(0,w) = -\\left(w^2+\\sgn(w)\\,\\log|w|\\right)";
    const Common common{.applies = onPlane(canonical),
                        .equation = "Local-to-Global, Lemma 12",
                        .errata = {"l2g-11"},
                        .formulaApplies = canonical};
    // clang-format off
    declareParameters(registry, common, {
        {.key = "flow.show.profile", .into = &FlowState::showProfile, .label = N_("Energy profile"), .fallback = false,
         .help = N_("A small plot of the energy on e = 0. The path of the selected point can end on e = 0 only where "
                    "its energy equals the curve. Move the pointer in the plot to choose a level."),
         .formula = formula}});
    declareReadOuts(registry, common, {
        {.key = "flow.energy.crossings", .label = N_("Meets e = 0"),
         .help = N_("In how many places the contour of the selected point meets e = 0: three below the saddle's energy, "
                    "one above."),
         .formula = std::string(formula) + " = E(e_0,w_0)", .withNumbers = level.text(crossings), .digits = 0,
         .get = level([](double E) { return markov::axisCrossings(E).size(); })}});
    // clang-format on
  }
  void parts(const FlowFrame& frame, std::vector<PlanePart>& into) const override {
    const std::optional<ProfilePlace> place = profilePlace(frame);
    if (!place) return;
    LayerKey key{bits(place->box.min.x),
                 bits(place->box.min.y),
                 bits(place->window.min.y),
                 bits(place->window.max.y),
                 bits(frame.state.chain.switching()),
                 bits(selectedEnergy(frame.state).value_or(HUGE_VAL)),
                 bits(frame.held < 0 ? energyUnder(frame).value_or(HUGE_VAL) : HUGE_VAL)};
    const auto index = static_cast<std::size_t>(frame.state.selected);
    key.push_back(index < frame.results.points() ? frame.results.revision(index) : 0);
    into.push_back({"energy profile", PlaneLevel::Inset, std::move(key),
                    [&frame, place] { return Profile(frame, *place).items(); }, false, false});
  }
  void taken(const FlowFrame& frame, std::vector<render::Rect>& boxes) const override {
    constexpr double kGap = 6;
    if (const std::optional<ProfilePlace> place = profilePlace(frame))
      boxes.push_back(
          {{place->box.min.x - kGap, place->box.min.y - kGap}, {place->box.max.x + kGap, place->box.max.y + kGap}});
  }
  void numbers(const FlowState& state, Numbers& numbers) const override {
    if (!state.showProfile) return;
    Table table{"profile", {numberColumn("w"), numberColumn("energy")}};
    constexpr int kCount = 512;
    for (int i = 0; i < kCount; ++i) {
      const double w = state.view.min.y + (i + 0.5) * state.view.height() / kCount;
      if (const double E = markov::axisEnergy(w); std::isfinite(E)) addRow(table, w, E);
    }
    numbers.tables.push_back(std::move(table));
  }
};

}  // namespace

std::optional<ProfilePlace> profilePlace(const FlowFrame& frame) {
  constexpr double kWide = 236, kHigh = 168, kLeastWide = 330, kLeastHigh = 230;
  const render::Rect& plot = frame.layout.plot;
  if (!frame.state.showProfile || plot.width() < kLeastWide || plot.height() < kLeastHigh) return std::nullopt;
  const double unit = frame.theme.smallSize / 12;
  const double width = std::min(kWide * unit, 0.42 * plot.width()),
               height = std::min(kHigh * unit, 0.42 * plot.height());
  std::vector<render::Rect> taken;
  if (frame.layout.legend) taken.push_back(legendPlace(frame).box);
  const Placed placed = placeBox(frame, width, height,
                                 {Corner::BottomRight, Corner::TopRight, Corner::BottomLeft, Corner::TopLeft}, taken);
  if (!placed.free || (frame.figure && !placed.bare)) return std::nullopt;
  const float size = frame.theme.smallSize;
  const render::Rect& box = placed.box;
  const auto [low, high] = energyRange(frame.state);
  return ProfilePlace{
      box,
      {{box.min.x + 2.9 * size, box.min.y + 1.9 * size}, {box.max.x - 1.4 * size, box.max.y - 1.7 * size}},
      {{frame.state.view.min.y, low}, {frame.state.view.max.y, high}}};
}

std::unique_ptr<PlaneLayer> makeProfileLayer() {
  return std::make_unique<ProfileLayer>();
}

}  // namespace sepx::ui
