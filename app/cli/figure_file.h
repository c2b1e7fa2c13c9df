// SPDX-License-Identifier: Apache-2.0
// A figure into a file: a scene made for the page's size and theme, written as PNG, SVG or PDF by the path's ending,
// with the recipe inside. Main thread.
#pragma once

#include <functional>
#include <string>

#include "app/options.h"
#include "engine/core/result.h"
#include "engine/render/scene.h"
#include "ui/canvas/theme.h"

namespace sepx::app::cli {

/// `width`, `height`: the page, points.
using FigureMaker = std::function<render::Scene(double width, double height, const ui::Theme& theme)>;

/// --theme, or light: figures are for paper. Size and scale as of every picture.
Result<void> writeFigure(const FigureMaker& make, const std::string& title, const Options& common,
                         const std::string& recipe, const std::string& path);

}  // namespace sepx::app::cli
