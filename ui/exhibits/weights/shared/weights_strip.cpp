// SPDX-License-Identifier: Apache-2.0
// Layout of the strip. The most important parts (tabs, scores) are laid out first, from the right, then the names of
// what is in sight, from the left. A part that does not fit gets a shorter text, or is left out.
#include "ui/exhibits/weights/shared/weights_page_kit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kGap = 6;  // between groups, points

void layTitle(StripLine& line, const WeightsShared& shared, const Theme& theme) {
  line.skipRight(2 * kGap);
  if (!shared.model || line.room() < 60) return;
  line.text(elided(shared.title(), theme.textSize, line.room() * 0.9), theme.textSize, theme.text, true);
  const std::string& family = shared.model->map.familyName;
  if (family.empty() || line.room() < textWidth(family, theme.smallSize) + 4 * kGap) return;
  line.skip(kGap);
  line.text("· " + family, theme.smallSize, theme.textMuted);
}

/// From right to left: γ, the other variant of d, d, s. The first two only if there is room.
void layScores(StripLine& line, const WeightsShared& shared, const Theme& theme) {
  if (!shared.layer) return;
  const float size = theme.textSize, small = theme.smallSize;
  const bool excess = shared.state.score.variant == attention::Directionality::Excess;
  const bool roomy = line.room() > 34 * size;
  const auto value = [&](const char* name, double number, const attention::Band& band, const char* note) {
    if (*note) line.textRight(std::string(" ") + note, small, theme.textMuted);
    line.textRight(scoreText(number, 3), size, scoreColor(theme, number, shared.band, band));
    line.textRight(std::string(name) + " ", size, theme.textMuted);
    line.skipRight(2 * kGap);
  };
  const char* const words[2] = {tr("as printed"), tr("default")};
  const attention::Band none{2, 2, 0, 0};  // contains no score, because the known band is that of the selected variant
  if (roomy) {
    line.textRight("γ " + shownFixed(shared.state.score.gamma, 2), small, theme.textMuted);
    line.skipRight(2 * kGap);
    value("d", excess ? shared.sum : shared.excess, none, words[excess ? 0 : 1]);
  }
  value("d", excess ? shared.excess : shared.sum, shared.band.directionality, roomy ? words[excess ? 1 : 0] : "");
  value("s", shared.scores.symmetry, shared.band.symmetry, "");
  // Options that differ from what the model computes, or from the published scores, are named beside the numbers.
  for (const std::string& other :
       {shared.state.foldNorm ? std::string(tr("gain folded in")) : std::string(),
        shared.state.pairing == checkpoint::HeadPairing::Published && shared.layer->kvHeads < shared.layer->heads
            ? std::string(tr("published pairing"))
            : std::string()}) {
    if (other.empty() || line.room() < 2 * textWidth(other, small)) continue;
    line.textRight(other, small, theme.accent);
    line.skipRight(2 * kGap);
  }
}

StripButton command(const char* key, const char* label, bool enabled) {
  return {.key = key, .label = label, .enabled = enabled};
}

/// "layer ‹ 3 ›": the arrows are buttons, the value between them is text.
void layStepper(StripLine& line, const std::string& name, const std::string& value, const char* before,
                const char* after, bool down, bool up, const Theme& theme) {
  if (!name.empty()) line.text(name + " ", theme.smallSize, theme.textMuted);
  line.button(command(before, "‹", down), theme.textSize, 5);
  line.text(value, theme.textSize, theme.text);
  line.button(command(after, "›", up), theme.textSize, 5);
  line.skip(kGap);
}

void layStack(StripLine& line, const WeightsShared& shared, const Theme& theme) {
  const std::vector<checkpoint::Stack> stacks = shared.model->map.stacks();
  if (stacks.size() < 2) return;
  for (const checkpoint::Stack stack : stacks) {
    StripButton button{.key = "weights.stack",
                       .value = std::string(checkpoint::toString(stack)),
                       .label = stackWords(stack),
                       .on = stack == shared.layer->stack};
    if (line.room() < 2 * textWidth(button.label, theme.smallSize) + 60) return;
    line.button(std::move(button), theme.smallSize, 4);
    line.skip(1);
  }
  line.skip(kGap);
}

void layParts(StripLine& line, const WeightsShared& shared, const Theme& theme) {
  constexpr std::pair<const char*, const char*> kParts[] = {
      {"full", N_("full")}, {"symmetric", N_("symmetric")}, {"skew", N_("skew")}, {"three", N_("three")}};
  double width = 0;
  for (const auto& [word, label] : kParts)
    width += textWidth(tr(label), theme.smallSize) + 10;
  if (line.room() < width + 2 * kGap) return;
  const bool square = shared.layer->d_model == shared.layer->d_key;
  int index = 0;
  for (const auto& [word, label] : kParts) {
    const bool on = static_cast<int>(shared.state.part) == index || (!square && index == 0);
    StripButton button{
        .key = "weights.part", .value = word, .label = tr(label), .on = on, .enabled = square || index == 0};
    ++index;
    line.button(std::move(button), theme.smallSize, 5);
  }
}

void layChoice(StripLine& line, const WeightsShared& shared, bool parts, const Theme& theme) {
  if (!shared.layer) return;
  const checkpoint::AttentionLayer& layer = *shared.layer;
  const bool narrow = line.room() < 26 * theme.textSize;
  layStack(line, shared, theme);
  const int layers = shared.model->map.layersOf(layer.stack);
  layStepper(line, narrow ? "" : tr("layer"), (narrow ? "L" : "") + std::to_string(layer.layer),
             "weights.previous-layer", "weights.next-layer", layer.layer > 0, layer.layer + 1 < layers, theme);
  const int head = shared.state.head;
  if (line.room() < 6 * theme.textSize) return;
  layStepper(line, narrow ? "" : tr("head"),
             head < 0 ? std::string(tr("all")) : (narrow ? "H" : "") + std::to_string(head), "weights.previous-head",
             "weights.next-head", head >= 0, head + 1 < layer.heads, theme);
  if (parts) layParts(line, shared, theme);
}

}  // namespace

Strip layoutStrip(const WeightsShared& shared, const std::vector<StripButton>& tabs, bool parts, double width,
                  double height, const Theme& theme) {
  Strip strip;
  const double row = stripRow(theme);
  const bool second = shared.layer != nullptr && height > 7 * theme.textSize;
  if (height > 12 * theme.textSize) {
    StripLine line(strip, 0, row, theme.space, width - theme.space);
    line.tabs(tabs, theme);
    layTitle(line, shared, theme);
    strip.height += row;
  }
  if (second) {
    StripLine line(strip, strip.height, row, theme.space, width - theme.space);
    layScores(line, shared, theme);
    layChoice(line, shared, parts, theme);
    strip.height += row;
  }
  if (strip.height > 0) strip.height += 2;
  return strip;
}

}  // namespace sepx::ui
