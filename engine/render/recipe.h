// SPDX-License-Identifier: Apache-2.0
// How a figure came about, read out of it again: the text under Separatrix-Recipe in the iTXt chunks of a PNG, the
// <metadata> of an SVG, the XMP of a PDF, the first array of an NPZ, a data block of a page (HTML), and in the comment
// of a film. Files come from strangers: sizes are bounded, also of what a PNG holds compressed; nothing
// is drawn or run. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace sepx::render {

inline constexpr const char* kRecipeKey = "Separatrix-Recipe";  ///< of a PNG text, in SVG and PDF

enum class FigureFormat { Png, Svg, Pdf, Npz, Film, Html };  ///< of what a person can save

/// By the first bytes; nothing for what is none of these. Npz: one of ours, its recipe first.
std::optional<FigureFormat> figureFormat(std::string_view bytes);

/// The recipe in a figure; nothing when there is none or the file is no figure. BadInput with the path for a file that
/// is broken, or larger than what is read here.
Result<std::optional<std::string>> readRecipe(const std::string& path);
/// The same of a file's content; the sentence names no file.
Result<std::optional<std::string>> recipeIn(std::string_view bytes);

}  // namespace sepx::render
