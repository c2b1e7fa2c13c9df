// SPDX-License-Identifier: Apache-2.0
// Layers of the energy E(e,w) = e^2 - w^2 - sgn(w) log|w|, which is constant along the flow (Lemma 1). The contours are
// a family of round levels, the whole level of the separatrix (I_sad is a part of it), and the levels of the selected
// point and of the place under the pointer. The profile E(0,w) on e = 0 is a small plot over the plane (Lemma 12): a
// path can end at e = 0 where its level meets the profile. The pointer inside the plot picks a level. Everything is
// computed within the frame. Frame thread.
#include "ui/exhibits/flow/plane/energy_layers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/markov/basin.h"
#include "engine/markov/energy.h"
#include "engine/markov/level_sets.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_layout.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/properties/formula.h"
#include "ui/properties/tr.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

namespace {

using Pieces = std::vector<std::vector<render::Point>>;

constexpr const char* kEnergyFormula = "E(e,w) = e^2-\\left(w^2+\\sgn(w)\\,\\log|w|\\right)";

Pieces piecesOf(double E, const render::Rect& view, int samples) {
  Pieces pieces;
  for (const auto& piece : markov::energyContour(E, view.min.x, view.max.x, view.min.y, view.max.y, samples))
    pieces.push_back(asPoints(piece));
  return pieces;
}

std::vector<double> levelsOf(const FlowState& state, const render::Rect& plot, int count) {
  constexpr double kClearance = 14;  // points: closer to w = 0 the lines cannot be distinguished
  const render::Rect& v = state.view;
  const double e = std::max(std::abs(v.min.x), std::abs(v.max.x));
  return markov::energyLevels(v.min.y, v.max.y, e, kClearance * v.height() / std::max(plot.height(), 1.0), count);
}

class ContourLayer final : public PlaneLayer {
 public:
  ContourLayer() : PlaneLayer("flow.show.contours") {}
  void declare(PropertyRegistry& registry, const FlowShared& live) override {
    using namespace declaring;
    const FlowState& state = live.state;
    const Getters pointer([&state, &hover = live.hover](int) { return state.canonical && hover ? &*hover : nullptr; });
    const Getters level([&state](int) { return selectedEnergy(state); });
    const Getters place([&state](int) {
      return state.canonical && state.selected >= 0 ? &state.points[static_cast<std::size_t>(state.selected)] : nullptr;
    });
    const auto aboveText = [](double E) {
      return formulaFixed(E) + "-(" + formulaFixed(markov::saddleEnergy()) +
             ") = " + formulaFixed(E - markov::saddleEnergy());
    };
    const auto energyUnder = [](render::Point at) {
      return markov::energy(markov::Model::EW, Eigen::Vector2d(at.x, at.y));
    };
    // clang-format off
    declareParameters(registry, {.applies = onPlane(canonical), .formulaApplies = canonical}, {
        {.key = "flow.show.contours", .label = N_("Energy contours"), .fallback = false,
         .help = N_("Lines of constant energy: every path runs along one of them. The levels are round numbers and "
                    "those of the separatrix, the selected point and the pointer."),
         .equation = "Local-to-Global, (4), Lemma 1", .formula = kEnergyFormula, .errata = {"l2g-19"}},
        {.key = "flow.contours.count",
         .into = &ContourLayer::count_, .label = N_("Levels"), .kind = Kind::Integer, .max = 40, .fallback = 12.0,
         .help = N_("Largest number of contour levels at round numbers. At 0 only the levels of the separatrix and of "
                    "points are drawn."),
         .applies = whenOn("flow.show.contours")}});
    declareReadOuts(registry, {.prefix = "flow.", .applies = onPlane(canonical), .errata = {"l2g-11"},
                               .formulaApplies = canonical}, {
        {.key = "energy.level", .label = N_("Energy level"), .symbol = "E",
         .help = N_("Energy of the contour that contains the whole path of the point."),
         .equation = "Local-to-Global, (4)",
         .formula = kEnergyFormula,
         .withNumbers = place.text([](const FlowPoint& at) { return energyWithNumbers(at.e, at.w); }),
         .get = level([](double E) { return E; })},
        {.key = "energy.above", .label = N_("Above saddle"),
         .help = N_("Below zero the contour meets e = 0 on both sides of the saddle; above it only where w > 0."),
         .equation = "Local-to-Global, Lemma 12",
         .formula = "E-E_{\\mathrm{sad}},\\quad E_{\\mathrm{sad}} = -\\frac{1+\\log2}{2}",
         .withNumbers = level.text(aboveText), .get = level([](double E) { return E - markov::saddleEnergy(); })},
        {.key = "hover.energy", .label = N_("Energy under the pointer"), .symbol = "E",
         .help = N_("The level of the contour under the pointer."), .equation = "Local-to-Global, (4)",
         .formula = kEnergyFormula,
         .withNumbers = pointer.text([](render::Point at) { return energyWithNumbers(at.x, at.y); }),
         .get = pointer(energyUnder)}});
    // clang-format on
  }
  void read(const Document& document, const PropertyRegistry& registry, const FlowState& state) override {
    shown_ = state.canonical && registry.toggle(document, "flow.show.contours");
    registry.read(document, *this);
  }
  void views(const FlowFrame& frame, PlaneViews& into) const override {
    if (!shown_) return;
    const auto level = [](double E, bool selected) {
      return [E, selected](const FlowFrame& plane) { return through(plane, E, selected); };
    };
    into.add(PlaneLevel::Ground, "contours", Digest().add(count_),
             [this](const FlowFrame& plane) { return family(plane); });
    if (const std::optional<double> E = selectedEnergy(frame.state))
      into.add(PlaneLevel::Lines, "contour of the selected point", Digest().add(*E), level(*E, true), false);
    if (!frame.layout.tiny)
      into.add(PlaneLevel::Lines, "contour names", Digest().add(boxesOver(frame), count_),
               [this](const FlowFrame& plane) { return familyNames(plane); });
    if (const std::optional<double> E = energyUnder(frame); E && frame.held < 0)
      into.add(PlaneLevel::Lines, "contour under the pointer", Digest().add(*E, *frame.pointer), level(*E, false),
               false);
  }
  void legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const override {
    if (!shown_ || !frame.layout.legendOpen) return;
    const Theme& theme = frame.theme;
    if (count_ > 0)
      rows.push_back(overlay::lineRow(faded(theme.text, 0.7f), render::Dash::Solid, tr("energy contours E")));
    rows.push_back(overlay::lineRow(theme.separatrix, render::Dash::Dotted, tr("the saddle's whole contour")));
    if (const std::optional<double> E = selectedEnergy(frame.state))
      rows.push_back(
          overlay::lineRow(theme.selection, render::Dash::Dashed, tr("contour of the point, E = ") + levelText(*E)));
  }
  void panel(const FlowFrame&, ExhibitContext&, PagePanel& panel) override {
    if (!shown_) return;
    panel.rows("flow.", {"contours.count", "energy.above"});
  }
  void numbers(const FlowState& state, Numbers& numbers) const override {
    if (!shown_) return;
    Table table{"contours", {numberColumn("energy"), numberColumn("branch"), numberColumn("e"), numberColumn("w")}};
    double branches = 0;
    const auto add = [&](double E) {
      for (const std::vector<render::Point>& piece : piecesOf(E, state.view, 512)) {
        ++branches;
        for (const render::Point point : piece)
          addRow(table, E, branches, point.x, point.y);
      }
    };
    constexpr double kHeight = 600;  // fixed, so that exported numbers do not depend on the picture's size
    for (const double E : levelsOf(state, {{0, 0}, {kHeight, kHeight}}, count_))
      add(E);
    add(markov::saddleEnergy());
    if (const std::optional<double> E = selectedEnergy(state)) add(*E);
    numbers.tables.push_back(std::move(table));
  }
  std::string caption(const FlowState& state) const override {
    if (!shown_) return "";
    if (!selectedEnergy(state)) return tr("thin lines: energy contours, dotted: the saddle's");
    return filled(tr("thin lines: energy contours, dotted: the saddle's, dashed: that of {point}"), "{point}",
                  selectedName(state));
  }

 private:
  /// Round levels, and the level of the separatrix.
  std::vector<render::Item> family(const FlowFrame& frame) const {
    const Theme& theme = frame.theme;
    std::vector<render::Item> items;
    const auto add = [&](double E, const render::Stroke& stroke, int samples) {
      for (std::vector<render::Point>& piece : piecesOf(E, frame.state.view, samples))
        items.push_back(render::Polyline{std::move(piece), stroke, {}});
    };
    add(markov::saddleEnergy(), {theme.separatrix, theme.lineWidth, render::Dash::Dotted}, 384);
    for (const double E : levelsOf(frame.state, frame.layout.plot, count_))
      add(E, {faded(theme.text, 0.55f), 1, render::Dash::Solid}, 256);
    return items;
  }
  /// The energies of these levels, written on the lines without overlap.
  std::vector<render::Item> familyNames(const FlowFrame& frame) const {
    const Camera camera = frame.camera();
    const float size = frame.theme.smallSize;
    std::vector<render::Item> labels;
    LabelPlacer room(frame, boxesOver(frame));
    const auto label = [&](double E, const std::string& text) {
      const Pieces pieces = piecesOf(E, frame.state.view, 64);
      for (const double share : {0.5, 0.3, 0.7, 0.15, 0.85})
        for (const std::vector<render::Point>& piece : pieces) {
          const auto at = static_cast<std::size_t>(share * static_cast<double>(piece.size() - 1));
          if (auto made = room.place(toPage(camera, piece[at]), text, size, frame.theme.text)) {
            labels.emplace_back(std::move(*made));
            return;
          }
        }
    };
    if (!frame.layout.compact)
      label(markov::saddleEnergy(), "E = " + levelText(markov::saddleEnergy()) + tr(" (saddle)"));
    const std::vector<double> levels = levelsOf(frame.state, frame.layout.plot, count_);
    const double step = levels.size() > 1 ? levels[1] - levels[0] : 0.01;
    const int digits = std::clamp(-static_cast<int>(std::floor(std::log10(step) + 1e-9)), 0, 9);
    for (const double E : levels)
      label(E, levelText(E, digits));
    return labels;
  }
  /// The contour of one level, dashed so that it is not mistaken for the path along it. The level under the pointer is
  /// labelled.
  static std::vector<render::Item> through(const FlowFrame& frame, double E, bool selected) {
    const Theme& theme = frame.theme;
    const render::Color color = selected ? theme.selection : theme.text;
    const render::Stroke stroke{color, selected ? theme.lineWidth + 0.5f : theme.lineWidth, render::Dash::Dashed};
    std::vector<render::Item> items;
    for (const std::vector<render::Point>& piece : piecesOf(E, frame.state.view, 384))
      addLine(items, piece, stroke, frame);
    if (selected || !frame.pointer) return items;
    LabelPlacer room(frame);
    const render::Point at = *frame.pointer;
    for (const double side : {-1.0, 1.0})
      if (auto label = room.place({at.x, at.y + side * 22}, "E = " + levelText(E), theme.smallSize, theme.text)) {
        items.emplace_back(std::move(*label));
        break;
      }
    return items;
  }

  int count_ = 12;
};

}  // namespace

std::unique_ptr<PlaneLayer> makeContourLayer() {
  return std::make_unique<ContourLayer>();
}

namespace {

using markov::LimitKind;

constexpr double kSaddleW = -0.70710678118654752;
constexpr float kGround = 0.94f;

/// The range of energies that the profile shows: those of E(0, w) in the window, and that of the selected point. The
/// range is limited, because E(0, w) tends to minus and plus infinity towards w = 0 from below and above.
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

/// The energy profile of one frame, drawn as a chart.

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
  /// Draws each part of e = 0 in the colour and dash of its kind, as in the plane.
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
        // denser towards w = 0, where the logarithm diverges
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
  /// Marks where the level meets the profile. The end of the selected point's path is filled, the others are rings.
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
                              here ? theme_.selection : color,
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
         .help = N_("Number of points in which the contour of the selected point meets e = 0: three below the "
                    "saddle's energy, one above."),
         .formula = std::string(formula) + " = E(e_0,w_0)", .withNumbers = level.text(crossings), .digits = 0,
         .get = level([](double E) { return markov::axisCrossings(E).size(); })}});
    // clang-format on
  }
  void views(const FlowFrame& frame, PlaneViews& into) const override {
    const std::optional<ProfilePlace>& place = frame.layout.profile;
    if (!place) return;
    const auto index = static_cast<std::size_t>(frame.state.selected);
    const Digest of = Digest().add(place->box, place->window, frame.state.chain.switching(),
                                   selectedEnergy(frame.state), frame.held < 0 ? energyUnder(frame) : std::nullopt,
                                   index < frame.results.points() ? frame.results.revision(index) : 0);
    const auto draw = [](const FlowFrame& plane) { return Profile(plane, *plane.layout.profile).items(); };
    into.add(PlaneLevel::Inset, "energy profile", of, draw, false, false);
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
  const BoxPlacement placed =
      placeBox(frame, width, height, {Corner::BottomRight, Corner::TopRight, Corner::BottomLeft, Corner::TopLeft},
               boxesOver(frame));
  if (!placed.free || (frame.figure && !placed.hidesLittleData)) return std::nullopt;
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
