// SPDX-License-Identifier: Apache-2.0
// What a card shows of its experiment: a sketch of what will be seen, drawn by formula. It is not data and has no
// numbers. Pure.
#pragma once

#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"
#include "ui/exhibits/training/shared/experiments.h"

namespace sepx::ui {

void addSketch(std::vector<render::Item>& items, const render::Rect& box, ExperimentSketch sketch, const Theme& theme);

}  // namespace sepx::ui
