// SPDX-License-Identifier: Apache-2.0
// settings.json and recent.json. A change reads the file again and changes one field of it, so that two programs that
// run at once do not undo each other's changes, and fields of other versions stay. Frame thread.
#include "ui/workbench/settings.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/core/file.h"
#include "ui/canvas/theme.h"
#include "ui/document/json_text.h"
#include "ui/properties/declarations.h"
#include "ui/properties/language.h"
#include "ui/properties/refused.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestFile = std::size_t{4} << 20;
constexpr const char* kSystemTheme = "system";
constexpr double kMostThreads = 1024;
constexpr double kLongestAutosave = 600;  // seconds

std::string settingsFile(const std::string& folder) {
  return folder + "/settings.json";
}
std::string stateFile(const std::string& folder) {
  return folder + "/recent.json";
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// The object in a file; an empty one where there is no file.
Result<Json> readObject(const std::string& path) {
  if (!exists(path)) return Json::object();
  const auto named = [&path](const std::string& sentence) { return fail(ErrorKind::BadInput, path + ": " + sentence); };
  const auto text = readFile(path, kLargestFile);
  if (!text) return tl::unexpected(text.error());
  auto json = parseJson(*text);
  if (!json) return named(json.error().message);
  if (!json->is_object()) return named(tr("this is not a JSON object"));
  return json;
}

/// Puts a file that cannot be understood out of the way, for the person to look at. The sentence about it.
std::string putAside(const std::string& path, const Error& error) {
  const std::string aside = path + ".unreadable";
  std::error_code failed;
  if (fs::is_regular_file(path, failed)) fs::rename(path, aside, failed);
  const bool kept = !failed && !exists(path);
  return error.message + "; " +
         (kept ? trFormat("it is kept as {}, and the program goes on without it", aside)
               : std::string(tr("the program goes on without it")));
}

Result<void> writeObject(const std::string& folder, const std::string& path, const Json& json) {
  if (auto made = makeFolders(folder); !made) return made;
  return writeFile(path, indentedText(json) + "\n");
}

std::string themeName(const std::string& key) {
  if (key == kSystemTheme) return tr("As the desktop");
  const Theme* const theme = findTheme(key);
  return theme && !theme->name.empty() ? tr(theme->name) : key;
}

std::string languageLabel(const std::string& key) {
  return key == kSystemLanguage ? tr("As the system") : languageName(key);
}

std::string textOf(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The list of recent files inside recent.json, whatever stands there.
std::vector<RecentFile> recentIn(const Json& state) {
  std::vector<RecentFile> files;
  const auto list = state.find("recent");
  if (list == state.end() || !list->is_array()) return files;
  for (const Json& entry : *list) {
    if (!entry.is_object()) continue;
    RecentFile file{textOf(entry, "path"), textOf(entry, "title"), textOf(entry, "kind")};
    if (!file.path.empty() && file.path.front() == '/') files.push_back(std::move(file));
  }
  return files;
}

/// A model that lies in a folder is opened by its file or by the folder: it is called the same then.
bool isSameThing(const RecentFile& a, const RecentFile& b) {
  if (a.path == b.path) return true;
  if (a.kind != b.kind || a.title != b.title) return false;
  return fs::path(a.path).parent_path() == b.path || fs::path(b.path).parent_path() == a.path;
}

Json toJson(const std::vector<RecentFile>& files) {
  Json list = Json::array();
  for (const RecentFile& file : files)
    list.push_back(Json{{"path", file.path}, {"title", file.title}, {"kind", file.kind}});
  return list;
}

}  // namespace

Settings::Settings(std::string configFolder, std::string stateFolder)
    : configFolder_(std::move(configFolder)), stateFolder_(std::move(stateFolder)), state_(Json::object()) {
  declare();
  const auto add = [this](const std::string& sentence) { problem_ += (problem_.empty() ? "" : "; ") + sentence; };
  const auto read = [&add](const std::string& path) {
    auto json = readObject(path);
    if (!json) add(putAside(path, json.error()));
    return json.value_or(Json::object());
  };
  if (!stateFolder_.empty()) state_ = read(stateFile(stateFolder_));
  if (configFolder_.empty()) return;
  const std::string path = settingsFile(configFolder_);
  Json json = read(path);
  json["version"] = Document::kVersion;  // what a newer program wrote is read as far as it is understood
  values_ = Document::fromJson(json).value_or(Document{});
  const std::vector<RefusedField> refused = allRefused(registry_, values_);
  for (const RefusedField& field : refused)
    values_ = values_.without(field.key);
  if (!refused.empty()) add(path + ": " + refused.front().sentence + "; " + tr("the default is used instead"));
}

void Settings::declare() {
  const std::vector<std::string> themes = themeKeys();
  std::vector<std::string> themesOrSystem = themes;
  themesOrSystem.emplace_back(kSystemTheme);
  std::vector<std::string> languages{kSystemLanguage};
  languages.insert(languages.end(), languageKeys().begin(), languageKeys().end());
  // clang-format off
  declareParameters(registry_, {.prefix = "settings.", .undoable = false}, {
      {.key = "theme", .label = N_("Theme"), .choices = std::move(themesOrSystem), .fallback = "dark",
       .help = N_("Colours and type of the whole program."), .choiceLabel = themeName},
      {.key = "language", .label = N_("Language"), .choices = std::move(languages), .fallback = kSystemLanguage,
       .help = N_("Language of menus, labels and messages. Numbers and keys are the same in all."),
       .choiceLabel = languageLabel},
      {.key = "scale", .label = N_("Scale"), .min = 1, .max = 3, .step = 0.25, .digits = 2, .fallback = 1.0,
       .help = N_("Size of type, lines and controls.")},
      {.key = "start", .label = N_("Start page"), .fallback = true,
       .help = N_("Whether the program begins with the page of exhibits, recent files and lessons.")},
      {.key = "reopen", .label = N_("Reopen the last session"), .fallback = false,
       .help = N_("Whether the program begins with the session that was open last.")},
      {.key = "autosave", .label = N_("Autosave every"), .unit = "s", .max = kLongestAutosave, .step = 1, .digits = 1,
       .fallback = 1.0,
       .help = N_("Unsaved work is put aside after at most so many seconds, for the case that the program or the "
                  "machine stops. 0 turns it off.")},
      {.key = "compute", .label = N_("Compute with"),
       .options = {{"auto", N_("Automatic")}, {"cpu", N_("Processor")}, {"gpu", N_("Graphics device")}},
       .help = N_("The device that computes the interactive picture. Takes effect at the next start.")},
      {.key = "threads", .label = N_("Threads (0 = all)"), .kind = Kind::Integer, .max = kMostThreads, .fallback = 0.0,
       .help = N_("Number of processor threads; 0 takes one per core. Takes effect at the next start.")},
      {.key = "figure.preset", .label = N_("Size of figures"),
       .options = {{"window", N_("As the window")}, {"single-column", N_("Single column")},
                   {"double-column", N_("Double column")}, {"slide", N_("Slide")}},
       .fallback = "single-column", .help = N_("What the export begins with.")},
      {.key = "figure.theme", .label = N_("Theme of figures"), .choices = themes, .fallback = "light",
       .help = N_("Colours of pictures that leave the program."), .choiceLabel = themeName},
      {.key = "figure.caption", .label = N_("Caption under figures"), .fallback = true,
       .help = N_("Whether a figure says under the picture what it shows.")}});
  // clang-format on
}

Result<void> Settings::set(std::string_view key, const Value& value) {
  auto next = registry_.set(values_, key, value);
  if (!next) return tl::unexpected(next.error());
  if (*next == values_) return {};
  values_ = std::move(*next);
  ++revision_;
  if (configFolder_.empty()) return {};
  const std::string path = settingsFile(configFolder_);
  auto json = readObject(path);
  if (!json) json = values_.toJson();  // it broke while the program ran; what is known is written anew
  const Json version = json->value("version", Json(Document::kVersion));
  (*json)["version"] = Document::kVersion;
  const Document merged = Document::fromJson(*json).value_or(Document{}).with(key, values_.at(key));
  Json written = merged.toJson();
  written["version"] = version;
  if (const auto kept = writeObject(configFolder_, path, written); !kept) {
    return fail(kept.error().kind, kept.error().message + "; " + tr("the setting holds until the program ends"));
  }
  return {};
}

std::vector<RecentFile> Settings::recent() const {
  std::vector<RecentFile> files = recentIn(state_);
  std::erase_if(files, [](const RecentFile& file) { return !exists(file.path); });
  if (files.size() > kRecent) files.resize(kRecent);
  return files;
}

Result<void> Settings::changeState(const std::function<void(Json& state)>& change) {
  if (!stateFolder_.empty()) {
    if (auto json = readObject(stateFile(stateFolder_))) state_ = std::move(*json);
  }
  change(state_);
  ++revision_;
  if (stateFolder_.empty()) return {};
  return writeObject(stateFolder_, stateFile(stateFolder_), state_);
}

Result<void> Settings::opened(RecentFile file) {
  std::error_code failed;
  const fs::path whole = fs::absolute(file.path, failed).lexically_normal();
  if (!failed) file.path = whole.string();
  return changeState([&file](Json& state) {
    std::vector<RecentFile> files = recentIn(state);
    std::erase_if(files, [&file](const RecentFile& other) { return isSameThing(file, other); });
    files.insert(files.begin(), std::move(file));
    // Those that are gone for now (a drive that is not mounted) do not push out the others at once.
    if (files.size() > 2 * kRecent) files.resize(2 * kRecent);
    state["recent"] = toJson(files);
  });
}

Result<void> Settings::clearRecent() {
  return changeState([](Json& state) { state["recent"] = Json::array(); });
}

std::string Settings::kept(std::string_view name) const {
  const auto kept = state_.find("kept");
  return kept != state_.end() && kept->is_object() ? textOf(*kept, std::string(name).c_str()) : std::string();
}

Result<void> Settings::keep(std::string_view name, std::string text) {
  return changeState([&](Json& state) {
    Json& kept = state["kept"];
    if (!kept.is_object()) kept = Json::object();
    kept[std::string(name)] = std::move(text);
  });
}

}  // namespace sepx::ui
