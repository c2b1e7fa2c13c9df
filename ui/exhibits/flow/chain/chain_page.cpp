// SPDX-License-Identifier: Apache-2.0
// The page of (p,q): the square with a quantity that varies over it, sigma as a third control, P(I_min) against sigma,
// and a path across p + q = 1 with a head that plays along it. The document holds the place, the path and the head; the
// page owns gestures and the clock of the playing head. Frame thread.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/exhibits/flow/chain/chain_charts.h"
#include "ui/exhibits/flow/chain/chain_declare.h"
#include "ui/exhibits/flow/chain/chain_results.h"
#include "ui/exhibits/flow/chain/chain_square.h"
#include "ui/exhibits/flow/shared/drag_input.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

class ChainPage final : public FlowPage {
 public:
  ChainPage() : FlowPage({"chain", N_("Chains"), "flow.chain."}, {.points = false, .cloud = true, .paths = false}) {}
  PageFacts facts(const FlowShared& shared) const override;
  void declare(PropertyRegistry& registry, const FlowShared&) override { declareChain(registry, state_, chain_); }
  void read(const Document& document, const PropertyRegistry& registry, const FlowShared& shared) override;
  Cursor input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  std::vector<Command> commands(const FlowShared& shared, const Document& document) override;
  FlowMoves moves(const Document&) override;

  static constexpr double kSeconds = 8;  ///< duration of a play from start to end at speed 1

 private:
  void ask(const FlowPageFrame& frame, ExhibitContext& context) override;
  Views views(const FlowPageFrame& frame) const override;
  Numbers numbers() const;
  std::string caption() const;
  std::string status() const;
  Camera camera(const PageArea& area) const;
  ChainSquare squareIn(const ViewPlace& place, bool compact) const;
  std::vector<ViewHandle> handles() const;
  void addSquare(Views& into, const FlowPageFrame& frame) const;
  void addWords(Views& into) const;
  void nudge(ExhibitContext& context, const KeyPressed& event);
  void togglePlay(ExhibitContext& context);
  void play(ExhibitContext& context);
  void finishFollowing(ExhibitContext& context);

  ChainState state_;
  ChainResults chain_;
  bool playing_ = false;
  std::optional<double> lastSeconds_;
  std::optional<markov::Chain> followedFrom_;  ///< the document's place before it began to follow
};

}  // namespace

std::unique_ptr<FlowPage> makeChainPage(const FlowShared&) {
  return std::make_unique<ChainPage>();
}

void ChainPage::read(const Document& document, const PropertyRegistry& registry, const FlowShared& shared) {
  state_ = readChainState(document, registry, shared.state);
}

/// Advances the head. If p and q of the document follow it, no undo step is made before the end.
void ChainPage::play(ExhibitContext& context) {
  Document now = context.editor.document();
  const double passed = lastSeconds_ ? std::max(0.0, context.seconds - *lastSeconds_) : 0;
  lastSeconds_ = context.seconds;
  const double head = std::min(state_.head + passed * state_.speed / kSeconds, 1.0);
  now = now.with("flow.chain.path.at", head);
  if (state_.follow) {
    const markov::Chain at = state_.path.at(head);
    if (!followedFrom_) followedFrom_ = state_.chain;
    now = now.with("flow.p", at.p).with("flow.q", at.q);
  }
  context.editor.replace(std::move(now));
  if (head < 1) return;
  playing_ = false;
  finishFollowing(context);
}

/// Turns the whole motion of p and q into one undo step: p and q are set back to where they began without a step, then
/// to where they are with one.
void ChainPage::finishFollowing(ExhibitContext& context) {
  lastSeconds_.reset();
  if (!followedFrom_) return;
  const markov::Chain from = *std::exchange(followedFrom_, std::nullopt);
  const Document there = context.editor.document();
  context.editor.seal();
  context.editor.replace(there.with("flow.p", from.p).with("flow.q", from.q));
  context.editor.commit(there, tr("follow the path through p and q"));
  context.editor.seal();
}

void ChainPage::togglePlay(ExhibitContext& context) {
  if (playing_) {
    playing_ = false;
    finishFollowing(context);
    return;
  }
  playing_ = true;
  lastSeconds_.reset();
  if (state_.head >= 1) context.editor.replace(context.editor.document().with("flow.chain.path.at", 0.0));
}

/// Arrow keys move the place, with Shift in coarse steps; PageUp and PageDown change sigma.
void ChainPage::nudge(ExhibitContext& context, const KeyPressed& event) {
  const double step = event.modifiers.shift ? 0.05 : 0.005;
  const std::optional<std::array<int, 3>> way = directionOf(event.key);
  if (!way || event.modifiers.ctrl || event.modifiers.alt) return;
  if (!event.down) return context.editor.seal();
  const Document& now = context.editor.document();
  if ((*way)[2] != 0) {
    constexpr double kFactor = 1.1;
    const double sigma = std::clamp(state_.sigma * std::pow(kFactor, (*way)[2]), 0.001, 10.0);
    return context.editor.commit(now.with("flow.gauss.sigma", std::round(sigma * 1e4) / 1e4), tr("change σ"),
                                 "flow.chain.nudge");
  }
  const markov::Chain to = roundedChain(state_.chain.p + step * (*way)[0], state_.chain.q + step * (*way)[1], false);
  context.editor.commit(now.with("flow.p", to.p).with("flow.q", to.q), tr("move p and q"), "flow.chain.nudge");
}

Cursor ChainPage::input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) {
  const auto* const press = std::get_if<PointerPressed>(&event);
  if (press && press->down && press->button == Button::Left && playing_) togglePlay(context);
  if (const auto* const key = std::get_if<KeyPressed>(&event)) nudge(context, *key);
  return inputViews(frame, context, event);
}

PageFacts ChainPage::facts(const FlowShared&) const {
  return {.complete = chain_.complete(),
          .playing = playing_,
          .moving = playing_,
          .playSeconds = kSeconds / state_.speed,
          .status = [this] { return status(); },
          .caption = [this] { return caption(); },
          .numbers = [this] { return numbers(); },
          .gestures =
              [this] {
                Gestures all = board().gestures();
                all.emplace_back(tr("Double-click in the square"), tr("go there and show its plane"));
                all.emplace_back(tr("Arrow keys"), tr("move p and q, with Shift in steps of 0.05"));
                all.emplace_back(tr("PageUp, PageDown"), tr("change σ"));
                return all;
              }};
}

void ChainPage::panel(const FlowPageFrame&, ExhibitContext&, PagePanel& panel) {
  panel.group(tr("Over the square"), "flow.", {"chain.show", "gauss.sigma", "chain.model", "chain.contours"});
  panel.group(
      tr("At this p and q"), "flow.",
      {"entropy.gap", "chain.probability", "chain.excess", "S_star", "chain.distance", "chain.time", "chain.clock"});
  panel.group(tr("P(local minimum) against σ"), "flow.", {"chain.counts", "chain.samples", "gauss.seed"});
  panel.group(tr("A path across the line"), "flow.chain.",
              {"path.show", "path.p0", "path.q0", "path.p1", "path.q1", "path.at", "follow", "head.gap",
               "head.probability", "head.excess", "head.time"});
}

std::vector<FlowPage::Command> ChainPage::commands(const FlowShared&, const Document&) {
  /// Sets one end of the path to the chain of the page.
  const auto pathAt = [this](const char* end, const char* label) {
    return [this, end, label](ExhibitContext& context) {
      const std::string key = "flow.chain.path.";
      commitStep(context,
                 context.editor.document().with(key + "p" + end, state_.chain.p).with(key + "q" + end, state_.chain.q),
                 tr(label));
    };
  };
  // Mirrors (p,q) at the line p + q = 1: (p,q) -> (1-q, 1-p).
  const auto mirror = [this](ExhibitContext& context) {
    const auto opposite = [](double value) { return std::clamp(std::round((1 - value) * 1e9) / 1e9, 1e-6, 1 - 1e-6); };
    commitStep(
        context,
        context.editor.document().with("flow.p", opposite(state_.chain.q)).with("flow.q", opposite(state_.chain.p)),
        tr("cross p + q = 1"));
  };
  return {{"flow.chain-start-here", tr("Path starts at this p and q"), "", tr("Exhibit"), true,
           pathAt("0", N_("start the path here"))},
          {"flow.chain-end-here", tr("Path ends at this p and q"), "", tr("Exhibit"), true,
           pathAt("1", N_("end the path here"))},
          {"flow.chain-mirror", tr("Cross to the other side of p + q = 1"), "M", tr("Exhibit"),
           !state_.chain.degenerate(), mirror}};
}

/// The whole square is always shown, so there is no zoom.
FlowMoves ChainPage::moves(const Document&) {
  return {.play = [this](ExhibitContext& context) { togglePlay(context); },
          .reset =
              [](ExhibitContext& context) {
                context.editor.replace(context.editor.document().with("flow.chain.path.at", 0.0));
              }};
}

namespace {

std::string modelWords(markov::Model model) {
  return markov::hasAttention(model) ? "(e, w, a)" : "(e, w)";
}

Table placeTable(const ChainReading& here, double sigma) {
  Table table{"place",
              {numberColumn("p"), numberColumn("q"), numberColumn("sigma"), numberColumn("gap", "nats"),
               numberColumn("probability"), numberColumn("excess", "nats"), numberColumn("S_star"),
               numberColumn("nearest_e"), numberColumn("nearest_w"), numberColumn("distance"), numberColumn("time")}};
  addRow(table, here.chain.p, here.chain.q, sigma, here.gap, here.probability, here.excess, here.S_star, here.nearest.e,
         here.nearest.w, here.distance, here.time);
  return table;
}

Table pathValuesTable(const ChainPathValues& along) {
  Table table{"path",
              {numberColumn("t"), numberColumn("p"), numberColumn("q"), numberColumn("gap", "nats"),
               numberColumn("probability"), numberColumn("excess", "nats"), numberColumn("time")}};
  for (std::size_t i = 0; i < along.at.size(); ++i) {
    const ChainReading& at = along.at[i];
    addRow(table, along.t[i], at.chain.p, at.chain.q, at.gap, at.probability, at.excess, at.time);
  }
  return table;
}

const char* sideName(bool above) {
  return above ? "p+q>1" : "p+q<1";
}

Table curveTable(const ChainCurves& curves) {
  Table table{"curves", {textColumn("model"), textColumn("side"), numberColumn("sigma"), numberColumn("probability")}};
  for (const ChainCurve& curve : curves.curves)
    for (std::size_t i = 0; i < curve.sigma.size(); ++i)
      addRow(table, markov::modelName(curve.model), sideName(curve.above), curve.sigma[i], curve.probability[i]);
  return table;
}

Table countTable(const ChainCurves& curves) {
  Table table{"counts",
              {textColumn("model"), textColumn("side"), numberColumn("sigma"), numberColumn("hits"),
               numberColumn("samples"), numberColumn("low"), numberColumn("high")}};
  for (const ChainCount& count : curves.counts)
    addRow(table, markov::modelName(count.model), sideName(count.above), count.sigma,
           static_cast<double>(count.share.hits), static_cast<double>(count.share.samples), count.share.low,
           count.share.high);
  return table;
}

}  // namespace

Numbers ChainPage::numbers() const {
  Numbers numbers;
  numbers.tables.push_back(placeTable(chain_.reading(state_.chain), state_.sigma));
  if (state_.showPath && !chain_.along().at.empty()) numbers.tables.push_back(pathValuesTable(chain_.along()));
  if (!chain_.curves().curves.empty()) numbers.tables.push_back(curveTable(chain_.curves()));
  if (!chain_.curves().counts.empty()) numbers.tables.push_back(countTable(chain_.curves()));
  const ChainPicture& picture = chain_.picture();
  if (picture.values) {
    const auto size = static_cast<std::size_t>(picture.request.size);
    const bool power = picture.request.quantity == ChainQuantity::Time;
    numbers.grids.push_back({std::string(power ? "log10_" : "") + quantityWord(picture.request.quantity),
                             {size, size},
                             std::vector<double>(picture.values->begin(), picture.values->end())});
  }
  return numbers;
}

std::string ChainPage::caption() const {
  const std::string sigma = "σ = " + chainNumber(state_.sigma, 3);
  std::string text = fmt::format("{}: {}", tr("The square of the Markov chains (p, q)"), quantityName(state_.show));
  if (state_.show == ChainQuantity::Excess)
    text += fmt::format(", P(I_min)·(H(π) − H(x′|x)) {} N(0, σ²I), {}, {}", tr("for initialisations"), sigma,
                        modelWords(state_.model));
  if (state_.show == ChainQuantity::Time)
    text += fmt::format(" {}, {}, {}", tr("(median of nine Gaussian initial points)"), sigma, modelWords(state_.model));
  text += fmt::format("; {} p = {}, q = {}.", tr("the dot is at"), shownProbability(state_.chain.p, 3),
                      shownProbability(state_.chain.q, 3));
  if (!board().boxOf("curve")) return text;  // a small figure shows only the square
  text +=
      std::string(" ") + tr("Lines: P(local minimum) by quadrature of the exact basins, on either side of p + q = 1.");
  if (state_.counts)
    text += fmt::format(" {} {} {}", tr("Marks: counts of"), state_.samples,
                        tr("integrated orbits with their 95 % intervals."));
  return text;
}

std::string ChainPage::status() const {
  if (state_.chain.degenerate()) return tr("p + q = 1: degenerate, nothing to learn from the last symbol");
  const ChainReading here = chain_.reading(state_.chain);
  std::string text =
      fmt::format("p = {}, q = {}", shownProbability(state_.chain.p, 3), shownProbability(state_.chain.q, 3));
  if (here.probability)
    text += fmt::format(" · P(I_min) = {} · {} {} nats", shownProbability(*here.probability, 3), tr("excess"),
                        chainNumber(*here.excess, 3));
  return text;
}

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
                           chain_.curvesRevision(), chain_.pathValuesRevision(), chain_.placesRevision())
                      .value());
}

/// What can be dragged over the square: the place, the marker on the path, and both ends of the path.
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
                   .gesture = pathGesture()});
  all.push_back(handle(path.at(0), N_("move the start of the path"), "flow.chain.path.p0", "flow.chain.path.q0"));
  all.push_back(handle(path.at(1), N_("move the end of the path"), "flow.chain.path.p1", "flow.chain.path.q1"));
  all.back().gesture = {tr("Drag an end of the path"), tr("move it")};
  all.push_back(anywhere);
  return all;
}

/// Adds the square with its colours, and the places over it.
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
    lines.emplace_back(tr("click: go there; double-click: also show the plane"));
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

/// Adds the quantities at the document's place, and a text on what does not vary over the square.
void ChainPage::addWords(Views& into) const {
  TextContent here, whole;
  here.lines = readingLines(chain_.reading(state_.chain));
  here.columns = 14;
  whole.lines = {
      {{tr("What is the same on each side of the line p + q = 1:")}},
      {{tr("Orbits as curves and energy contours do not depend on p and q. Basins depend only on the sign of p + q − "
           "1, so P(local minimum) depends only on σ and that sign. p and q set the direction of the flow, its time "
           "scale, and where on its orbit the global minimum lies.")},
       NoteLine::Role::Muted}};
  into.views.push_back({"words", std::move(here)});
  into.views.push_back({"explanation", std::move(whole)});
}

/// Two columns if there is room for two, else one. A part that certainly has no room is left out: its least height is
/// that of the whole page.
Views ChainPage::views(const FlowPageFrame& frame) const {
  constexpr double kTwoWide = 42, kTwoHigh = 20, kAlongHigh = 27;  // text sizes: least for two columns, for the plots
  constexpr double kCurveBelow = 30, kCurveWide = 24;              // one column: least, with the curve below the square
  constexpr double kCurveBeside = 11;                              // a low page: least width of the curve
  constexpr double kWordsWide = 15, kLeastCurve = 10;
  const Theme& theme = frame.theme;
  const double unit = theme.textSize, width = frame.area.width(), height = frame.area.height();
  Views made;
  made.camera = [this](const PageArea& area) { return camera(area); };
  addSquare(made, frame);
  addWords(made);
  made.views.push_back({"curve", curveChart(state_, chain_, theme)});
  made.views.push_back({"legend", LegendContent{curveLegend(state_, theme)}});
  Arrangement square{.kind = Arrangement::Kind::Stack, .parts = {viewNamed("square"), viewNamed("places")}};
  Arrangement along = addPathCharts(made, state_, chain_, theme);
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
  const double note = 1.6 * static_cast<double>(theme.smallSize);  // the line on what was left out
  if (const double wide = squareWidth(height - note, theme); !both && width - wide >= kCurveBeside * unit) {
    // A low page has the curve beside the square.
    square.length = wide;
    along.leastHeight = explanation.leastHeight = height;
    plot.parts.front().order = 1;  // the legend is left out first: a flat curve is useless
    plot.parts.front().called = tr("the legend");
    plot.parts.back().leastHeight = kLeastCurve * unit;
    Arrangement row{.kind = Arrangement::Kind::Row, .parts = {std::move(square), std::move(plot)}};
    made.arrangement = {.kind = Arrangement::Kind::Column, .parts = {std::move(row), std::move(explanation)}};
    if (state_.showPath) made.arrangement.parts.push_back(std::move(along));
    return made;
  }
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
