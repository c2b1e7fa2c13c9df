// SPDX-License-Identifier: Apache-2.0
// Lessons: their Markdown, and their package, a zip archive that is unpacked into a folder of the program.
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "tests/fuzz/look.h"
#include "ui/document/lesson.h"
#include "ui/document/lesson_file.h"

namespace {

using namespace sepx;

void look(const Result<ui::Lesson>& lesson) {
  if (!lesson) return fuzz::checkSentence(lesson.error());
  if (const auto whole = ui::checkWhole(*lesson); !whole) fuzz::checkSentence(whole.error());
}

/// Unpacks into the cache of this process and empties it.
void lookAtPackage(std::span<const std::uint8_t> bytes) {
  const std::string path = fuzz::lay("lesson.sepx-lesson", bytes);
  const std::filesystem::path cache = std::filesystem::path(path).parent_path() / "cache";
  ::setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  look(ui::readLessonFile(path));
  std::error_code ignored;
  std::filesystem::remove_all(cache, ignored);
  fuzz::clear("lesson.sepx-lesson");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (text.starts_with("PK")) {
    lookAtPackage({bytes, size});
  } else {
    look(ui::parseLesson(text, "lesson.md"));
  }
  return 0;
}
