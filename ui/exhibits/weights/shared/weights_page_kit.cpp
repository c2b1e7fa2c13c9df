// SPDX-License-Identifier: Apache-2.0
// What several pages of the Weights exhibit need: choosing, words, colours.
#include "ui/exhibits/weights/shared/weights_page_kit.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

Condition onPage(const char* word, Condition also) {
  return onPages("weights.page", "matrix", {word}, std::move(also));
}

void chooseHead(Editor& editor, checkpoint::Stack stack, int layer, int head, bool onMatrixPage) {
  Document next = editor.document()
                      .with("weights.stack", std::string(checkpoint::word(stack)))
                      .with("weights.layer", layer)
                      .with("weights.head", head);
  if (onMatrixPage) next = next.with("weights.page", "matrix");
  editor.seal();
  editor.commit(std::move(next), tr("choose a head"));
  editor.seal();
}

std::string modelSentence(const WeightsShared& shared) {
  if (!shared.failure.empty()) return shared.failure;
  if (!shared.model) return tr("Opening the checkpoint…");
  if (!shared.model->map.noForm.empty() || !shared.model->map.layers.empty()) return shared.model->map.noForm;
  return tr(
      "No attention was recognised in this checkpoint: the page Mapping shows its tensors and maps them by hand.");
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
  // Always decimals, never a power of ten, and no minus before nothing.
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
  return pale ? faded(theme.textMuted, 0.76f) : theme.text;
}

}  // namespace sepx::ui
