// SPDX-License-Identifier: Apache-2.0
// Layers of quantities that the field has everywhere. Colours: the loss, the basin, the time to converge or the length
// of the gradient; FlowResults makes the picture (one shading at a time, with its colour bar and its lock). Nullclines:
// the curves on which one component of the flow vanishes. In the canonical plane both components have the factors
// Lambda'(S) and e, so that Theta* and e = 0 are nullclines of both; e' = -2 Lambda' e v vanishes also where v = 0
// (w = -1/sqrt 2), and w' = -4 Lambda' e^2 |w| where w = 0. The nullclines of other fields are found by marching on a
// grid. Backward paths: the flow run backwards from every point, d theta/dt = +grad L, dashed. The origin of such a
// path has the hollow glyph of its kind. Frame thread.
#include "ui/exhibits/flow/plane/field_layers.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "engine/dynamics/nullclines.h"
#include "engine/markov/convergence_time.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/properties/formula.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kShare = 0.01;  // share of the loss above the limit that is left
constexpr const char* kTimeFormula =
    "t_{99} = \\min\\left\\{t : L(\\theta_t)-L_\\infty < 0.01\\,\\left(L(\\theta_0)-L_\\infty\\right)\\right\\}";
constexpr const char* kGradientFormula =
    "|\\nabla L| = |\\Lambda'(S)|\\,\\sqrt{(2e\\,v)^2+(4e^2|w|)^2},\\quad v = 1+2w|w|";

std::string choiceWords(const std::string& key) {
  if (key == "basin") return tr("basin");
  if (key == "time") return tr("time to converge");
  if (key == "gradient") return tr("gradient |∇L|");
  return tr("loss");
}

/// Choosing what colours the plane also switches its display on.
Result<Document> colorFollows(const Document&, const Document& with) {
  Document result = withSoundLimits(with).with("flow.show.loss", true);
  return chosenColor(with) == PlaneColor::Basin ? result.with("flow.show.basin", true) : result;
}

class ColorLayer final : public PlaneLayer {
 public:
  void declare(PropertyRegistry& registry, const FlowShared& live) override {
    using namespace declaring;
    const FlowState& state = live.state;
    const Getters pointer([&state, &hover = live.hover](int) { return state.canonical && hover ? &*hover : nullptr; });
    const auto under = [&state](PlaneColor of) {
      return [&state, of](render::Point at) { return colorAt(state.chain, of, at.x, at.y); };
    };
    const auto timeText = [&state](render::Point at) -> std::string {
      const double time = colorAt(state.chain, PlaneColor::Time, at.x, at.y);
      const auto limit = markov::exactLimit(state.chain, at.x, at.y);
      if (!std::isfinite(time) || !limit) return {};
      const double start = lossAt(state, at.x, at.y);
      return "L(\\theta_0)-L_\\infty = " + formulaFixed(start) + "-" + formulaFixed(limit->loss) + " = " +
             formulaFixed(start - limit->loss) + " \\\\ t_{99} = " + formulaNumber(time, 4);
    };
    const auto gradientText = [&state](render::Point at) -> std::string {
      const double gradient = colorAt(state.chain, PlaneColor::Gradient, at.x, at.y);
      if (!std::isfinite(gradient)) return {};
      const double S = markov::reducedS(markov::Model::EW, Eigen::Vector2d(at.x, at.y));
      return "S = " + formulaFixed(S) + ",\\quad \\Lambda'(S) = " + formulaNumber(markov::lambdaFirst(state.chain, S)) +
             " \\\\ |\\nabla L| = " + formulaNumber(gradient);
    };
    // clang-format off
    declareParameters(registry, {.applies = onPlane(canonical)}, {
        {.key = "flow.color",
         .into = &FlowState::color, .label = N_("Colour by"), .choices = {"loss", "basin", "time", "gradient"},
         .help = N_("The quantity that colours the plane: the loss, the kind of limit, the time until 1 % of the "
                    "loss above the limit is left, or the norm of the gradient. Times and gradients have a "
                    "logarithmic scale."),
         .choiceLabel = choiceWords, .follow = colorFollows}});
    declareReadOuts(registry, {.prefix = "flow.hover.", .applies = onPlane(canonical), .formulaApplies = canonical}, {
        {.key = "time", .label = N_("Time to converge"), .symbol = "t₉₉",
         .help = N_("Time of the flow from the point under the pointer until 1 % of the loss above its limit is left."),
         .equation = "Local-to-Global, section 4", .formula = kTimeFormula, .withNumbers = pointer.text(timeText),
         .errata = {"l2g-18", "l2g-19"}, .digits = 4, .get = pointer(under(PlaneColor::Time))},
        {.key = "gradient", .label = N_("Gradient"), .symbol = "|∇L|", .unit = "nats",
         .help = N_("Norm of the gradient under the pointer, which is the speed of the flow."),
         .equation = "Local-to-Global, Lemma 7", .formula = kGradientFormula, .withNumbers = pointer.text(gradientText),
         .errata = {"l2g-8"}, .get = pointer(under(PlaneColor::Gradient))}});
    // clang-format on
  }
  void update(const FlowFrame& frame, ExhibitContext&) override {
    const LossPicture* const loss = frame.results.loss();
    picture_ = loss ? std::optional(*loss) : std::nullopt;
  }
  /// Row 0 is at the smallest w, as in every grid of the picture.
  void numbers(const FlowState& state, Numbers& numbers) const override {
    if (!picture_ || !logarithmic(picture_->color) || picture_->color != state.color) return;
    const LossPicture& picture = *picture_;
    const auto width = static_cast<std::size_t>(picture.width), height = static_cast<std::size_t>(picture.height);
    const std::string name = colorWord(picture.color);
    const auto middles = [](double from, double span, std::size_t count) {
      std::vector<double> at;
      for (std::size_t i = 0; i < count; ++i)
        at.push_back(from + (static_cast<double>(i) + 0.5) * span / static_cast<double>(count));
      return at;
    };
    const render::Rect& box = picture.extent;
    numbers.grids.push_back({name + "_e", {width}, middles(box.min.x, box.width(), width)});
    numbers.grids.push_back({name + "_w", {height}, middles(box.min.y, box.height(), height)});
    numbers.grids.push_back({name,
                             {height, width},
                             rowsUpwards(std::vector<double>(picture.losses->begin(), picture.losses->end()), width)});
  }

 private:
  std::optional<LossPicture> picture_;
};

}  // namespace

std::unique_ptr<PlaneLayer> makeColorLayer() {
  return std::make_unique<ColorLayer>();
}

namespace {

using Line = std::vector<render::Point>;

/// Which component vanishes on a line.
enum class NullclineKind { First, Second, Both };

struct Nullcline {
  NullclineKind of = NullclineKind::First;
  std::vector<Line> lines;
};

std::vector<Nullcline> canonicalNullclines(const FlowState& state) {
  const render::Rect& v = state.view;
  const double saddle = -1 / std::sqrt(2.0);
  Nullcline both{NullclineKind::Both, {{{0, v.min.y}, {0, v.max.y}}}};
  for (const markov::Curve& curve : criticalSetsOf(state).curves)
    if (curve.kind == markov::LimitKind::GlobalMin) both.lines.push_back(asPoints(curve.points));
  std::vector<Nullcline> all{{NullclineKind::First, {{{v.min.x, saddle}, {v.max.x, saddle}}}},
                             {NullclineKind::Second, {{{v.min.x, 0}, {v.max.x, 0}}}}};
  if (state.degenerate()) {  // S* = 0: Theta* is the union of e = 0 and v = 0
    both.lines.push_back(all.front().lines.front());
    all.erase(all.begin());
  }
  all.push_back(std::move(both));
  return all;
}

std::vector<Nullcline> fieldNullclines(const FlowState& state) {
  const render::Rect& v = state.view;
  std::vector<Nullcline> all;
  for (const int component : {0, 1}) {
    Nullcline one{component == 0 ? NullclineKind::First : NullclineKind::Second, {}};
    for (const auto& found :
         dynamics::nullcline(*state.field, state.parameters, component, {v.min.x, v.max.x, v.min.y, v.max.y}, 120)) {
      Line line;
      for (const auto& place : found)
        line.push_back({place[0], place[1]});
      one.lines.push_back(std::move(line));
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<Nullcline> nullclinesOf(const FlowState& state) {
  return state.canonical ? canonicalNullclines(state) : fieldNullclines(state);
}

render::Stroke strokeOf(const Theme& theme, NullclineKind of) {
  const render::Dash dash = of == NullclineKind::First    ? render::Dash::Dashed
                            : of == NullclineKind::Second ? render::Dash::Dotted
                                                          : render::Dash::Solid;
  return {theme.text, theme.lineWidth + (of == NullclineKind::Second ? 0.75f : 0.0f), dash};
}

/// "e′ = 0"
std::string nameOfLine(const FlowState& state, NullclineKind of) {
  const std::vector<std::string>& names = state.field->info().variables;
  if (of == NullclineKind::Both) return names[0] + "′ = " + names[1] + "′ = 0";
  return names[of == NullclineKind::First ? 0 : 1] + "′ = 0";
}

/// Adds the name at the first place along the line, from its ends inwards, that has room.
void addName(const FlowFrame& frame, LabelPlacer& room, const Nullcline& one, std::vector<render::Item>& labels) {
  const Camera camera = frame.camera();
  const float size = frame.theme.smallSize;
  for (const double share : {0.93, 0.07, 0.8, 0.2, 0.65, 0.35})
    for (const Line& line : one.lines) {
      const double place = share * static_cast<double>(line.size() - 1);
      const auto i = std::min(static_cast<std::size_t>(place), line.size() - 2);
      const double part = place - static_cast<double>(i);
      const render::Point data{line[i].x + part * (line[i + 1].x - line[i].x),
                               line[i].y + part * (line[i + 1].y - line[i].y)};
      if (auto label = room.place(toPage(camera, data), nameOfLine(frame.state, one.of), size, frame.theme.text)) {
        labels.emplace_back(std::move(*label));
        return;
      }
    }
}

/// Lines on which both components vanish coincide with critical sets. They are thin, so that the colours of the sets
/// remain visible.
void addNullcline(const FlowFrame& frame, std::vector<render::Item>& items, NullclineKind of, const Line& line) {
  if (of != NullclineKind::Both) {
    addLine(items, line, strokeOf(frame.theme, of), frame);
    return;
  }
  for (ClippedLine& piece : clipLine(line, {}, drawnWindow(frame.state.view)))
    items.push_back(render::Polyline{std::move(piece.points), {frame.theme.text, 1, render::Dash::Solid}, {}});
}

class NullclineLayer final : public PlaneLayer {
 public:
  NullclineLayer() : PlaneLayer("flow.show.nullclines") {}
  void declare(PropertyRegistry& registry, const FlowShared&) override {
    // clang-format off
    declareParameters(registry, {.applies = declaring::onPlane(), .formulaApplies = canonical}, {
        {.key = "flow.show.nullclines", .label = N_("Nullclines"), .fallback = false,
         .help = N_("Curves on which one component of the flow is 0. Paths cross the dashed lines vertically and the "
                    "dotted ones horizontally. They meet at fixed points."),
         .formula = "\\frac{de}{dt} &= -2\\,\\Lambda'(S)\\,e\\,(1+2w|w|) \\\\ \\frac{dw}{dt} &= "
                    "-4\\,\\Lambda'(S)\\,e^2\\,|w|",
         .errata = {"l2g-8"}}});
    // clang-format on
  }
  void views(const FlowFrame& frame, PlaneViews& into) const override {
    if (!shown_) return;
    const auto draw = [](const FlowFrame& plane) {
      std::vector<render::Item> items, labels;
      LabelPlacer room(plane, boxesOver(plane));
      for (const Nullcline& one : nullclinesOf(plane.state)) {
        for (const Line& line : one.lines)
          addNullcline(plane, items, one.of, line);
        if (one.of != NullclineKind::Both && !plane.layout.tiny) addName(plane, room, one, labels);
      }
      append(items, std::move(labels));
      return items;
    };
    into.add(PlaneLevel::Lines, "nullclines",
             Digest().add(frame.state.field.get(), frame.state.parameters, boxesOver(frame)), draw);
  }
  void legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const override {
    if (!shown_ || !frame.layout.legendOpen) return;
    for (const NullclineKind of : {NullclineKind::First, NullclineKind::Second, NullclineKind::Both}) {
      if (of == NullclineKind::Both && !frame.state.canonical) continue;
      if (of == NullclineKind::First && frame.state.degenerate()) continue;  // its line consists of fixed points
      const render::Stroke stroke = strokeOf(frame.theme, of);
      const std::string name = nameOfLine(frame.state, of);
      rows.push_back(
          overlay::lineRow(stroke.color, stroke.dash, of == NullclineKind::Both ? name + tr(": at rest") : name));
    }
  }
  void numbers(const FlowState& state, Numbers& numbers) const override {
    if (!shown_) return;
    const std::vector<std::string>& names = state.field->info().variables;
    Table table{"nullclines",
                {textColumn("component"), numberColumn("branch"), numberColumn(names[0]), numberColumn(names[1])}};
    double branches = 0;
    for (const Nullcline& one : nullclinesOf(state))
      for (const Line& line : one.lines) {
        ++branches;
        for (const render::Point point : line)
          addRow(table, one.of == NullclineKind::Both ? "both" : names[one.of == NullclineKind::First ? 0 : 1],
                 branches, point.x, point.y);
      }
    numbers.tables.push_back(std::move(table));
  }
  std::string caption(const FlowState& state) const override {
    if (!shown_) return {};
    return filled(filled(tr("nullclines: dashed {a}, dotted {b}"), "{a}", nameOfLine(state, NullclineKind::First)),
                  "{b}", nameOfLine(state, NullclineKind::Second));
  }
};

}  // namespace

std::unique_ptr<PlaneLayer> makeNullclineLayer() {
  return std::make_unique<NullclineLayer>();
}

namespace {

/// The name of the origin of the selected point, written beside its backward path, as near to the origin as it has
/// room.
std::optional<render::Label> originLabel(const FlowFrame& frame) {
  const int selected = frame.marked();
  if (selected < 0 || static_cast<std::size_t>(selected) >= frame.results.points()) return std::nullopt;
  const PointResult& point = frame.results.point(static_cast<std::size_t>(selected));
  if (!point.back || point.back->path.size() < 2) return std::nullopt;
  const Camera camera = frame.camera();
  const float size = frame.theme.smallSize;
  const std::string words = originWords(frame.state, point);
  const double half = 0.5 * textWidth(words, size) + 3;
  LabelPlacer room(frame);
  if (frame.layout.legendBox) room.take(*frame.layout.legendBox);
  if (frame.layout.squareBox) room.take(*frame.layout.squareBox);
  const render::Rect& plot = frame.layout.plot;
  room.take({{plot.min.x, plot.max.y - 4 * size}, plot.max});  // the place of the read-out
  std::size_t last = 0;                                        // leading points of the path inside the window
  while (last < point.back->path.size() && frame.state.view.contains(point.back->path[last]))
    ++last;
  for (std::size_t i = last; i-- > 1;) {
    const render::Point page = toPage(camera, point.back->path[i]);
    for (const render::Point away : {render::Point{half + 9, 0}, render::Point{-half - 9, 0}, render::Point{0, -14},
                                     render::Point{0, 16}, render::Point{0, 0}})
      if (auto label = room.place({page.x + away.x, page.y + away.y}, words, size, frame.theme.text)) return label;
  }
  return std::nullopt;
}

class BackwardPathLayer final : public PlaneLayer {
 public:
  BackwardPathLayer() : PlaneLayer("flow.show.backward") {}  // its property is declared with the points
  void views(const FlowFrame& frame, PlaneViews& into) const override {
    if (!shown(frame)) return;
    Digest of = Digest().add(frame.results.pathsRevision(), frame.state.selected);
    for (const FlowPoint& point : frame.state.points)
      of.add(point.color);
    into.add(PlaneLevel::Lines, "ways back", of, backwardPathItems, false);
    into.add(PlaneLevel::Lines, "origins", Digest(of).add(frame.layout.legendBox), originItems, false);
  }

  void legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const override {
    if (!shown(frame) || !frame.layout.legendOpen) return;
    rows.push_back(overlay::lineRow(frame.theme.text, render::Dash::Dashed, tr("backward path of a point")));
  }
  std::string caption(const FlowState& state) const override {
    return state.showBackward && !state.points.empty() ? tr("dashed: the backward path of a point") : "";
  }

 private:
  static bool shown(const FlowFrame& frame) { return frame.state.showBackward && !frame.state.points.empty(); }

  static std::vector<render::Item> backwardPathItems(const FlowFrame& frame) {
    std::vector<render::Item> items;
    for (std::size_t i = 0; i < frame.results.points() && i < frame.state.points.size(); ++i) {
      const PointResult& point = frame.results.point(i);
      if (!point.back) continue;
      const bool selected = static_cast<int>(i) == frame.marked();
      const render::Color color =
          ownColor(frame.state.points[i]).value_or(selected ? frame.theme.selection : frame.theme.text);
      addLine(items, point.back->path,
              {faded(color, 0.8f), frame.theme.lineWidth + (selected ? 1.0f : 0.25f), render::Dash::Dashed}, frame);
    }
    return items;
  }

  static std::vector<render::Item> originItems(const FlowFrame& frame) {
    std::vector<render::Item> items;
    for (std::size_t i = 0; i < frame.results.points() && i < frame.state.points.size(); ++i) {
      const PointResult& point = frame.results.point(i);
      if (!point.back || point.back->path.size() < 2) continue;
      const std::optional<render::Point>& origin = point.back->origin;
      if (origin && nearWindow(frame, *origin))
        items.push_back(render::Marker{*origin, kindShape(point.back->kind), 10, frame.theme.plotBackground,
                                       kindColor(frame.theme, point.back->kind), 2});
    }
    if (std::optional<render::Label> label = originLabel(frame)) items.push_back(*std::move(label));
    return items;
  }
};

}  // namespace

std::unique_ptr<PlaneLayer> makeBackwardPathLayer() {
  return std::make_unique<BackwardPathLayer>();
}

}  // namespace sepx::ui
