// SPDX-License-Identifier: Apache-2.0
// Helpers that several pages of the Weights exhibit share: selection, texts, colours, tables of scores.
#include "ui/exhibits/weights/shared/weights_page_kit.h"

#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

std::uint64_t contentDigest(const WeightsShared& shared) {
  const WeightsState& state = shared.state;
  return Digest()
      .add(state.stack, state.layer, state.head, shared.failure, shared.factorsFailure, shared.modelRevision,
           shared.factorsRevision, shared.boardRevision, shared.stream)
      .value();
}

Condition onPage(const char* word, Condition also) {
  return onPages("weights.page", "matrix", {word}, std::move(also));
}

Changes chooses(const WeightsState& inSight, checkpoint::Stack stack, int layer, int head) {
  Changes changes;
  if (stack != inSight.stack) changes.emplace_back("weights.stack", std::string(checkpoint::toString(stack)));
  if (layer != inSight.layer) changes.emplace_back("weights.layer", static_cast<double>(layer));
  if (head != inSight.head) changes.emplace_back("weights.head", static_cast<double>(head));
  return changes;
}

MatrixPanes panesOf(const WeightsState& state, double rows, double columns) {
  MatrixPanes panes{.whole = {{0, -rows}, {columns, 0}}, .values = state.values, .with = withWeightsView};
  panes.seen = boundedView(state.view.value_or(panes.whole), panes.whole).value_or(panes.whole);
  return panes;
}

std::vector<WeightsPage::Command> viewCommands(std::function<MatrixPanes(const PageFrame&)> panesOf) {
  const auto zooming = [&panesOf](double factor) {
    return [panesOf, factor](const PageFrame& frame, ExhibitContext& context) {
      panesOf(frame).zoom(context.editor, frame.pointer, factor);
    };
  };
  const auto whole = [](ExhibitContext& context) {
    context.editor.replace(withWeightsView(context.editor.document(), std::nullopt));
  };
  return {{"view.reset", tr("Reset view"), "R", tr("View"), true, whole},
          {"view.zoom-in", tr("Zoom in"), "+", tr("View"), true, zooming(kZoom)},
          {"view.zoom-out", tr("Zoom out"), "-", tr("View"), true, zooming(1 / kZoom)}};
}

std::string modelSentence(const WeightsShared& shared) {
  if (!shared.failure.empty()) return shared.failure;
  if (!shared.model) return tr("Opening the checkpoint…");
  if (!shared.model->map.noQkReason.empty() || !shared.model->map.layers.empty()) return shared.model->map.noQkReason;
  return tr(
      "No attention was recognised in this checkpoint: the page Mapping lists its tensors and lets you map them by hand.");
}

const StackLook& lookOf(checkpoint::Stack stack) {
  static const StackLook kEncoder{N_("encoder"), "E", &Theme::globalMin, render::Shape::Circle},
      kDecoder{N_("decoder"), "D", &Theme::localMin, render::Shape::Square},
      kCross{N_("cross attention"), "X", &Theme::saddle, render::Shape::Diamond},
      kSelf{N_("self-attention"), "L", &Theme::globalMin, render::Shape::Circle};
  if (stack == checkpoint::Stack::Encoder) return kEncoder;
  if (stack == checkpoint::Stack::Decoder) return kDecoder;
  return stack == checkpoint::Stack::Cross ? kCross : kSelf;
}

std::string stackWords(checkpoint::Stack stack) {
  return tr(lookOf(stack).name);
}

std::string placeWords(const checkpoint::AttentionMap& map, checkpoint::Stack stack, int layer, int head) {
  std::string text = map.stacks().size() > 1 ? stackWords(stack) + ", " : std::string();
  text += fmt::format("{} {}, ", tr("layer"), layer);
  return text + (head < 0 ? std::string(tr("all heads")) : fmt::format("{} {}", tr("head"), head));
}

std::string scoreOptionWords(const attention::ScoreOptions& options) {
  const bool excess = options.variant == attention::Directionality::Excess;
  return fmt::format("γ = {}, {}, ddof {}", formatShortest(options.gamma),
                     excess ? tr("excess over the threshold") : tr("sum of norms above the threshold"), options.ddof);
}

std::string scoreText(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  // Always decimals, never a power of ten, and no minus sign before a value that is rounded to 0.
  const double least = 0.5 * std::pow(10.0, -digits);
  return withMinus(fmt::format("{:.{}f}", std::abs(value) < least ? 0.0 : value, digits));
}

std::string bandText(const attention::Band& band) {
  const auto end = [](double value) {
    return value != 0 && std::abs(value) < 0.01 ? formatReading(value) : scoreText(value, 3);
  };
  return end(band.low) + " … " + end(band.high);
}

render::Color scoreColor(const Theme& theme, double value, const attention::RandomBands& band,
                         const attention::Band& of) {
  const bool pale = !std::isfinite(value) || (band.samples > 0 && of.holds(value));
  return pale ? faded(theme.textMuted, 0.9f) : theme.text;
}

// The columns of tables have the same names as in `sepx scores --json`.

namespace {

std::string conventions(const WeightsShared& shared) {
  const WeightsState& state = shared.state;
  const bool excess = state.score.variant == attention::Directionality::Excess;
  std::string text = fmt::format("γ = {}, {}, ddof {}", shownFixed(state.score.gamma, 2),
                                 excess ? tr("excess over the threshold") : tr("sum of norms"), state.score.ddof);
  if (state.pairing == checkpoint::HeadPairing::Published && shared.layer->kvHeads < shared.layer->heads)
    text += std::string(", ") + tr("heads paired as published");
  if (state.foldNorm) text += std::string(", ") + tr("gain of the norm folded in");
  return text;
}

}  // namespace

std::string weightsTitle(const WeightsShared& shared) {
  std::string title = tr("Weights");
  if (!shared.model) return title;
  title += " · " + shared.title();
  if (shared.layer)
    title += " · " + placeWords(shared.model->map, shared.layer->stack, shared.layer->layer, shared.state.head);
  return title;
}

std::string weightsCaption(const WeightsShared& shared, bool ofMatrix) {
  if (!shared.model) return shared.failure;
  std::string text = shared.title();
  if (!shared.model->map.familyName.empty()) text += " (" + shared.model->map.familyName + ")";
  if (!ofMatrix || !shared.layer) return text + ".";
  text += ", " + placeWords(shared.model->map, shared.layer->stack, shared.layer->layer, shared.state.head) + ".";
  if (!shared.moments) return text;
  return text + " " +
         trFormat("Symmetry s = {}, directionality d = {} ({}).", scoreText(shared.scores.symmetry, 3),
                  scoreText(shared.scores.directionality, 3), conventions(shared));
}

double ScoreRow::norm() const {
  return at.moments ? std::sqrt(at.moments->frobenius2) : std::nan("");
}

Table headTable(std::string name, const std::vector<LayerScores>& board) {
  std::vector<ScoreRow> rows;
  for (const LayerScores& layer : board)
    for (int head = 0; layer.moments && layer.of(head).scores; ++head)
      rows.push_back({layer, head, layer.of(head)});
  return numberTable(std::move(name), rows, NumberColumn{"stack", &ScoreRow::stack},
                     NumberColumn{"layer", &ScoreRow::number}, NumberColumn{"head", &ScoreRow::head},
                     NumberColumn{"symmetry", &ScoreRow::symmetry},
                     NumberColumn{"directionality", &ScoreRow::directionality});
}

void addScoreTables(Numbers& numbers, const WeightsShared& shared) {
  std::vector<ScoreRow> layers;
  for (const LayerScores& layer : *shared.board)
    if (layer.moments) layers.push_back({layer, -1, layer.of(-1)});
  if (layers.empty()) return;
  numbers.tables.push_back(numberTable(
      "scores", layers, NumberColumn{"stack", &ScoreRow::stack}, NumberColumn{"layer", &ScoreRow::number},
      NumberColumn{"symmetry", &ScoreRow::symmetry}, NumberColumn{"directionality", &ScoreRow::directionality}));
  numbers.tables.push_back(headTable("head_scores", *shared.board));
}

}  // namespace sepx::ui
