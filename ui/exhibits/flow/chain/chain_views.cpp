// SPDX-License-Identifier: Apache-2.0
// What the page of (p,q) shows, and what is dragged in it.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/exhibits/flow/chain/chain_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

ChainSquare ChainPage::squareIn(const ViewPlace& place, bool compact) const {
  return {state_, chain_, place, compact};
}

Camera ChainPage::camera(const PageArea& area) const {
  return squareIn({board().boxOf("places").value_or(area.area), area.theme}, area.compact).camera();
}

void ChainPage::ask(const FlowPageFrame& frame, ExhibitContext& context) {
  if (playing_) play(context);
  state_ = readChainState(context.editor.document(), context.editor.properties(), frame.state());
  std::optional<markov::Chain> hover;
  if (const Camera square = camera(frame); frame.pointer && !frame.figure && !board().drags() &&
                                           board().boxOf("places") && square.plot.contains(*frame.pointer)) {
    const render::Point at = toData(square, *frame.pointer);
    hover = roundedChain(at.x, at.y, false);
  }
  chain_.update(state_, hover, context);
  results_.follow(Digest()
                      .add(state_.chain.p, state_.chain.q, state_.head, chain_.pictureRevision(),
                           chain_.curvesRevision(), chain_.alongRevision(), chain_.placesRevision())
                      .value());
}

/// What is dragged over the square: the place, the marker on the path, both ends of the path.
std::vector<ViewHandle> ChainPage::handles() const {
  const auto handle = [](const markov::Chain& at, const char* label, const std::string& p, const std::string& q) {
    return ViewHandle{.label = tr(label),
                      .keys = {p, q},
                      .at = render::Point{at.p, at.q},
                      .changes = [p, q](render::Point to, bool coarse) {
                        const markov::Chain chain = roundedChain(to.x, to.y, coarse);
                        return Changes{{p, chain.p}, {q, chain.q}};
                      }};
  };
  ViewHandle here = handle(state_.chain, N_("move p and q"), "flow.p", "flow.q");
  ViewHandle anywhere = here;
  anywhere.at.reset();
  anywhere.follows = true;
  anywhere.gesture = {tr("Click in the square"), tr("go to that p and q")};
  if (!state_.showPath) return {here, anywhere};
  const ChainPath path = state_.path;
  const markov::Chain at = path.at(state_.head);
  std::vector<ViewHandle> all{here};
  if (state_.head > 0 && state_.head < 1)
    all.push_back({.keys = {"flow.chain.path.at"},
                   .at = render::Point{at.p, at.q},
                   .changes =
                       [path](render::Point to, bool) {
                         const double dp = path.p1 - path.p0, dq = path.q1 - path.q0, length = dp * dp + dq * dq;
                         if (!(length > 0)) return Changes();
                         const double place = ((to.x - path.p0) * dp + (to.y - path.q0) * dq) / length;
                         return Changes{{"flow.chain.path.at", roundedPlace(place)}};
                       },
                   .undoable = false,
                   .gesture = alongGesture()});
  all.push_back(handle(path.at(0), N_("move the start of the path"), "flow.chain.path.p0", "flow.chain.path.q0"));
  all.push_back(handle(path.at(1), N_("move the end of the path"), "flow.chain.path.p1", "flow.chain.path.q1"));
  all.back().gesture = {tr("Drag an end of the path"), tr("move it")};
  all.push_back(anywhere);
  return all;
}

/// The square with its colours, and over it the places.
void ChainPage::addSquare(Views& into, const FlowPageFrame& frame) const {
  const bool compact = frame.compact;
  PictureContent square, places;
  square.of = Digest().add(chain_.pictureRevision(), state_.contours, compact).value();
  square.draw = [this, compact](const ViewPlace& place) { return squareItems(squareIn(place, compact)); };
  const ChainPath& path = state_.path;
  places.of = Digest()
                  .add(state_.chain.p, state_.chain.q, state_.showPath, path.p0, path.q0, path.p1, path.q1, state_.head,
                       compact)
                  .value();
  places.draw = [this, compact](const ViewPlace& place) { return placeItems(squareIn(place, compact)); };
  places.camera = [this, compact](const ViewPlace& place) { return squareIn(place, compact).camera(); };
  places.tip = [this](const ViewPlace& place, render::Point at, const render::Rect& area) {
    std::vector<render::Item> items;
    const Camera camera = squareIn(place, false).camera();
    if (!camera.plot.contains(at)) return items;
    const render::Point data = toData(camera, at);
    std::vector<std::string> lines;
    for (const NoteLine& line : readingLines(chain_.reading(roundedChain(data.x, data.y, false))))
      lines.push_back(fmt::format("{}", fmt::join(line.parts, " = ")));
    lines.emplace_back(tr("click: go there; double click: and to the plane"));
    addTip(items, at, lines, area, place.theme);
    return items;
  };
  places.handles = handles();
  places.twice = [this](Editor& editor, const ViewPlace& place, render::Point at) {
    if (!squareIn(place, false).square.contains(at)) return false;
    setAsStep(editor, "flow.page", std::string("plane"));
    return true;
  };
  into.views.push_back({"square", std::move(square)});
  into.views.push_back({"places", std::move(places)});
}

/// What is known at the place, and what does not vary over the square.
void ChainPage::addWords(Views& into) const {
  TextContent here, whole;
  here.lines = readingLines(chain_.reading(state_.chain));
  here.columns = 14;
  whole.lines = {
      {{tr("The same on the whole of either side of the line:")}},
      {{tr("Orbits as curves and energy contours do not depend on p and q, basins on the sign of p + q − 1 alone, so "
           "P(local minimum) depends on σ and that sign alone. p and q set the direction of the flow, its clock, and "
           "where on its orbit the global minimum lies.")},
       NoteLine::Role::Muted}};
  into.views.push_back({"words", std::move(here)});
  into.views.push_back({"explanation", std::move(whole)});
}

static std::string placeWords(const markov::Chain& chain) {
  return fmt::format("({}, {})", shownProbability(chain.p, 2), shownProbability(chain.q, 2));
}

/// Two columns where there is room for two, else one. What has no room for certain asks for all of the height.
Views ChainPage::views(const FlowPageFrame& frame) const {
  constexpr double kTwoWide = 42, kTwoHigh = 20, kAlongHigh = 27;  // sizes of the text: from there two columns, plots
  constexpr double kCurveBelow = 30, kCurveWide = 24;              // below the square; of one column with the curve
  constexpr double kWordsWide = 15, kLeastCurve = 10, kLeastAlong = 9;
  const Theme& theme = frame.theme;
  const double unit = theme.textSize, width = frame.area.width(), height = frame.area.height();
  Views made;
  made.camera = [this](const PageArea& area) { return camera(area); };
  addSquare(made, frame);
  addWords(made);
  made.views.push_back({"curve", curveChart(state_, chain_, theme)});
  made.views.push_back({"legend", LegendContent{curveLegend(state_, theme)}});
  Arrangement square{.kind = Arrangement::Kind::Stack, .parts = {viewNamed("square"), viewNamed("places")}};
  Arrangement along = gridOfViews(2, theme.space, {});
  for (std::size_t i = 0; state_.showPath && i < kAlongCharts; ++i) {
    const std::string name = "along" + std::to_string(i + 1);
    made.views.push_back({name, alongChart(state_, chain_, i, theme)});
    along.parts.push_back(viewNamed(name));
  }
  const ChainPath& path = state_.path;
  made.views.push_back({"ends", TextContent{.lines = {{{trFormat("from {} to {}; dashed: p + q = 1",
                                                                 placeWords(path.at(0)), placeWords(path.at(1)))},
                                                       NoteLine::Role::Muted}}}});
  along = {.kind = Arrangement::Kind::Column, .parts = {std::move(along), asHighAsContent("ends")}};
  along.parts.back().margin = theme.space / 2;
  along.called = tr("the four plots along the path");
  along.leastHeight = kLeastAlong * unit;
  along.order = 1;
  Arrangement legend = asHighAsContent("legend"), words = asHighAsContent("words"),
              explanation = asHighAsContent("explanation"), none = viewNamed("");
  legend.margin = words.margin = explanation.margin = theme.space;
  explanation.order = 1;
  explanation.called = tr("the explanation");
  Arrangement plot{.kind = Arrangement::Kind::Column, .parts = {legend, viewNamed("curve")}};
  plot.leastHeight = kLeastCurve * unit;
  plot.called = tr("P(local minimum) against σ");
  if (width >= kTwoWide * unit && height >= kTwoHigh * unit) {
    const bool both = state_.showPath && height > kAlongHigh * unit;
    square.weight = 0.62;
    along.weight = 0.38;
    if (!both) along.leastHeight = height;
    Arrangement left{.kind = Arrangement::Kind::Column, .parts = {std::move(square)}};
    if (state_.showPath) left.parts.push_back(std::move(along));
    left.length = std::min(squareWidth((both ? 0.62 : 1) * height, theme), 0.56 * width);
    Arrangement right{.kind = Arrangement::Kind::Column, .parts = {plot, words, explanation}};
    made.arrangement = {.kind = Arrangement::Kind::Row, .parts = {std::move(left), std::move(right)}};
    return made;
  }
  const bool both = height > kCurveBelow * unit && width > kCurveWide * unit;
  const double high = (both ? 0.57 : 1) * height;
  square.length = std::min(width, squareWidth(high, theme));
  none.leastHeight = 1;
  Arrangement side{.kind = Arrangement::Kind::Column, .parts = {words, explanation, none}};
  side.leastWidth = kWordsWide * unit;
  side.order = 1;
  side.called = explanation.called;
  Arrangement top{.kind = Arrangement::Kind::Row, .parts = {std::move(square), std::move(side)}, .weight = 0.57};
  plot.weight = 0.43;
  plot.order = 1;
  if (!both) plot.leastHeight = height;
  along.leastHeight = height;
  along.order = 2;
  made.arrangement = {.kind = Arrangement::Kind::Column, .parts = {std::move(top), std::move(plot)}};
  if (state_.showPath) made.arrangement.parts.push_back(std::move(along));
  return made;
}

}  // namespace sepx::ui
