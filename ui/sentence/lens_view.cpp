// SPDX-License-Identifier: Apache-2.0
// The logit lens: the predictions of the final norm and the head from the stream after every block.
#include "ui/sentence/lens_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/sentence/predictions_view.h"
#include "ui/sentence/tokens_view.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kLensColumns = 3;

std::string streamWords(int layer) {
  return layer == 0 ? std::string(tr("input")) : std::to_string(layer - 1);
}

/// Index of a layer at the row of the logits of the chosen place; empty: it has none.
std::optional<std::size_t> lensIndex(const SentenceShown& shown, int layer) {
  const forward::Lens& lens = *shown.results.lens();
  const int row = rowOfLogits(shown.pass().forward->plan(), shown.results.place());
  if (row < 0 || row >= lens.positions) return std::nullopt;
  return static_cast<std::size_t>(layer) * static_cast<std::size_t>(lens.positions) + static_cast<std::size_t>(row);
}

}  // namespace

TableContent lensTable(const SentenceShown& shown) {
  TableContent table;
  const forward::Lens& lens = *shown.results.lens();
  const SentenceWordsPointer& words = shown.pass().tokens->words;
  table.columns = {{.title = tr("block"), .share = 1.2}};
  for (std::size_t k = 0; k < kLensColumns; ++k)
    table.columns.push_back({.title = k == 0 ? std::string(tr("likeliest")) : std::string(), .share = 2});
  table.columns.push_back({.title = tr("rank"), .share = 1, .right = true});
  for (int layer = 0; layer < lens.layers; ++layer) {
    const auto at = lensIndex(shown, layer);
    if (!at) break;
    std::vector<std::string> cells{streamWords(layer)};
    for (std::size_t k = 0; k < kLensColumns; ++k) {
      const auto& best = lens.predictions[*at];
      cells.push_back(k < best.size() ? fmt::format("{}  {}", words ? words->shown(best[k].id) : shownId(best[k].id),
                                                    shareWords(best[k].probability))
                                      : std::string());
    }
    cells.push_back(std::to_string(lens.rankOfAnswer[*at]));
    table.cells.push_back(std::move(cells));
  }
  if (const HeadPattern* const head = shown.results.head()) table.chosen = static_cast<std::size_t>(head->block) + 1;
  return table;
}

ChartContent lensChart(const SentenceShown& shown) {
  const forward::Lens& lens = *shown.results.lens();
  LineChart chart;
  chart.title = tr("rank of the answer");
  chart.compact = true;
  chart.x = {.name = tr("block (−1: input)"), .whole = true, .pad = 0.04};
  chart.y = {.name = "", .logarithmic = true, .pad = 0.06};
  ChartSeries rank{.name = tr("rank of the answer"),
                   .look = {.color = shown.theme().accent, .marker = render::Shape::Circle}};
  for (int layer = 0; layer < lens.layers; ++layer) {
    const auto at = lensIndex(shown, layer);
    if (!at) break;
    rank.x.push_back(layer - 1);
    rank.y.push_back(static_cast<double>(lens.rankOfAnswer[*at]));
  }
  chart.series.push_back(std::move(rank));
  return {std::move(chart), {}, {}, {}};
}

std::string patchedTitle(const SentenceShown& shown) {
  const PatchedStreams& of = *shown.results.patched();
  const auto name = [&of](std::int32_t id) { return of.from->words ? of.from->words->shown(id) : shownId(id); };
  std::string text = trFormat("the other text's stream here: {} instead of {}", name(of.answer), name(of.other));
  if (of.patching.done < of.patching.all) text += fmt::format(", {} / {}", of.patching.done, of.patching.all);
  return text;
}

MatrixContent patchedMatrix(const SentenceShown& shown) {
  const PatchedPointer of = shown.results.patched();
  MatrixContent made;
  made.rows = of->patching.layers;
  made.columns = of->patching.positions;
  made.values = of->effect;
  made.scale = {ScaleKind::Diverging, {-1, 1}};
  made.longest = 0;
  made.rowAxis = tr("block");
  made.columnAxis = tr("position");
  made.tip = [of](MatrixCell cell) {
    const auto at = static_cast<std::size_t>(cell.row * of->patching.positions + cell.column);
    const std::string token = tokenWords(*of->into->tokens, cell.column);
    const bool last = cell.row + 1 == of->patching.layers;
    return std::vector<std::string>{
        last ? trFormat("stream after the last block, at {}", token)
             : trFormat("stream before block {}, at {}", cell.row, token),
        trFormat("effect {} (0: as this text, 1: as the other)", formatReading(of->patching.effect[at]))};
  };
  made.pick = [keys = shown.keys(), forward = shown.pass().forward](MatrixCell cell) {
    return placeChosen(keys, forward->plan(), cell.column);
  };
  return made;
}

}  // namespace sepx::ui
