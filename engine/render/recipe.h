// SPDX-License-Identifier: Apache-2.0
// Reads the recipe of a figure, which says how it was made, from its file: the text under Separatrix-Recipe in the iTXt
// chunks of a PNG, the <metadata> of an SVG, the XMP of a PDF, the first array of an NPZ, a data block of a page
// (HTML), and the comment of a film. Files are untrusted: sizes are limited, including those of compressed data in a
// PNG, and nothing is drawn or run. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace sepx::render {

inline constexpr const char* kRecipeKey = "Separatrix-Recipe";  ///< key in PNG, element in SVG and PDF

enum class FigureFormat { Png, Svg, Pdf, Npz, Film, Html };  ///< formats that a user can save

/// Detects the format by the first bytes; an empty optional for all other files. Npz: only a file of this program,
/// whose first entry is the recipe.
std::optional<FigureFormat> figureFormat(std::string_view bytes);

/// Returns the recipe in a figure; an empty optional when there is none or the file is not a figure. BadInput, with the
/// path, for a file that is broken or too large.
Result<std::optional<std::string>> readRecipe(const std::string& path);
/// The same for the content of a file. The error message names no file.
Result<std::optional<std::string>> recipeIn(std::string_view bytes);

}  // namespace sepx::render
