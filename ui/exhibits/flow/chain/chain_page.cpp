// SPDX-License-Identifier: Apache-2.0
// The page of (p,q) put together: what it reads, the playing head, keys, panel, commands and numbers. What it shows is
// in chain_views.cpp.
#include "ui/exhibits/flow/chain/chain_page.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

std::unique_ptr<FlowPage> makeChainPage(const FlowShared&) {
  return std::make_unique<ChainPage>();
}

void ChainPage::read(const Document& document, const PropertyRegistry& registry, const FlowShared& shared) {
  state_ = readChainState(document, registry, shared.state);
}

/// The head goes on; while it takes the document's place along, no step is made of it before the end.
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

/// What was followed becomes one step: back to where it began without a step, then there with one.
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
                all.emplace_back(tr("Double click in the square"), tr("and show its plane"));
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
  /// The chain of the page as one end of the path.
  const auto pathAt = [this](const char* end, const char* label) {
    return [this, end, label](ExhibitContext& context) {
      const std::string key = "flow.chain.path.";
      commitStep(context,
                 context.editor.document().with(key + "p" + end, state_.chain.p).with(key + "q" + end, state_.chain.q),
                 tr(label));
    };
  };
  // The point opposite, at the same distance from the line: (p,q) -> (1-q, 1-p).
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

/// The square is always whole: nothing zooms.
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

Table alongTable(const ChainAlong& along) {
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
  if (state_.showPath && !chain_.along().at.empty()) numbers.tables.push_back(alongTable(chain_.along()));
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
    text += fmt::format(" {}, {}, {}", tr("(median of nine Gaussian starts)"), sigma, modelWords(state_.model));
  text += fmt::format("; {} p = {}, q = {}.", tr("the dot is at"), shownProbability(state_.chain.p, 3),
                      shownProbability(state_.chain.q, 3));
  if (!board().boxOf("curve")) return text;  // a small figure is the square alone
  text +=
      std::string(" ") + tr("Lines: P(local minimum) by quadrature of the exact basins, on either side of p + q = 1.");
  if (state_.counts)
    text += fmt::format(" {} {} {}", tr("Marks: counts of"), state_.samples,
                        tr("integrated starts with their 95 % intervals."));
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

}  // namespace sepx::ui
