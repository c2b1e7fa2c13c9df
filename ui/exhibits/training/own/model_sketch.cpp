// SPDX-License-Identifier: Apache-2.0
// See model_sketch.h.
#include "ui/exhibits/training/own/model_sketch.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

/// A part of the model: what it is called and its shapes.
struct Part {
  std::string name, shape;
  bool inBlock = false;
};

std::string vocabularyText(const nn::ModelConfig& model) {
  return model.vocabulary > 0 ? std::to_string(model.vocabulary) : std::string("V");
}

std::string normText(const nn::ModelConfig& model) {
  if (model.norm == nn::Norm::None) return {};
  return model.norm == nn::Norm::Rms ? tr("RMS norm") : tr("layer norm");
}

std::vector<Part> partsOf(const nn::ModelConfig& model) {
  const int d = model.d_model;
  std::vector<Part> parts;  // from the bottom
  const bool bit = model.input == nn::Input::Bit;
  if (model.readsImages()) {
    parts.push_back({trFormat("image, {} × {} × {}", model.image, model.image, model.channels), {}, false});
    parts.push_back({trFormat("class token and {} patches of {} × {}", model.patches(), model.patch, model.patch),
                     fmt::format("E {} × {}", d, model.patchValues()), false});
  } else {
    parts.push_back({trFormat("tokens, N = {}", model.length), {}, false});
    parts.push_back(
        {tr("embedding"), bit ? fmt::format("e {}", d) : fmt::format("E {} × {}", vocabularyText(model), d), false});
  }
  const std::string norm = normText(model);
  const auto addNorm = [&](bool inBlock) {
    if (!norm.empty()) parts.push_back({norm, {}, inBlock});
  };
  const bool pre = model.placement == nn::Placement::Pre;
  if (pre) addNorm(true);
  const std::string heads = model.heads == 1 ? std::string(tr("1 head")) : trFormat("{} heads", model.heads);
  parts.push_back({trFormat("{} attention, {}", model.causal ? tr("causal") : tr("bidirectional"), heads),
                   fmt::format("W_Q, W_K, W_V {} × {}   W_O {} × {}", model.d_q(), d, d, model.d_q()), true});
  if (!pre) addNorm(true);
  if (model.ff() > 0) {
    if (pre) addNorm(true);
    parts.push_back({tr("feed-forward"), fmt::format("W_1 {} × {}   W_2 {} × {}", model.ff(), d, d, model.ff()), true});
    if (!pre) addNorm(true);
  }
  if (model.finalNorm) addNorm(false);
  parts.push_back({tr("logits"),
                   model.output == nn::Output::Tied ? tr("tied to the embedding")
                                                    : fmt::format("U {} × {}", vocabularyText(model), d),
                   false});
  return parts;
}

}  // namespace

void addModelSketch(std::vector<render::Item>& items, const render::Rect& box, const nn::ModelConfig& model,
                    const Theme& theme) {
  const std::vector<Part> parts = partsOf(model);
  const double step = std::min(box.height() / static_cast<double>(parts.size()), 3.4 * theme.textSize);
  const double height = 0.74 * step, middle = (box.min.x + box.max.x) / 2 + 20;
  const double width = std::min(box.width() - 70, 26.0 * theme.textSize);
  double y = (box.min.y + box.max.y + step * static_cast<double>(parts.size())) / 2 - step / 2, top = 0, bottom = 0;
  for (std::size_t i = 0; i < parts.size(); ++i, y -= step) {
    const Part& part = parts[i];
    const render::Rect place{{middle - width / 2, y - height / 2}, {middle + width / 2, y + height / 2}};
    if (part.inBlock) {
      if (bottom == 0) bottom = place.max.y;
      top = place.min.y;
    }
    addBox(items, place, theme.radius, theme.surface, part.inBlock ? theme.accent : theme.border);
    const bool two = !part.shape.empty();
    items.emplace_back(textAt({middle, two ? y - 0.2 * height : y}, elided(part.name, theme.smallSize, width - 8),
                              theme.smallSize, theme.text, render::AlignX::Center));
    if (two)
      items.emplace_back(textAt({middle, y + 0.24 * height}, elided(part.shape, 0.9 * theme.smallSize, width - 8),
                                0.9f * theme.smallSize, theme.textMuted, render::AlignX::Center));
    if (i + 1 < parts.size())
      items.emplace_back(pageLine({middle, place.min.y}, {middle, place.min.y - (step - height)}, theme.textMuted));
  }
  const double x = middle - width / 2 - 10;
  items.emplace_back(pageLine({x, top}, {x, bottom}, theme.accent, 2));
  items.emplace_back(textAt({x - 6, (top + bottom) / 2}, fmt::format("{} ×", model.layers), theme.textSize, theme.text,
                            render::AlignX::Right));
}

}  // namespace sepx::ui
