// SPDX-License-Identifier: Apache-2.0
// What a file that a person drops on the window is, by its content first and its name second, so that anything can be
// dropped anywhere. Reads at most the head of a file (a figure: all of it, for its recipe; the store of a run:
// nothing). Any thread.
#pragma once

#include <optional>
#include <string>

#include "engine/core/result.h"

namespace sepx::ui {

enum class FileKind {
  Session,       ///< .sepx, JSON of ours
  Lesson,        ///< Markdown, or .sepx-lesson
  Script,        ///< first line `script 1`
  Figure,        ///< PNG, SVG, PDF or a page (HTML) with a recipe of ours in it
  Numbers,       ///< CSV or TSV
  Checkpoint,    ///< a weight file of any format, the index of one in shards, a folder with weights
  Run,           ///< a folder with run.sqlite, or that file
  Sweep,         ///< a folder with the plan of a sweep, or that plan
  Folder,        ///< any other folder
  PlainPicture,  ///< PNG, SVG or PDF without a recipe
  ForeignJson,   ///< JSON that is none of ours
  State,         ///< no file: a state as text, "sepx:1:…"
  Unknown
};

/// "session", "lesson", …: the word of a kind in recent.json and read-outs.
std::string toString(FileKind kind);

/// BadInput when it cannot be read at all.
Result<FileKind> kindOf(const std::string& path);

/// The recipe inside a PNG (iTXt), SVG (<metadata>) or PDF (XMP); nothing when there is none. BadInput for a broken
/// file.
Result<std::optional<std::string>> recipeOf(const std::string& path);

}  // namespace sepx::ui
