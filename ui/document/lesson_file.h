// SPDX-License-Identifier: Apache-2.0
// A lesson in one file that can be mailed, .sepx-lesson: a zip of its Markdown and of the files that its steps open. It
// is unpacked into a folder of the program's cache that is named by the SHA-256 of the file, and read from there. Any
// thread.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/lesson.h"

namespace sepx::ui {

inline constexpr const char* kLessonEnding = ".sepx-lesson";

/// Unpacks a lesson file and returns the path of its Markdown. BadInput if the zip is faulty (engine/core/zip_file.h)
/// or does not have exactly one .md at its top level. OutputFailed if it cannot be unpacked there.
Result<std::string> unpackLesson(const std::string& path);
/// As readLesson(), for Markdown and lesson files. Lesson::name is the path of the Markdown that was read.
Result<Lesson> readLessonFile(const std::string& path);

/// Packs the lesson of `markdown`, the files and folders that its steps open, and `more` (which must be in its folder)
/// into `out`. Returns the names in the zip. BadInput if the lesson has faults, or if a file is missing, is outside the
/// lesson's folder or exceeds the bounds of a zip (engine/core/zip_file.h). Left out are the files that its steps
/// write, files that ship with the program (below `assets`), and links to folders inside the folders that the steps
/// open.
Result<std::vector<std::string>> packLesson(const std::string& markdown, const std::vector<std::string>& more,
                                            const std::string& out, const std::string& assets);

/// Whether a path is inside a folder, after symbolic links are resolved.
bool isInFolder(const std::string& path, const std::string& folder);
/// Whether it is inside one of `folders`. An empty folder name contains nothing.
bool isInAnyFolder(const std::string& path, const std::vector<std::string>& folders);

}  // namespace sepx::ui
