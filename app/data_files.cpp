// SPDX-License-Identifier: Apache-2.0
// See data_files.h. The folder of the binary comes from /proc/self/exe, so that the program finds its data from any
// working folder.
#include "app/data_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/folder.h"
#include "engine/core/xdg.h"
#include "ui/document/lesson_file.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::app {

namespace {

namespace fs = std::filesystem;

/// Folders that may hold assets, most specific first: the one that the user set, the one beside an installed program,
/// and those in the source tree of a build, whose programs are in build/PRESET/bin. Reference values are in the tests
/// folder of a source tree.
std::vector<fs::path> dataFolders() {
  std::vector<fs::path> folders;
  std::error_code ignored;
  const fs::path binary = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path bin = binary.parent_path();
  if (const char* named = std::getenv("SEPX_DATA_DIR"); named && *named) folders.emplace_back(named);
  if (bin.empty()) return folders;
  folders.push_back(bin.parent_path() / "share" / "separatrix");
  if (fs::exists(bin.parent_path() / "CMakeCache.txt", ignored)) {
    const fs::path sources = bin.parent_path().parent_path().parent_path();
    folders.push_back(sources / "assets");
    folders.push_back(sources / "tests");
  }
  return folders;
}

/// The title ("# Title") of a Markdown file; its stem when there is none within the first lines.
std::string titleOf(const fs::path& path) {
  constexpr std::size_t kHead = 16384;
  std::istringstream head(readHead(path.string(), kHead).value_or(std::string()));
  std::string line;
  for (int i = 0; i < 40 && std::getline(head, line); ++i) {
    if (line.rfind("# ", 0) == 0) return line.substr(2);
  }
  return path.stem().string();
}

/// The entry of a lesson in the list. The user's own lessons are listed even with faults: opening one shows its faults.
LessonFile readForList(const fs::path& path, bool own) {
  const bool packed = path.extension() == ui::kLessonEnding;  // unpacked only when it is opened
  LessonFile file{path.string(), packed ? path.stem().string() : titleOf(path), {}, 0, own};
  if (packed) return file;
  const auto lesson = ui::readLesson(file.path);
  if (!lesson) return file;
  file.title = lesson->title;
  file.exhibit = ui::exhibitOf(*lesson);
  file.minutes = ui::minutesOf(*lesson);
  return file;
}

/// As readForList(), but an unchanged file is not read again.
LessonFile listed(const fs::path& path, bool own) {
  struct Kept {
    std::uintmax_t size = 0;
    fs::file_time_type time{};
    LessonFile file;
  };
  // Process-wide, because windows, palette and verbs list the same files and share no object. Any thread.
  static std::mutex mutex;
  static std::map<fs::path, Kept> kept;
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(path, failed);
  const fs::file_time_type time = fs::last_write_time(path, failed);
  {
    const std::lock_guard lock(mutex);
    const auto found = kept.find(path);
    if (!failed && found != kept.end() && found->second.size == size && found->second.time == time &&
        found->second.file.own == own)
      return found->second.file;
  }
  // Read without the mutex: otherwise a frame that lists lessons would wait for another thread to read.
  LessonFile file = readForList(path, own);
  const std::lock_guard lock(mutex);
  if (!failed) kept[path] = {size, time, file};
  return file;
}

/// The translation of a lesson that ships with the program, if there is one: the same file name in a folder of the
/// language. No message catalogue contains its characters, so they are added for the fonts.
fs::path inLanguage(const fs::path& lesson) {
  constexpr std::size_t kLargest = std::size_t{1} << 20;
  std::error_code ignored;
  const fs::path translated = lesson.parent_path() / ui::language() / lesson.filename();
  if (!fs::is_regular_file(translated, ignored)) return lesson;
  if (const auto text = readFile(translated.string(), kLargest)) ui::addLanguageCharacters(*text);
  return translated;
}

std::vector<LessonFile> lessonsIn(const std::string& folder, bool own) {
  constexpr std::size_t kMost = 200;
  std::vector<fs::path> paths;
  for (const fs::path path : folderPaths(folder)) {
    const fs::path ending = path.extension();
    if (ending == ".md" || (own && ending == ui::kLessonEnding)) paths.push_back(path);
  }
  if (paths.size() > kMost) paths.resize(kMost);
  std::vector<LessonFile> found;
  for (const fs::path& path : paths)
    found.push_back(listed(own ? path : inLanguage(path), own));
  return found;
}

}  // namespace

Result<std::string> findData(std::string_view relative) {
  std::error_code ignored;
  std::string searched;
  for (const fs::path& folder : dataFolders()) {
    const fs::path candidate = folder / relative;
    if (fs::exists(candidate, ignored)) return candidate.string();
    searched += (searched.empty() ? "" : ", ") + folder.string();
  }
  return fail(ErrorKind::BadInput, ui::trFormat("{}: not found in {}; set SEPX_DATA_DIR to the folder "
                                                "with the program's lessons",
                                                relative, searched));
}

std::vector<std::string> windowIcons() {
  std::vector<std::string> found;
  for (const int side : {16, 32, 48, 128})
    if (auto path = findData(fmt::format("icons/separatrix-{}.png", side))) found.push_back(std::move(*path));
  return found;
}

std::string assetsFolder() {
  const auto folder = findData("lessons");
  return folder ? fs::path(*folder).parent_path().string() : std::string();
}

std::string ownLessonsFolder() {
  return dataFolder() + "/lessons";
}

std::vector<LessonFile> lessons() {
  const auto folder = findData("lessons");
  std::vector<LessonFile> found = folder ? lessonsIn(*folder, false) : std::vector<LessonFile>();
  std::ranges::move(lessonsIn(ownLessonsFolder(), true), std::back_inserter(found));
  return found;
}

Result<std::string> openingLesson() {
  if (const auto folder = findData("lessons"); !folder) return folder;
  const auto all = lessons();
  if (all.empty()) return fail(ErrorKind::BadInput, ui::tr("the folder of lessons has no lesson (*.md)"));
  return all.front().path;
}

}  // namespace sepx::app
