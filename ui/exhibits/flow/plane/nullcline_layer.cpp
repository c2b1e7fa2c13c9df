// SPDX-License-Identifier: Apache-2.0
// Nullclines: where one component of the flow vanishes. In the canonical plane both components carry the factor
// -Lambda'(S), so that Theta* and e = 0 are of both; e' = -2 Lambda' e v vanishes also where v = 0 (w = -1/sqrt 2), and
// w' = -4 Lambda' e^2 |w| where w = 0. Other fields by marching on a grid. Made within the frame. Frame thread.
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/dynamics/nullclines.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using Line = std::vector<render::Point>;

/// Which component vanishes on a line.
enum class Of { First, Second, Both };

struct Nullcline {
  Of of = Of::First;
  std::vector<Line> lines;
};

std::vector<Nullcline> canonicalNullclines(const FlowState& state) {
  const render::Rect& v = state.view;
  const double saddle = -1 / std::sqrt(2.0);
  Nullcline both{Of::Both, {{{0, v.min.y}, {0, v.max.y}}}};
  for (const markov::Curve& curve : criticalSetsOf(state).curves)
    if (curve.kind == markov::LimitKind::GlobalMin) both.lines.push_back(asPoints(curve.points));
  std::vector<Nullcline> all{{Of::First, {{{v.min.x, saddle}, {v.max.x, saddle}}}},
                             {Of::Second, {{{v.min.x, 0}, {v.max.x, 0}}}}};
  if (state.degenerate()) {  // S* = 0: Theta* is e = 0 together with v = 0
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
    Nullcline one{component == 0 ? Of::First : Of::Second, {}};
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

render::Stroke strokeOf(const Theme& theme, Of of) {
  const render::Dash dash = of == Of::First    ? render::Dash::Dashed
                            : of == Of::Second ? render::Dash::Dotted
                                               : render::Dash::Solid;
  return {theme.text, theme.lineWidth + (of == Of::Second ? 0.75f : 0.0f), dash};
}

/// "e′ = 0"
std::string nameOfLine(const FlowState& state, Of of) {
  const std::vector<std::string>& names = state.field->info().variables;
  if (of == Of::Both) return names[0] + "′ = " + names[1] + "′ = 0";
  return names[of == Of::First ? 0 : 1] + "′ = 0";
}

/// The name at the line's first place, from its end inwards, that has room.
void addName(const FlowFrame& frame, LabelRoom& room, const Nullcline& one, std::vector<render::Item>& labels) {
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

/// Where both vanish the critical sets lie: a thin line on them leaves their colours to be seen.
void addNullcline(const FlowFrame& frame, std::vector<render::Item>& items, Of of, const Line& line) {
  if (of != Of::Both) {
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
                    "dotted ones horizontally. Where they meet is a fixed point."),
         .formula = "\\frac{de}{dt} &= -2\\,\\Lambda'(S)\\,e\\,(1+2w|w|) \\\\ \\frac{dw}{dt} &= "
                    "-4\\,\\Lambda'(S)\\,e^2\\,|w|",
         .errata = {"l2g-8"}}});
    // clang-format on
  }
  void parts(const FlowFrame& frame, std::vector<PlanePart>& into) const override {
    if (!shown_) return;
    LayerKey key{bits(frame.state.field.get())};
    for (const double parameter : frame.state.parameters)
      key.push_back(bits(parameter));
    for (const std::uint64_t part : boxesKey(frame))
      key.push_back(part);
    into.push_back({"nullclines", PlaneLevel::Lines, std::move(key), [&frame] {
                      std::vector<render::Item> items, labels;
                      LabelRoom room(frame, boxesOver(frame));
                      for (const Nullcline& one : nullclinesOf(frame.state)) {
                        for (const Line& line : one.lines)
                          addNullcline(frame, items, one.of, line);
                        if (one.of != Of::Both && !frame.layout.tiny) addName(frame, room, one, labels);
                      }
                      std::move(labels.begin(), labels.end(), std::back_inserter(items));
                      return items;
                    }});
  }
  void legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const override {
    if (!shown_ || !frame.layout.legendOpen) return;
    for (const Of of : {Of::First, Of::Second, Of::Both}) {
      if (of == Of::Both && !frame.state.canonical) continue;
      if (of == Of::First && frame.state.degenerate()) continue;  // its line is at rest there
      const render::Stroke stroke = strokeOf(frame.theme, of);
      const std::string name = nameOfLine(frame.state, of);
      rows.push_back(overlay::lineRow(stroke.color, stroke.dash, of == Of::Both ? name + tr(": at rest") : name));
    }
  }
  LayerKey legendKey(const FlowFrame&) const override { return {shown_}; }
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
          addRow(table, one.of == Of::Both ? "both" : names[one.of == Of::First ? 0 : 1], branches, point.x, point.y);
      }
    numbers.tables.push_back(std::move(table));
  }
  std::string caption(const FlowState& state) const override {
    if (!shown_) return {};
    return filled(filled(tr("nullclines: dashed {a}, dotted {b}"), "{a}", nameOfLine(state, Of::First)), "{b}",
                  nameOfLine(state, Of::Second));
  }
};

}  // namespace

std::unique_ptr<PlaneLayer> makeNullclineLayer() {
  return std::make_unique<NullclineLayer>();
}

}  // namespace sepx::ui
