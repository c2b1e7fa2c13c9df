// SPDX-License-Identifier: Apache-2.0
#include "ui/document/lesson_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <openssl/sha.h>
#include <stdlib.h>

#include "engine/core/ascii.h"
#include "engine/core/file.h"
#include "engine/core/folder.h"
#include "engine/core/remove_folder.h"
#include "engine/core/try.h"
#include "engine/core/xdg.h"
#include "engine/core/zip_file.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{256} << 20;  // packed
constexpr std::chrono::hours kKept{24 * 30};                      // unpacked lessons
constexpr std::ptrdiff_t kDeepestFolder = 8;                      // as in zip_file.h

bool isLessonFile(const std::string& path) {
  return lowerCase(fs::path(path).extension().string()) == kLessonEnding;
}

/// 64 hexadecimal digits. Nobody can construct two files with the same digest.
std::string sha256Of(std::string_view bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

/// Removes unpacked lessons that have not been opened for kKept.
void removeOldLessons(const fs::path& folder) {
  const auto now = fs::file_time_type::clock::now();
  for (const fs::path path : folderPaths(folder.string())) {
    std::error_code ignored;
    if (now - fs::last_write_time(path, ignored) > kKept && !ignored) removeFolder(path.string());
  }
}

/// The one .md directly in a folder.
Result<std::string> markdownIn(const std::string& file, const fs::path& folder) {
  std::vector<std::string> found = folderPaths(folder.string());
  std::erase_if(found, [](const fs::path& path) { return path.extension() != ".md"; });
  if (found.size() == 1) return found.front();
  return fail(
      ErrorKind::BadInput,
      fmt::format("{}: a lesson file must have one .md beside its folders; this one has {}", file, found.size()));
}

/// Collects what goes into a lesson file.
class Packing {
 public:
  Packing(const std::string& markdown, const std::string& assets)
      : folder_(fs::absolute(markdown).parent_path()), assets_(assets) {}

  Result<void> add(const fs::path& path) {
    std::error_code failed;
    const fs::path name = fs::relative(path, folder_, failed);
    if (failed || name.empty() || *name.begin() == ".." || !isInFolder(path.string(), folder_.string())) {
      return fail(ErrorKind::BadInput, fmt::format("{}: this lies outside the lesson's folder, {}; copy it there",
                                                   path.string(), folder_.string()));
    }
    if (fs::is_directory(path, failed)) return addFolder(path, name);
    if (names_.insert(name.generic_string()).second) files_.emplace_back(name.generic_string(), path.string());
    return inBounds();
  }

  /// Adds what a step opens. A value that does not name a file is ignored.
  Result<void> addStep(const ScriptStep& step) {
    if (step.kind == StepKind::Save || step.kind == StepKind::Shot || step.kind == StepKind::Export)
      written_.insert(step.text);
    const bool opens = step.kind == StepKind::Open || step.kind == StepKind::Drop;
    if (opens) return addOpened(step.text, true);
    if (step.kind != StepKind::Set && step.kind != StepKind::SetControl) return {};
    SEPX_TRY(addValue(step.value));
    for (std::size_t i = 1; i < step.words.size(); i += 2)  // keys and values alternate
      SEPX_TRY(addValue(step.words[i]));
    return {};
  }

  const std::vector<std::pair<std::string, std::string>>& files() const { return files_; }

 private:
  /// Adds each folder once, even if several steps open it. A link to a folder is left out: its contents would be packed
  /// under the name of the target, which may be a folder that contains the link.
  Result<void> addFolder(const fs::path& path, const fs::path& name) {
    if (!folders_.insert(name.generic_string()).second) return {};
    SEPX_TRY(inBounds());
    if (std::distance(name.begin(), name.end()) > kDeepestFolder)
      return fail(ErrorKind::BadInput,
                  fmt::format("{}: this folder is more than {} folders below the lesson; move it up", path.string(),
                              kDeepestFolder));
    SEPX_ASSIGN(const std::vector<std::string> inside, listPaths(path.string()));
    for (const fs::path one : inside) {
      std::error_code failed;
      if (fs::is_symlink(one, failed) && fs::is_directory(one, failed)) continue;
      SEPX_TRY(add(one));
    }
    return {};
  }

  Result<void> inBounds() const {
    constexpr std::size_t kMost = ZipBounds().files;
    if (files_.size() <= kMost && folders_.size() <= kMost) return {};
    return fail(ErrorKind::BadInput, fmt::format("{}: the lesson opens more than {} files or folders in this folder; "
                                                 "name only those that it needs",
                                                 folder_.string(), kMost));
  }

  /// A value is a path if it has a folder or an extension of at least three characters. "auto" and "0.5" are not paths,
  /// even if a file has that name.
  Result<void> addValue(const std::string& value) {
    const bool path = value.find('/') != std::string::npos || fs::path(value).extension().string().size() > 3;
    return path ? addOpened(value, false) : Result<void>();
  }

  Result<void> addOpened(const std::string& path, bool needed) {
    if (path.empty() || written_.contains(path)) return {};
    const fs::path whole = folder_ / path;
    std::error_code failed;
    if (!fs::exists(whole, failed))
      return needed ? fail(ErrorKind::BadInput, whole.string() + ": there is no such file") : Result<void>();
    if (!assets_.empty() && isInFolder(whole.string(), assets_) && !isInFolder(whole.string(), folder_.string()))
      return {};
    return add(whole);
  }

  fs::path folder_;
  std::string assets_;
  std::vector<std::pair<std::string, std::string>> files_;
  std::set<std::string> names_, folders_, written_;
};

}  // namespace

bool isInFolder(const std::string& path, const std::string& folder) {
  std::error_code failed;
  const fs::path inner = fs::weakly_canonical(path, failed), outer = fs::weakly_canonical(folder, failed);
  if (failed || outer.empty()) return false;
  const auto ends = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return ends.first == outer.end() || (ends.first != outer.end() && ends.first->empty());
}

bool isInAnyFolder(const std::string& path, const std::vector<std::string>& folders) {
  return std::ranges::any_of(
      folders, [&path](const std::string& folder) { return !folder.empty() && isInFolder(path, folder); });
}

namespace {

/// Unpacks the bytes of `path` into aside/lesson and returns the path of the Markdown there. The file may have changed
/// since it was read, so the bytes in memory are unpacked.
Result<std::string> unpackAside(const std::string& path, const std::string& packed, const fs::path& aside) {
  const std::string copy = (aside / "packed").string(), lesson = (aside / "lesson").string();
  SEPX_TRY(writeFile(copy, packed));
  SEPX_TRY(makeFolders(lesson));
  const auto names = unpackZip(copy, lesson);
  if (names) return markdownIn(path, lesson);
  Error error = names.error();
  if (error.message.starts_with(copy)) error.message.replace(0, copy.size(), path);  // the path that the user knows
  return tl::unexpected(std::move(error));
}

}  // namespace

Result<std::string> unpackLesson(const std::string& path) {
  SEPX_ASSIGN(const std::string packed, readFile(path, kLargestFile));
  const fs::path all = fs::path(cacheFolder()) / "lessons";
  const fs::path folder = all / sha256Of(packed);
  std::error_code failed;
  if (fs::is_directory(folder, failed)) {
    fs::last_write_time(folder, fs::file_time_type::clock::now(), failed);
    return markdownIn(path, folder);
  }
  SEPX_TRY(makeFolders(all.string()));
  removeOldLessons(all);
  // Unpacks into a temporary folder that is renamed when complete, because another program or job may unpack the same
  // file.
  std::string aside = folder.string() + ".XXXXXX";
  if (::mkdtemp(aside.data()) == nullptr)
    return fail(ErrorKind::OutputFailed, fmt::format("{}: no folder can be created here: {}", all.string(),
                                                     std::error_code(errno, std::generic_category()).message()));
  const auto markdown = unpackAside(path, packed, aside);
  if (markdown) fs::rename(fs::path(aside) / "lesson", folder, failed);
  const std::error_code why = failed;
  removeFolder(aside);
  if (!markdown) return markdown;
  if (why && !fs::is_directory(folder, failed))
    return fail(ErrorKind::OutputFailed, fmt::format("{}: {}", folder.string(), why.message()));
  return markdownIn(path, folder);
}

Result<Lesson> readLessonFile(const std::string& path) {
  if (!isLessonFile(path)) return readLesson(path);
  SEPX_ASSIGN(const std::string markdown, unpackLesson(path));
  return readLesson(markdown);
}

Result<std::vector<std::string>> packLesson(const std::string& markdown, const std::vector<std::string>& more,
                                            const std::string& out, const std::string& assets) {
  SEPX_ASSIGN(const Lesson lesson, readLesson(markdown));
  SEPX_TRY(checkWhole(lesson));
  Packing packing(markdown, assets);
  SEPX_TRY(packing.add(fs::absolute(markdown)));
  for (const ScriptStep& step : lessonScript(lesson).steps)
    SEPX_TRY(packing.addStep(step));
  for (const std::string& one : more)
    SEPX_TRY(packing.add(fs::absolute(one)));
  SEPX_TRY(packZip(packing.files(), out));
  std::vector<std::string> names;
  for (const auto& [name, file] : packing.files())
    names.push_back(name);
  return names;
}

}  // namespace sepx::ui
