// SPDX-License-Identifier: Apache-2.0
// Recognises files by their first bytes: by magic numbers where there are some, otherwise by the form of the text, and
// by the name only where the content is ambiguous. The store of a run is recognised by its name alone. Nothing from an
// untrusted file is executed or unpacked. Any thread.
#include "ui/workbench/file_kind.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "engine/checkpoint/checkpoint.h"
#include "engine/core/ascii.h"
#include "engine/core/file.h"
#include "engine/core/folder.h"
#include "engine/core/table.h"
#include "engine/core/utf8.h"
#include "engine/render/recipe.h"
#include "ui/document/json_text.h"
#include "ui/document/lesson_file.h"
#include "ui/document/session.h"
#include "ui/document/state_text.h"
#include "ui/exhibits/exhibits.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kHead = std::size_t{64} << 10;
constexpr const char* kRunStore = "run.sqlite";
constexpr const char* kSweepPlan = "plan.json";

std::string lowerExtension(const std::string& path) {
  return lowerCase(fs::path(path).extension().string());
}

/// The end of the head may cut a text in the middle of a character.
bool isText(std::string_view head) {
  if (head.find('\0') != std::string_view::npos) return false;
  constexpr std::size_t kLongestCharacter = 4;
  const auto broken = findInvalidUtf8(head);
  return !broken || (head.size() == kHead && *broken + kLongestCharacter > head.size());
}

std::string_view firstLine(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
    line.remove_suffix(1);
  return line;
}

bool hasAny(const Json& object, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&object](const char* name) { return object.contains(name); });
}

/// Whether a folder was made by `sepx sweep`, recognised by the content of its plan or, if that is damaged, by the
/// folders beside it.
bool isSweep(const std::string& folder) {
  const auto plan = readHead(folder + "/" + kSweepPlan, kHead);
  if (!plan) return false;
  if (plan->find("sepx.sweep/") != std::string::npos) return true;
  std::error_code failed;
  return fs::is_directory(folder + "/runs", failed) && fs::is_directory(folder + "/claims", failed);
}

FileKind kindOfJson(const std::string& path, std::string_view head) {
  if (lowerExtension(path) == ".sepx") return FileKind::Session;
  const fs::path file(path);
  std::error_code ignored;
  if (file.filename() == kSweepPlan && fs::is_directory(file.parent_path() / "runs", ignored) &&
      isSweep(file.parent_path().string()))
    return FileKind::Sweep;
  // The head of a large index is enough to recognise it. A session is small enough to be read completely.
  if (head.find("\"weight_map\"") != std::string_view::npos) return FileKind::Checkpoint;
  const auto text = readFile(path, kLargestSession);
  if (!text) return FileKind::ForeignJson;
  const auto json = parseJson(*text);
  if (!json || !json->is_object()) return FileKind::ForeignJson;
  const auto version = json->find("version");
  const bool numbered = version != json->end() && version->is_number_integer();
  const auto has = [&json](const std::string& name) { return json->contains(name); };
  const bool ours =
      hasAny(*json, {"exhibit", "panes", "autosave"}) || std::any_of(exhibitKeys().begin(), exhibitKeys().end(), has);
  return numbered && ours ? FileKind::Session : FileKind::ForeignJson;
}

/// Whether the first lines can be read as a table of at least two columns, one of them with numbers.
bool looksLikeNumbers(std::string_view head) {
  if (head.size() == kHead) head = head.substr(0, head.rfind('\n') + 1);
  const auto table = parseCsv(head, kHead);
  if (!table || table->columns.size() < 2) return false;
  return std::any_of(table->columns.begin(), table->columns.end(),
                     [](const Column& column) { return std::holds_alternative<std::vector<double>>(column.values); });
}

FileKind kindOfText(const std::string& path, std::string_view head) {
  const std::string extension = lowerExtension(path);
  const std::size_t first = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const std::string_view text = first == std::string_view::npos ? std::string_view() : head.substr(first);
  if (text.starts_with("{") || text.starts_with("[")) return kindOfJson(path, head);
  if (extension == ".sepx") return FileKind::Session;  // its reader reports what is wrong with it
  if (firstLine(text).starts_with("script ")) return FileKind::Script;
  if (extension == ".md" || extension == ".markdown" || text.find("```steps") != std::string_view::npos)
    return FileKind::Lesson;
  if (extension == ".csv" || extension == ".tsv") return FileKind::Numbers;
  return looksLikeNumbers(head) ? FileKind::Numbers : FileKind::Unknown;
}

/// The store of a run and the files that SQLite keeps beside it are not opened: this window may be training the run,
/// and closing any descriptor of such a file releases the locks that the process holds on it. Empty: it is none of
/// these files.
std::optional<FileKind> kindOfRunStore(const std::string& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return std::nullopt;  // opening it reports the reason
  if (fs::path(path).filename() == kRunStore) return FileKind::Run;
  const std::string name = fs::canonical(path, failed).filename().string();
  if (failed || !name.starts_with(kRunStore)) return std::nullopt;
  const std::string ending = name.substr(std::string_view(kRunStore).size());
  const bool beside = ending.empty() || ending == "-wal" || ending == "-shm" || ending == "-journal";
  return beside ? std::optional(FileKind::Unknown) : std::nullopt;
}

FileKind kindOfFolder(const std::string& path) {
  std::error_code failed;
  const fs::path folder(path);
  if (fs::exists(folder / kRunStore, failed)) return FileKind::Run;
  if (isSweep(path)) return FileKind::Sweep;
  for (const std::string& name : folderNames(path)) {
    const std::string inside = (folder / name).string(), extension = lowerExtension(inside);
    // A file that is named like weights counts even if it cannot be read as such: its reader then reports the error.
    const bool named = extension == ".safetensors" || extension == ".gguf" || name.starts_with("pytorch_model");
    if (fs::is_regular_file(inside, failed) && (named || checkpoint::formatOf(inside))) return FileKind::Checkpoint;
  }
  return FileKind::Folder;
}

}  // namespace

std::string toString(FileKind kind) {
  // In the order of FileKind.
  static constexpr const char* kWords[] = {"session", "lesson", "script", "figure",  "numbers", "checkpoint",
                                           "run",     "sweep",  "folder", "picture", "json",    "state"};
  const auto index = static_cast<std::size_t>(kind);
  return index < std::size(kWords) ? kWords[index] : "unknown";
}

Result<FileKind> kindOf(const std::string& path) {
  if (isStateText(path)) return FileKind::State;
  std::error_code failed;
  if (fs::is_directory(path, failed)) return kindOfFolder(path);
  if (const auto store = kindOfRunStore(path)) return *store;
  const auto head = readHead(path, kHead);
  if (!head) return tl::unexpected(head.error());
  if (const auto format = render::figureFormat(*head)) {
    const auto recipe = recipeOf(path);
    if (!recipe) return tl::unexpected(recipe.error());
    if (*recipe) return FileKind::Figure;
    if (*format == render::FigureFormat::Html) return FileKind::Unknown;
    return checkpoint::formatOf(path) ? FileKind::Checkpoint : FileKind::PlainPicture;
  }
  if (checkpoint::formatOf(path)) return FileKind::Checkpoint;
  if (lowerExtension(path) == kLessonEnding) return FileKind::Lesson;
  if (isText(*head)) return kindOfText(path, *head);
  // A file named .sepx that is neither text nor of a known format: reading it reports the error.
  if (lowerExtension(path) == ".sepx") return FileKind::Session;
  return FileKind::Unknown;
}

Result<std::optional<std::string>> recipeOf(const std::string& path) {
  return render::readRecipe(path);
}

}  // namespace sepx::ui
