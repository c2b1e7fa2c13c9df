// SPDX-License-Identifier: Apache-2.0
// See model_sketch.h.
#include "ui/exhibits/training/own/model_sketch.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/properties/tr_plural.h"

namespace sepx::ui {

namespace {

std::string vocabularyText(const nn::ModelConfig& model) {
  return model.vocabulary > 0 ? std::to_string(model.vocabulary) : std::string("V");
}

std::string normText(const nn::ModelConfig& model) {
  if (model.norm == nn::Norm::None) return {};
  return model.norm == nn::Norm::Rms ? tr("RMS norm") : tr("layer norm");
}

std::vector<SketchBlock> partsOf(const nn::ModelConfig& model) {
  const int d = model.d_model;
  std::vector<SketchBlock> parts;  // from the bottom
  const bool bit = model.input == nn::Input::Bit;
  if (model.readsImages()) {
    parts.push_back({"tokens", trFormat("image, {} × {} × {}", model.image, model.image, model.channels), {}, false});
    parts.push_back({"embedding",
                     trFormat("class token and {} patches of {} × {}", model.patches(), model.patch, model.patch),
                     fmt::format("E {} × {}", d, model.patchValues()), false});
  } else {
    parts.push_back({"tokens", trFormat("tokens, N = {}", model.length), {}, false});
    parts.push_back({"embedding", tr("embedding"),
                     bit ? fmt::format("e {}", d) : fmt::format("E {} × {}", vocabularyText(model), d), false});
  }
  const std::string norm = normText(model);
  const auto addNorm = [&](bool inBlock) {
    if (!norm.empty()) parts.push_back({"norm", norm, {}, inBlock});
  };
  const bool pre = model.placement == nn::Placement::Pre;
  if (pre) addNorm(true);
  const std::string heads = trPlural("{} head", "{} heads", model.heads);
  parts.push_back({"attention", trFormat("{} attention, {}", model.causal ? tr("causal") : tr("bidirectional"), heads),
                   fmt::format("W_Q, W_K, W_V {} × {}   W_O {} × {}", model.d_q(), d, d, model.d_q()), true});
  if (!pre) addNorm(true);
  if (model.ff() > 0) {
    if (pre) addNorm(true);
    parts.push_back({"feed-forward", tr("feed-forward"),
                     fmt::format("W_1 {} × {}   W_2 {} × {}", model.ff(), d, d, model.ff()), true});
    if (!pre) addNorm(true);
  }
  if (model.finalNorm) addNorm(false);
  parts.push_back({"logits", tr("logits"),
                   model.output == nn::Output::Tied ? tr("tied to the embedding")
                                                    : fmt::format("U {} × {}", vocabularyText(model), d),
                   false});
  return parts;
}

}  // namespace

std::vector<SketchBlock> sketchBlocks(const render::Rect& box, const nn::ModelConfig& model, const Theme& theme) {
  constexpr double kLeast = 24;  // points; least size of a touch target
  std::vector<SketchBlock> blocks = partsOf(model);
  const double count = static_cast<double>(blocks.size());
  const double step = std::min(box.height() / count, 4.2 * theme.textSize), height = std::max(0.8 * step, step - 10);
  const double bracket = textWidth(fmt::format("{} ×", model.layers), theme.textSize) + kLeast / 2;
  const double width = std::min(box.width() - bracket - 12, 34.0 * theme.textSize);
  const double left = (box.min.x + box.max.x - width + bracket) / 2;
  double y = (box.min.y + box.max.y + step * count) / 2 - step / 2;
  std::optional<render::Rect> inside;
  for (SketchBlock& block : blocks) {
    block.box = {{left, y - height / 2}, {left + width, y + height / 2}};
    if (block.repeated) inside = inside ? render::Rect{{left, block.box.min.y}, inside->max} : block.box;
    y -= step;
  }
  if (inside)
    blocks.push_back({"layers",
                      fmt::format("{} ×", model.layers),
                      {},
                      true,
                      {{left - bracket - 8, inside->min.y}, {left - 8, inside->max.y}}});
  return blocks;
}

void addModelSketch(std::vector<render::Item>& items, const std::vector<SketchBlock>& blocks, const Theme& theme,
                    const std::string& chosen) {
  constexpr float kChosen = 0.2f;  // strength of the accent in a chosen block
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const SketchBlock& block = blocks[i];
    const render::Rect& box = block.box;
    const bool on = block.block == chosen;
    const double middle = (box.min.x + box.max.x) / 2, y = (box.min.y + box.max.y) / 2, height = box.height();
    if (std::string_view(block.block) == "layers") {
      items.emplace_back(pageLine({box.max.x, box.min.y}, {box.max.x, box.max.y}, theme.accent, on ? 4.0f : 2.0f));
      items.emplace_back(textAt({box.max.x - 6, y}, block.name, theme.textSize, theme.text, render::AlignX::Right));
      continue;
    }
    addBox(items, box, theme.radius, theme.surface, block.repeated || on ? theme.accent : theme.border);
    if (on) addBox(items, box, theme.radius, faded(theme.accent, kChosen), theme.accent);
    const bool two = !block.shape.empty() && height > 2.1 * theme.smallSize;
    items.emplace_back(textAt({middle, two ? y - 0.2 * height : y},
                              elided(block.name, theme.smallSize, box.width() - 8), theme.smallSize, theme.text,
                              render::AlignX::Center));
    if (two)
      items.emplace_back(textAt({middle, y + 0.24 * height}, elided(block.shape, theme.smallSize, box.width() - 8),
                                theme.smallSize, theme.textMuted, render::AlignX::Center));
    if (i + 1 < blocks.size() && std::string_view(blocks[i + 1].block) != "layers")
      items.emplace_back(pageLine({middle, box.min.y}, {middle, blocks[i + 1].box.max.y}, theme.textMuted));
  }
}

}  // namespace sepx::ui
