// SPDX-License-Identifier: Apache-2.0
// Energy contours: E(e,w) = e^2 - w^2 - sgn(w) log|w| is constant along the flow (Lemma 1), so a contour through a
// point is where its path can go. A family of round levels, the separatrix's level whole (I_sad is a part of it), the
// level of the selected point and of what is under the pointer. Exact curves; made within the frame. Frame thread.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/markov/energy.h"
#include "engine/markov/level_sets.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/properties/formula.h"
#include "ui/properties/tr.h"

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
  constexpr double kClearance = 14;  // points: nearer to w = 0 the lines cannot be told apart
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
         .help = N_("Lines of constant energy: every path runs along one of them. Round levels, the level of the "
                    "separatrix, of the selected point and of the pointer."),
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
         .help = N_("The level of the contour through the place under the pointer."), .equation = "Local-to-Global, (4)",
         .formula = kEnergyFormula,
         .withNumbers = pointer.text([](render::Point at) { return energyWithNumbers(at.x, at.y); }),
         .get = pointer(energyUnder)}});
    // clang-format on
  }
  void read(const Document& document, const PropertyRegistry& registry, const FlowState& state) override {
    shown_ = state.canonical && registry.toggle(document, "flow.show.contours");
    registry.read(document, *this);
  }
  void parts(const FlowFrame& frame, std::vector<PlanePart>& into) const override {
    if (!shown_) return;
    into.push_back(
        {"contours", PlaneLevel::Ground, {static_cast<std::uint64_t>(count_), frame.layout.compact}, [this, &frame] {
           return family(frame);
         }});
    if (const std::optional<double> E = selectedEnergy(frame.state))
      into.push_back({"contour of the selected point",
                      PlaneLevel::Lines,
                      {bits(*E)},
                      [this, &frame, E] { return through(frame, *E, true); },
                      false});
    if (!frame.layout.tiny) {
      LayerKey key = boxesKey(frame);
      key.push_back(static_cast<std::uint64_t>(count_));
      into.push_back(
          {"contour names", PlaneLevel::Lines, std::move(key), [this, &frame] { return familyNames(frame); }});
    }
    if (const std::optional<double> E = energyUnder(frame); E && frame.held < 0)
      into.push_back({"contour under the pointer",
                      PlaneLevel::Lines,
                      {bits(*E), bits(frame.pointer->x), bits(frame.pointer->y)},
                      [this, &frame, E] { return through(frame, *E, false); },
                      false});
  }
  void legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const override {
    if (!shown_ || !frame.layout.legendOpen) return;
    const Theme& theme = frame.theme;
    if (count_ > 0)
      rows.push_back(overlay::lineRow(faded(theme.text, 0.7f), render::Dash::Solid, tr("energy contours E")));
    rows.push_back(overlay::lineRow(theme.separatrix, render::Dash::Dotted, tr("the saddle's energy, whole")));
    if (const std::optional<double> E = selectedEnergy(frame.state))
      rows.push_back(
          overlay::lineRow(theme.accent, render::Dash::Dashed, tr("contour of the point, E = ") + levelText(*E)));
  }
  LayerKey legendKey(const FlowFrame& frame) const override {
    if (!shown_) return {};
    return {static_cast<std::uint64_t>(count_), bits(selectedEnergy(frame.state).value_or(HUGE_VAL))};
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
    constexpr double kHeight = 600;  // the picture's own size does not change what is given away
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
  /// Their energies, written on the lines, clear of each other.
  std::vector<render::Item> familyNames(const FlowFrame& frame) const {
    const Camera camera = frame.camera();
    const float size = 0.85f * frame.theme.smallSize;
    std::vector<render::Item> labels;
    LabelRoom room(frame, boxesOver(frame));
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
  /// The contour of one level, named; dashed, so that it is not taken for the path that runs along it.
  std::vector<render::Item> through(const FlowFrame& frame, double E, bool selected) const {
    const Theme& theme = frame.theme;
    const render::Color color = selected ? theme.accent : theme.text;
    const render::Stroke stroke{color, selected ? theme.lineWidth + 0.5f : theme.lineWidth, render::Dash::Dashed};
    std::vector<render::Item> items;
    for (const std::vector<render::Point>& piece : piecesOf(E, frame.state.view, 384))
      addLine(items, piece, stroke, frame);
    if (selected || !frame.pointer) return items;
    LabelRoom room(frame);
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

}  // namespace sepx::ui
