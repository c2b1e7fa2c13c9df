// SPDX-License-Identifier: Apache-2.0
// A lesson in one file, .sepx-lesson: a zip of its Markdown and of what its steps open, to be mailed. It is unpacked
// into a folder of the program's own below the cache, which is named by the SHA-256 of the file, and read from there.
// Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"
#include "ui/document/lesson.h"

namespace sepx::ui {

inline constexpr const char* kLessonEnding = ".sepx-lesson";

/// The Markdown of a lesson file, unpacked: its path. BadInput with what is wrong with the zip
/// (engine/core/zip_file.h), or that it does not have exactly one .md beside its folders. OutputFailed: it cannot be
/// unpacked there.
Result<std::string> unpackLesson(const std::string& path);
/// As readLesson(), of either kind of file; Lesson::name is the Markdown that was read.
Result<Lesson> readLessonFile(const std::string& path);

/// Writes the lesson of `markdown`, the files and folders that its steps open, and `more` (in its folder) as `out`, and
/// answers the names in it. BadInput: the lesson has faults, or something of it is missing, lies outside its folder or
/// is beyond the bounds of a zip (engine/core/zip_file.h). What its steps write, what ships with the program (below
/// `assets`), and links to folders inside the folders that they open are left out.
Result<std::vector<std::string>> packLesson(const std::string& markdown, const std::vector<std::string>& more,
                                            const std::string& out, const std::string& assets);

/// Whether a path lies in a folder, links followed.
bool liesIn(const std::string& path, const std::string& folder);
/// Whether it lies in one of `folders`; an empty folder holds nothing.
bool liesInAny(const std::string& path, const std::vector<std::string>& folders);

}  // namespace sepx::ui
