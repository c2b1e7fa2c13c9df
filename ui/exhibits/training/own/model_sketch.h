// SPDX-License-Identifier: Apache-2.0
// A model as boxes from the tokens at the bottom to the logits on top, with the shapes of its matrices. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/nn/model_config.h"
#include "engine/render/scene.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

/// A box of the sketch.
struct SketchBlock {
  const char* block = "";   ///< word of own_groups.h
  std::string name, shape;  ///< translated; shape may be empty
  bool repeated = false;    ///< it is there once a layer
  render::Rect box{};
};

/// From the bottom; the last one is the bracket of what is repeated, "2 ×".
std::vector<SketchBlock> sketchBlocks(const render::Rect& box, const nn::ModelConfig& model, const Theme& theme);
/// `chosen`: the word of the blocks that stand out; "": none.
void addModelSketch(std::vector<render::Item>& items, const std::vector<SketchBlock>& blocks, const Theme& theme,
                    const std::string& chosen);

}  // namespace sepx::ui
