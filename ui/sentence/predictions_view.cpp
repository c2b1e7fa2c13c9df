// SPDX-License-Identifier: Apache-2.0
// What the model predicts: ranked at the chosen place, and the likeliest token of every place.
#include "ui/sentence/predictions_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/sentence/tokens_view.h"

namespace sepx::ui {

namespace {

std::string nameOfToken(const SentencePass& pass, std::int32_t id) {
  return pass.tokens->words ? pass.tokens->words->shown(id) : shownId(id);
}

/// The document changes that put a token where it is predicted: at its place, or after the last token as more text.
Changes chosenPrediction(const SentenceKeys& keys, const SentencePass& pass, const SentenceState& state, int place,
                         std::int32_t id) {
  if (pass.tokens->image) return {};  // a class is not a token
  const int at = predictedBy(pass.forward->plan(), place);
  if (at < pass.tokens->size()) return replaced(keys, *pass.tokens, state, at, id);
  std::vector<std::int32_t> ids = pass.tokens->ids();
  ids.push_back(id);
  if (const SentenceWordsPointer& words = pass.tokens->words;
      words && !pass.tokens->text.empty() && state.edits.empty()) {
    const std::string more = pass.tokens->text + words->decode({id}).value_or(std::string());
    const auto again = words->encode(more, state.special);
    const bool same = again && again->size() == ids.size() &&
                      std::equal(ids.begin(), ids.end(), again->begin(), [](std::int32_t one, const auto& token) {
                        return static_cast<std::int32_t>(token.id) == one;
                      });
    if (same) return {{keys.of("text"), more}};
  }
  return {{keys.of("ids"), textOf(ids)}};
}

}  // namespace

std::string shareWords(double share) {
  if (!std::isfinite(share)) return "–";
  if (share < 0.0005) return "< 0.1 %";
  return share >= 0.0995 ? fmt::format("{:.0f} %", 100 * share) : shownShare(share);
}

std::string predictionTitle(const SentenceShown& shown) {
  const SentencePass& pass = shown.pass();
  const int place = shown.results.place();
  if (shown.places().empty()) return tr("This file has no predictions.");
  const PlacePredictions& at = shown.places()[static_cast<std::size_t>(place)];
  const std::string token = fmt::format("“{}” ({})", pass.tokens->tokens[static_cast<std::size_t>(place)].shown, place);
  const std::string entropy = std::isfinite(at.entropy) ? shownFixed(at.entropy, 2) : std::string("–");
  return predictsOwn(pass.forward->plan()) ? trFormat("at {}, entropy {} nats", token, entropy)
                                           : trFormat("after {}, entropy {} nats", token, entropy);
}

TableContent predictionsRanked(const SentenceShown& shown) {
  TableContent table;
  const SentencePassPointer pass = shown.results.pass();
  const int place = shown.results.place();
  const ChangedPass* const beside = shown.results.changed();
  const bool changed = beside && static_cast<std::size_t>(place) < beside->places.size();
  if (place < 0 || static_cast<std::size_t>(place) >= pass->places.size()) return table;
  const PlacePredictions& at = pass->places[static_cast<std::size_t>(place)];
  const bool narrow = shown.frame.area.width() < 80 * static_cast<double>(shown.theme().smallSize);
  const double room = narrow || changed ? 30 : 70;  // points, of the bars
  const char* const what = pass->tokens->image                  ? tr("class")
                           : predictsOwn(pass->forward->plan()) ? tr("token")
                                                                : tr("next token");
  table.columns = {{.title = what, .share = 2},
                   {.title = !changed                     ? std::string(tr("probability"))
                             : shown.state.second.empty() ? std::string(tr("whole model"))
                                                          : shown.source().title,
                    .share = 2,
                    .right = true,
                    .mark = room}};
  TableBars bars{.column = 1, .color = shown.theme().accent}, after{.column = 2, .color = shown.theme().localMin};
  if (changed) table.columns.push_back({.title = shown.changedName(), .share = 2, .right = true, .mark = room});
  const PlacePredictions* const then = changed ? &beside->places[static_cast<std::size_t>(place)] : nullptr;
  const std::vector<double> before = changed ? beside->before[static_cast<std::size_t>(place)] : std::vector<double>();
  // In the order of the model that is shown.
  const std::vector<forward::Prediction>& ranked = then ? then->best : at.best;
  std::vector<std::int32_t> ids;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const forward::Prediction& one = ranked[i];
    const double whole = !then ? one.probability : i < before.size() ? before[i] : std::nan("");
    std::vector<std::string> cells{nameOfToken(*pass, one.id), shareWords(whole)};
    bars.lengths.push_back(whole);
    if (then) {
      cells.push_back(shareWords(one.probability));
      after.lengths.push_back(one.probability);
    }
    table.cells.push_back(std::move(cells));
    ids.push_back(one.id);
  }
  table.bars.push_back(std::move(bars));
  if (then) table.bars.push_back(std::move(after));
  table.pick = [keys = shown.keys(), pass, ids, place, state = shown.state](std::size_t row) -> Changes {
    return row < ids.size() ? chosenPrediction(keys, *pass, state, place, ids[row]) : Changes();
  };
  return table;
}

TableContent predictionsByPlace(const SentenceShown& shown) {
  TableContent table;
  const SentencePassPointer pass = shown.results.pass();
  const bool own = predictsOwn(pass->forward->plan());
  table.columns = {{.title = "", .share = 0.9, .right = true},
                   {.title = own ? tr("token") : tr("after"), .share = 1.6},
                   {.title = tr("likeliest"), .share = 1.6},
                   {.title = "p", .share = 1.2, .right = true},
                   {.title = "H", .share = 1, .right = true},
                   {.title = own ? tr("p of token") : tr("p of next"), .share = 1.8, .right = true}};
  const std::vector<PlacePredictions>& places = shown.places();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const PlacePredictions& at = places[i];
    const bool some = !at.best.empty();
    std::string truth = at.truth ? shareWords(*at.truth) : std::string();
    if (at.rank > 1) truth += fmt::format("  #{}", at.rank);
    table.cells.push_back({std::to_string(i), pass->tokens->tokens[i].shown,
                           some ? nameOfToken(*pass, at.best.front().id) : std::string("–"),
                           some ? shareWords(at.best.front().probability) : std::string("–"),
                           some && std::isfinite(at.entropy) ? shownFixed(at.entropy, 2) : std::string("–"),
                           std::move(truth)});
  }
  table.chosen = static_cast<std::size_t>(std::max(0, shown.results.place()));
  table.pick = [keys = shown.keys(), pass](std::size_t row) {
    return placeChosen(keys, pass->forward->plan(), static_cast<int>(row));
  };
  return table;
}

}  // namespace sepx::ui
