// SPDX-License-Identifier: Apache-2.0
// What figure.h's makers share among themselves: formats by name, and the recipe. Pure.
#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>

#include "ui/workbench/figure.h"

namespace sepx::ui {

enum class FigureFormat { Png, Svg, Pdf, Csv, Npz, Mp4, Webm, Frames, Clipboard };

/// By a path's ending; nothing for one that is not known.
std::optional<FigureFormat> figureFormat(const std::string& path);
inline bool isFilm(FigureFormat format) {
  return format == FigureFormat::Mp4 || format == FigureFormat::Webm || format == FigureFormat::Frames;
}
/// Whether a device draws it.
inline bool isRaster(FigureFormat format) {
  return format == FigureFormat::Png || format == FigureFormat::Clipboard || isFilm(format);
}
inline bool isNumbers(FigureFormat format) {
  return format == FigureFormat::Csv || format == FigureFormat::Npz;
}

/// "paths" of "name.paths.csv"; empty: the first table.
std::string tableName(const std::string& path);

/// Adds the files behind the pictures of all panes, with the hashes that are known; nothing where there are none.
void addSources(Json& recipe, const Workbench& of);
/// Program, version, seed, state, files behind the picture and request as JSON. `bench`: the one that made it.
std::string recipeOf(const WorkbenchOptions& options, const Document& document, const FigureRequest& request,
                     const Workbench& bench);

}  // namespace sepx::ui
