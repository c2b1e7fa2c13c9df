// SPDX-License-Identifier: Apache-2.0
// Determines the kind of a file that the user drops on the window, by its content first and its name second, so that
// anything can be dropped anywhere. Reads only the head of a file, except that a figure is read completely, for its
// recipe, and so is JSON; the store of a run is not opened. Any thread.
#pragma once

#include <optional>
#include <string>

#include "engine/core/result.h"

namespace sepx::ui {

enum class FileKind {
  Session,       ///< .sepx, or JSON of this program
  Lesson,        ///< Markdown, or .sepx-lesson
  Script,        ///< first line `script 1`
  Figure,        ///< PNG, SVG, PDF, NPZ, film or page (HTML) with a recipe of this program
  Numbers,       ///< CSV or TSV
  Checkpoint,    ///< a weight file of any format, the index of one in shards, a folder with weights
  Run,           ///< a folder with run.sqlite, or that file
  Sweep,         ///< a folder with the plan of a sweep, or that plan
  Folder,        ///< any other folder
  PlainPicture,  ///< PNG, SVG, PDF or film without a recipe
  ForeignJson,   ///< JSON of another program
  State,         ///< not a file: a state as text, "sepx:1:…"
  Unknown
};

/// The word for a kind in recent.json and in read-outs: "session", "lesson", …
std::string toString(FileKind kind);

/// BadInput if the file cannot be read.
Result<FileKind> kindOf(const std::string& path);

/// The recipe inside a figure (render::readRecipe()); empty if there is none. BadInput if the file is broken.
Result<std::optional<std::string>> recipeOf(const std::string& path);

}  // namespace sepx::ui
