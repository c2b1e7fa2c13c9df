// SPDX-License-Identifier: Apache-2.0
// Where the program's own data lies: lessons, icons. Looked for in $SEPX_DATA_DIR, then beside the installed program
// (../share/separatrix), then in the source tree of the build that the program belongs to. Reads folders only; no
// window system. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::app {

/// The folder with the program's data that has lessons in it; empty when there is none.
std::string assetsFolder();
/// The path of `relative` ("icons/separatrix-128.png"). BadInput naming the folders searched when none has it.
Result<std::string> findData(std::string_view relative);
/// The icon of windows as PNG files, smallest first; those that are there. Small ones have a drawing of their own.
std::vector<std::string> windowIcons();

struct LessonFile {
  std::string path;
  std::string title;      ///< its first heading, else the file name
  std::string exhibit{};  ///< the first that it shows, "flow"; empty: none, or it cannot be read
  int minutes = 0;        ///< to read and to watch it; 0: not known before it is opened
  bool own = false;       ///< in the folder of the person's own
};

/// Every lesson that ships with the program, by file name: their numbers are their order, the first is the opening one.
/// Then those of the person's own (.md, .sepx-lesson), by file name, at most 200.
std::vector<LessonFile> lessons();
/// $XDG_DATA_HOME/separatrix/lessons
std::string ownLessonsFolder();
/// The lesson a bare start opens. BadInput naming the folders searched when there is none.
Result<std::string> openingLesson();

}  // namespace sepx::app
