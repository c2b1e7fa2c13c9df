// SPDX-License-Identifier: Apache-2.0
// Reads what was opened or dropped, one function per kind. Messages name the file, what it is, and what to do. Any
// thread.
#include "ui/workbench/open_file.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/ascii.h"
#include "engine/core/file.h"
#include "engine/core/folder.h"
#include "engine/core/number.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "engine/train/run_store.h"
#include "ui/document/json_text.h"
#include "ui/document/lesson_file.h"
#include "ui/document/state_text.h"
#include "ui/properties/refused.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/file_kind.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestTable = std::size_t{256} << 20;
constexpr std::size_t kMostRows = 1'000'000;
constexpr std::size_t kMostCells = 16'000'000;               ///< one byte of the file can become a cell of forty bytes
constexpr std::size_t kLargestText = std::size_t{16} << 20;  ///< of a Markdown file that may be a lesson
constexpr std::size_t kMostListed = 6;                       ///< names in one sentence
constexpr std::size_t kMostShown = 40;                       ///< bytes of a cell or a name in a sentence
constexpr const char* kReplacement = "\xEF\xBF\xBD";         ///< U+FFFD, in UTF-8

tl::unexpected<Error> named(const std::string& path, const Error& error) {
  return fail(error.kind, path + ": " + error.message);
}

Result<Opened> openedFigure(const std::string& path) {
  auto text = recipeOf(path);
  if (!text) return tl::unexpected(text.error());
  if (!*text) return fail(ErrorKind::BadInput, trFormat("{}: there is no recipe in the picture", path));
  auto recipe = parseRecipe(**text);
  if (!recipe) return named(path, recipe.error());
  return Opened{path, RestoredState{std::move(recipe->document), recipe->seed}};
}

/// `text` comes from outside; messages quote its beginning.
Result<Opened> openedState(const std::string& text) {
  const std::string name = shownStateText(text);
  auto document = readStateText(text);
  if (!document) return named(name, document.error());
  RestoredState made{std::move(*document), 0, true};
  if (made.document.has("seed")) {
    const Json& seed = made.document.at("seed");
    if (!seed.is_number_unsigned())
      return fail(ErrorKind::BadInput, name + ": " + tr("its seed is not a whole number"));
    made.seed = seed.get<std::uint64_t>();
    made.document = made.document.without("seed");
  }
  return Opened{name, std::move(made)};
}

Result<Opened> openedTable(const std::string& path) {
  const auto text = readFile(path, kLargestTable);
  if (!text) return tl::unexpected(text.error());
  if (mostCells(*text) > kMostCells)
    return fail(ErrorKind::BadInput,
                trFormat("{}: there are more than {} cells; keep fewer of them", path, kMostCells));
  auto table = parseCsv(*text, kMostRows);
  if (!table) return named(path, table.error());
  table->name = fs::path(path).stem().string();
  return Opened{path, std::move(*table)};
}

/// Distinguishes a lesson from other Markdown files such as a README: a lesson has steps or questions for the program.
bool demonstrates(const std::string& path) {
  const auto text = readFile(path, kLargestText);
  return text && (text->find("```steps") != std::string::npos || text->find("```ask") != std::string::npos);
}

/// The sessions and lessons among the paths of a folder.
std::vector<std::string> filesToOpen(const std::vector<std::string>& paths) {
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    const std::string extension = fs::path(path).extension().string();
    if (extension != ".sepx" && extension != ".md") continue;
    const auto kind = kindOf(path);
    const bool lesson = kind && *kind == FileKind::Lesson && demonstrates(path);
    if (lesson || (kind && *kind == FileKind::Session)) found.push_back(path);
  }
  return found;
}

Result<Opened> openedModel(const std::string& path, const std::string& rules, const checkpoint::Cancelled& cancelled) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed);
  auto model = checkpoint::openModel(failed ? path : whole.lexically_normal().string(), rules, cancelled);
  if (!model) return tl::unexpected(model.error());
  return Opened{(*model)->checkpoint->path(), std::move(*model)};
}

/// The newest weights of a run, which may be training at this moment. `chosen`: its folder, or the store in it.
Result<Opened> openedRun(const std::string& chosen, const std::string& rules, const checkpoint::Cancelled& cancelled) {
  std::error_code failed;
  const bool folder = fs::is_directory(chosen, failed);
  const std::string path = folder ? chosen : fs::absolute(chosen, failed).parent_path().string();
  const std::vector<std::int64_t> steps = train::savedSteps(path);
  if (steps.empty())
    return fail(ErrorKind::BadInput,
                trFormat("{}: this training run has saved no weights yet; open it again when it has", path));
  auto opened = openedModel(train::checkpointFolder(path, steps.back()), rules, cancelled);
  const fs::path whole = fs::absolute(path, failed).lexically_normal();
  if (opened) opened->run = (whole.has_filename() ? whole : whole.parent_path()).string();
  return opened;
}

/// `chosen`: the folder, or the plan in it.
Result<Opened> openedSweep(const std::string& chosen) {
  std::error_code failed;
  const fs::path whole = fs::absolute(chosen, failed).lexically_normal();
  if (failed) return fail(ErrorKind::BadInput, trFormat("{}: {}", chosen, failed.message()));
  const bool folder = fs::is_directory(whole, failed) && whole.has_filename();
  const std::string path = (folder ? whole : whole.parent_path()).string();
  return Opened{path, OpenedSweep{path}};
}

Result<Opened> openedFolder(const std::string& path) {
  SEPX_ASSIGN(const std::vector<std::string> paths, listPaths(path));
  const std::vector<std::string> files = filesToOpen(paths);
  if (files.size() == 1) return readAnyFile(files.front());
  if (files.empty()) {
    return fail(
        ErrorKind::BadInput,
        trFormat("{}: there is no session (.sepx), no lesson (.md), no checkpoint and no sweep in this folder", path));
  }
  std::vector<std::string> names;
  for (const std::string& file : files)
    names.push_back(fs::path(file).filename().string());
  const bool more = names.size() > kMostListed;
  if (more) names.resize(kMostListed);
  return fail(ErrorKind::Usage, trFormat("{}: there are {} sessions and lessons in this folder, open one of them: {}",
                                         path, files.size(), fmt::format("{}", fmt::join(names, ", "))) +
                                    (more ? ", …" : ""));
}

bool looksLikeRunConfig(const std::string& text) {
  const auto json = parseJson(text);
  return json && json->is_object() && json->contains("model") && json->contains("data") && json->contains("schedule");
}

/// The error for a file that no exhibit of this version can use: what it is and, where possible, what to do.
Error unusable(const std::string& path, FileKind kind) {
  const auto with = [&path](const char* text) { return Error{ErrorKind::BadInput, path + ": " + tr(text)}; };
  switch (kind) {
    case FileKind::Script:
      return with(N_("this is a script; run it with sepx play, or with --script in a window"));
    case FileKind::PlainPicture:
      return with(N_("this picture contains no recipe of Separatrix, so there is no state to restore from it"));
    case FileKind::ForeignJson: {
      const auto text = readFile(path, kLargestSession);
      if (!text) return text.error();
      if (const auto json = parseJson(*text); !json) return {ErrorKind::BadInput, path + ": " + json.error().message};
      if (text->find("sepx.sweep/") != std::string::npos)
        return with(
            N_("this is the plan of a sweep; start it with sepx sweep PLAN.json --run FOLDER, and open that folder"));
      if (looksLikeRunConfig(*text))
        return with(N_("this declares a training run; start it with sepx train, and open the run's folder"));
      return with(N_("this is JSON, but not a session of Separatrix"));
    }
    default:
      return with(
          N_("this is not one of the files that can be opened here: session (.sepx), lesson (.md), figure with a "
             "recipe, table of numbers (.csv), checkpoint (safetensors, PyTorch, GGUF, llama2.c, ONNX, NumPy)"));
  }
}

/// Whether the name is that of a text: ".txt", ".jsonl", also compressed, or a compressed table.
bool isTextName(std::string name) {
  name = lowerCase(name);
  const auto ends = [&name](std::initializer_list<const char*> endings) {
    return std::any_of(endings.begin(), endings.end(), [&name](const char* one) { return name.ends_with(one); });
  };
  return ends(
      {".txt", ".text", ".jsonl", ".ndjson", ".txt.gz", ".text.gz", ".jsonl.gz", ".ndjson.gz", ".csv.gz", ".tsv.gz"});
}

/// The error for a path that cannot be opened. A path from the window, such as from its dialogs, contains U+FFFD where
/// the name is not UTF-8; the error then says so.
Error notOpened(const std::string& path, const Error& error) {
  std::error_code failed;
  if (path.find(kReplacement) == std::string::npos || fs::exists(path, failed)) return error;
  return {ErrorKind::BadInput,
          trFormat("{}: this name is not UTF-8, and the window cannot open it; rename the file, or open it from a "
                   "terminal",
                   path)};
}

/// The name of a key's section: "flow" of "flow.p".
std::string sectionOf(std::string_view key) {
  return std::string(key.substr(0, key.find_first_of(".[@")));
}

}  // namespace

Result<Opened> readAnyFile(const std::string& path, const std::string& rules, const checkpoint::Cancelled& cancelled) {
  const auto kind = kindOf(path);
  if (!kind) return tl::unexpected(notOpened(path, kind.error()));
  switch (*kind) {
    case FileKind::Session: {
      auto session = readSessionFile(path);
      if (!session) return tl::unexpected(session.error());
      return Opened{path, std::move(*session)};
    }
    case FileKind::Lesson: {
      auto lesson = readLessonFile(path);
      if (!lesson) return tl::unexpected(lesson.error());
      return Opened{path, std::move(*lesson)};
    }
    case FileKind::Figure:
      return openedFigure(path);
    case FileKind::State:
      return openedState(path);
    case FileKind::Numbers:
      return openedTable(path);
    case FileKind::Checkpoint:
      return openedModel(path, rules, cancelled);
    case FileKind::Run:
      return openedRun(path, rules, cancelled);
    case FileKind::Sweep:
      return openedSweep(path);
    case FileKind::Folder:
      return openedFolder(path);
    default:
      if ((*kind == FileKind::Unknown || *kind == FileKind::ForeignJson) && isTextName(path))
        return Opened{path, PlainText{unusable(path, *kind).message}};
      return tl::unexpected(unusable(path, *kind));
  }
}

bool addsToDocument(const Opened& opened) {
  return std::holds_alternative<Table>(opened.content) || std::holds_alternative<OpenedModel>(opened.content) ||
         std::holds_alternative<PlainText>(opened.content) || std::holds_alternative<OpenedSweep>(opened.content);
}

bool hasKnownSection(const Document& document, const PropertyRegistry& registry) {
  std::set<std::string> known{"overlays", "autosave", "seed"};
  for (const Property& property : registry.properties())
    known.insert(sectionOf(property.key));
  const auto has = [&document](const std::string& section) {
    for (int pane = 1; pane <= kMostPanes; ++pane)
      if (document.has(joinPaneKey(section, pane))) return true;
    return false;
  };
  return document == Document() || std::any_of(known.begin(), known.end(), has);
}

Document understood(Document document, const PropertyRegistry& registry) {
  const auto without = [](Document state, const RefusedField& refused) {
    return refused.key.ends_with(']') ? state.with(refused.key, Json::object()) : state.without(refused.key);
  };
  for (int pane = 1; pane <= kMostPanes; ++pane) {
    Document state = document.pane(pane);
    const std::vector<RefusedField> fields = allRefused(registry, state);
    for (const RefusedField& refused : fields)
      state = without(std::move(state), refused);
    if (!fields.empty()) document = document.withPane(pane, state);
  }
  for (const RefusedField& refused : allRefused(registry, document)) {
    if (sectionOf(refused.key) == "panes") document = without(std::move(document), refused);
  }
  return document;
}

namespace {

/// withoutContradictions() for one pane.
Document consistentPane(Document state, const PropertyRegistry& registry, std::string& removals) {
  const auto say = [&removals](const std::string& one) { removals += (removals.empty() ? "" : "; ") + one; };
  for (const Property& property : registry.properties()) {
    const std::string& key = property.key;
    if (key.ends_with("Min")) {
      const std::string other = key.substr(0, key.size() - 3) + "Max";
      const Json &low = state.at(key), &high = state.at(other);
      if (!low.is_number() || !high.is_number() || low.get<double>() < high.get<double>()) continue;
      say(trFormat("{} is not below {}, so the defaults are used", key, other));
      state = state.without(key).without(other);
    } else if (!property.listOf.empty()) {
      const Json& chosen = state.at(key);
      const Json& list = state.at(property.listOf);
      const auto size = static_cast<std::int64_t>(list.is_array() ? list.size() : 0);
      if (!chosen.is_number_integer() || chosen.get<std::int64_t>() < size) continue;
      say(trFormat("{} names an element that does not exist, so nothing is selected", key));
      state = state.without(key);
    }
  }
  return state;
}

}  // namespace

Document withoutContradictions(Document document, const PropertyRegistry& registry, std::string& removals) {
  for (int pane = 1; pane <= kMostPanes; ++pane) {
    if (!document.hasPane(pane)) continue;
    const Document before = document.pane(pane);
    const Document after = consistentPane(before, registry, removals);
    if (!after.sharesAll(before)) document = document.withPane(pane, after);
  }
  return document;
}

std::string firstNonNumber(const Table& table) {
  for (const Column& column : table.columns) {
    const auto* const cells = std::get_if<std::vector<std::string>>(&column.values);
    if (!cells || column.name == "name") continue;
    std::size_t numbers = 0, odd = cells->size();
    for (std::size_t i = 0; i < cells->size(); ++i) {
      const std::string& cell = (*cells)[i];
      if (cell.empty() || parseNumber(cell)) {
        numbers += cell.empty() ? 0 : 1;
      } else if (odd == cells->size()) {
        odd = i;
      }
    }
    if (odd == cells->size() || 2 * numbers < cells->size()) continue;
    return trFormat("row {}, column {}: \"{}\" is not a number", odd + 1, excerpt(column.name, kMostShown),
                    excerpt((*cells)[odd], kMostShown));
  }
  return {};
}

}  // namespace sepx::ui
