// SPDX-License-Identifier: Apache-2.0
// A model as boxes from the tokens at the bottom to the logits on top, with the shapes of its matrices. Pure.
#pragma once

#include <vector>

#include "engine/nn/model_config.h"
#include "engine/render/scene.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

void addModelSketch(std::vector<render::Item>& items, const render::Rect& box, const nn::ModelConfig& model,
                    const Theme& theme);

}  // namespace sepx::ui
