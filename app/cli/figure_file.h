// SPDX-License-Identifier: Apache-2.0
// Writes a figure to a file. The scene is made for the size of the page and the theme, and is written as PNG, SVG or
// PDF according to the extension of the path, with the recipe inside. Main thread.
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

/// The theme is that of --theme; the default is light, because figures are for paper. Size and scale are those of every
/// picture.
Result<void> writeFigure(const FigureMaker& make, const std::string& title, const Options& common,
                         const std::string& recipe, const std::string& path);

}  // namespace sepx::app::cli
