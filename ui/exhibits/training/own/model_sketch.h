// SPDX-License-Identifier: Apache-2.0
// A sketch of a model as boxes, from the tokens at the bottom to the logits at the top, with the shapes of its
// matrices. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/nn/model_config.h"
#include "engine/render/scene.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

/// A box of the sketch.
struct SketchBlock {
  const char* block = "";   ///< OwnBlock::word
  std::string name, shape;  ///< translated; shape may be empty
  bool repeated = false;    ///< it occurs once in every layer
  render::Rect box{};
};

/// The blocks from the bottom up. The last one is the bracket of the repeated blocks, "2 ×".
std::vector<SketchBlock> sketchBlocks(const render::Rect& box, const nn::ModelConfig& model, const Theme& theme);
/// `chosen`: the word of the blocks that are highlighted; "": none.
void addModelSketch(std::vector<render::Item>& items, const std::vector<SketchBlock>& blocks, const Theme& theme,
                    const std::string& chosen);

}  // namespace sepx::ui
