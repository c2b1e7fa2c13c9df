// SPDX-License-Identifier: Apache-2.0
// Shared by the makers of figures (figure.h): file formats by name, and the recipe. Pure.
#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>

#include "ui/workbench/figure.h"

namespace sepx::ui {

enum class FigureFormat { Png, Svg, Pdf, Html, Csv, Npz, Mp4, Webm, Frames, Clipboard };

/// The format by the ending of the path; empty if the ending is unknown.
std::optional<FigureFormat> figureFormat(const std::string& path);
inline bool isFilm(FigureFormat format) {
  return format == FigureFormat::Mp4 || format == FigureFormat::Webm || format == FigureFormat::Frames;
}
/// Whether a GPU device draws this format.
inline bool isRaster(FigureFormat format) {
  return format == FigureFormat::Png || format == FigureFormat::Clipboard || isFilm(format);
}
inline bool isNumbers(FigureFormat format) {
  return format == FigureFormat::Csv || format == FigureFormat::Npz;
}

/// The name of the table in a path: "paths" for "name.paths.csv"; empty: the first table.
std::string tableName(const std::string& path);

/// How a picture was made: program, version, seed, state, and the files behind it with their hashes as far as known.
/// `of`: the workbench that made it.
Json recipeOf(const Workbench& of, const Document& state);
/// The same with the request, as text.
std::string recipeOf(const Workbench& of, const Document& state, FigureRequest request);

}  // namespace sepx::ui
