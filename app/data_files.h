// SPDX-License-Identifier: Apache-2.0
// Finds the program's own data: lessons, icons. Searched in $SEPX_DATA_DIR, then beside the installed program
// (../share/separatrix), then in the source tree of the build that the program belongs to. Only reads; needs no window
// system. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::app {

/// The folder with the program's data that contains the lessons; empty when there is none.
std::string assetsFolder();
/// The path of `relative` ("icons/separatrix-128.png"). BadInput naming the folders searched when none has it.
Result<std::string> findData(std::string_view relative);
/// The PNG files of the window icon that exist, smallest first. The small sizes are separate drawings.
std::vector<std::string> windowIcons();

struct LessonFile {
  std::string path;
  std::string title;      ///< its first heading, else the file name
  std::string exhibit{};  ///< the first exhibit that it shows, "flow"; empty: none, or it cannot be read
  int minutes = 0;        ///< to read and watch it; 0: unknown until it is opened
  bool own = false;       ///< in the user's own folder
};

/// Every lesson that ships with the program, by file name: the number in the name gives the order, and the first is the
/// opening lesson. Then the user's own lessons (.md, .sepx-lesson), by file name, at most 200.
std::vector<LessonFile> lessons();
/// $XDG_DATA_HOME/separatrix/lessons
std::string ownLessonsFolder();
/// The lesson for a start without a file. BadInput naming the folders searched when there is none.
Result<std::string> openingLesson();

}  // namespace sepx::app
