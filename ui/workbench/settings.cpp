// SPDX-License-Identifier: Apache-2.0
// Reads and writes settings.json and recent.json. Each change affects a single field, so that two programs that run at
// the same time do not undo each other's changes.
#include "ui/workbench/settings.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "ui/canvas/theme.h"
#include "ui/properties/declarations.h"
#include "ui/properties/language.h"
#include "ui/properties/refused.h"
#include "ui/properties/tr.h"

namespace sepx::ui {
namespace fs = std::filesystem;

namespace {

constexpr const char* kSystemTheme = "system";
constexpr double kMostThreads = 1024;
constexpr double kLongestAutosave = 600;  // seconds

std::string themeName(const std::string& key) {
  if (key == kSystemTheme) return tr("Same as desktop");
  const Theme* const theme = findTheme(key);
  return theme && !theme->name.empty() ? tr(theme->name) : key;
}

std::string languageLabel(const std::string& key) {
  return key == kSystemLanguage ? tr("System language") : languageName(key);
}

std::string textOf(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The list of recent files in recent.json; invalid content is ignored.
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

/// Whether two entries are the same file. A model in a folder can be opened by its file or by the folder; both entries
/// then have the same title.
bool isSameRecentFile(const RecentFile& a, const RecentFile& b) {
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

Settings::Settings(std::string configFolder, std::string stateFolder, std::function<void()> wake)
    : settingsFile_(std::move(configFolder), "settings.json", wake),
      recentFile_(std::move(stateFolder), "recent.json", wake),
      looking_(std::move(wake)) {
  declare();
  look(recentIn(recentFile_.content()));
  const auto add = [this](const std::string& sentence) { problem_ += (problem_.empty() ? "" : "; ") + sentence; };
  for (const SharedJsonFile* file : {&recentFile_, &settingsFile_})
    if (!file->problem().empty()) add(file->problem());
  Json json = settingsFile_.content();
  json["version"] = Document::kVersion;  // what a newer program wrote is read as far as it is understood
  values_ = Document::fromJson(json).value_or(Document{});
  const std::vector<RefusedField> refused = allRefused(registry_, values_);
  for (const RefusedField& field : refused)
    values_ = values_.without(field.key);
  if (!refused.empty())
    add(settingsFile_.path() + ": " + refused.front().sentence + "; " + tr("the default is used instead"));
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
       .help = N_("Colours and text sizes of the whole program."), .choiceLabel = themeName},
      {.key = "language", .label = N_("Language"), .choices = std::move(languages), .fallback = kSystemLanguage,
       .help = N_("Language of menus, labels and messages. Numbers and keys are the same in all languages."),
       .choiceLabel = languageLabel},
      {.key = "scale", .label = N_("Scale"), .min = 1, .max = 3, .step = 0.25, .digits = 2, .fallback = 1.0,
       .help = N_("Size of text, lines and controls.")},
      {.key = "start", .label = N_("Start page"), .fallback = true,
       .help = N_("Whether the program begins with the page of exhibits, recent files and lessons.")},
      {.key = "reopen", .label = N_("Reopen the last session"), .fallback = false,
       .help = N_("Whether the program begins with the session that was open last.")},
      {.key = "autosave", .label = N_("Autosave every"), .unit = "s", .max = kLongestAutosave, .step = 1, .digits = 1,
       .fallback = 1.0,
       .help = N_("Unsaved work is written to a recovery file after at most this many seconds, in case the program or "
                  "the machine stops. 0 turns this off.")},
      {.key = "compute", .label = N_("Compute with"),
       .options = {{"auto", N_("Automatic")}, {"cpu", N_("Processor")}, {"gpu", N_("Graphics device")}},
       .help = N_("The device that computes the interactive picture. Takes effect at the next start.")},
      {.key = "threads", .label = N_("Threads (0 = all)"), .kind = Kind::Integer, .max = kMostThreads, .fallback = 0.0,
       .help = N_("Number of processor threads; 0 uses one per core. Takes effect at the next start.")},
      {.key = "figure.preset", .label = N_("Size of figures"),
       .options = {{"window", N_("Same as window")}, {"single-column", N_("Single column")},
                   {"double-column", N_("Double column")}, {"slide", N_("Slide")}},
       .fallback = "single-column", .help = N_("The size selected when the export dialog opens.")},
      {.key = "figure.theme", .label = N_("Theme of figures"), .choices = themes, .fallback = "light",
       .help = N_("Colours of exported figures."), .choiceLabel = themeName},
      {.key = "figure.caption", .label = N_("Caption under figures"), .fallback = true,
       .help = N_("Whether a figure has a caption that says what it shows.")}});
  // clang-format on
}

Result<void> Settings::set(std::string_view key, const Value& value, OnFailure onFailure) {
  auto next = registry_.set(values_, key, value);
  if (!next) return tl::unexpected(next.error());
  if (*next == values_) return {};
  values_ = std::move(*next);
  ++revision_;
  const auto change = [key = std::string(key), set = values_.at(key)](Json& json) {
    const Json version = json.value("version", Json(Document::kVersion));
    json["version"] = Document::kVersion;
    json = Document::fromJson(json).value_or(Document{}).with(key, set).toJson();
    json["version"] = version;
  };
  settingsFile_.change(change, onFailure);
  return {};
}

void Settings::flush() {
  settingsFile_.finish();
  if (recentFile_.finish()) ++revision_;
}

std::string Settings::saveFailure() const {
  const std::string why = settingsFile_.failure();
  return why.empty() ? why : why + "; " + tr("the setting applies until the program ends");
}

std::string Settings::takeSaveFailure() {
  settingsFile_.follow();
  if (recentFile_.follow()) ++revision_;
  if (missing_.refresh()) ++revision_;
  return settingsFile_.takeFailure().empty() ? recentFile_.takeFailure() : saveFailure();
}

std::vector<RecentFile> Settings::recent() {
  if (missing_.refresh()) ++revision_;
  std::vector<RecentFile> files = recentIn(recentFile_.content());
  look(files);
  std::erase_if(files, [&missing = missing_.latest()](const RecentFile& file) {
    return std::find(missing.begin(), missing.end(), file.path) != missing.end();
  });
  if (files.size() > kRecent) files.resize(kRecent);
  return files;
}

void Settings::look(const std::vector<RecentFile>& files) {
  if (files.empty()) return;
  std::vector<std::string> paths;
  for (const RecentFile& file : files)
    paths.push_back(file.path);
  looking_.start("recent files", {}, [this, paths = std::move(paths)](JobContext& job) -> Result<void> {
    std::vector<std::string> missing;
    for (const std::string& path : paths) {
      if (job.cancelled()) return {};
      std::error_code ignored;
      if (!fs::exists(path, ignored)) missing.push_back(path);
    }
    if (missing == publishedMissing_) return {};
    missing_.slot() = publishedMissing_ = std::move(missing);
    missing_.publish();
    return {};
  });
}

void Settings::changeRecent(SharedJsonFile::Change change, OnFailure onFailure) {
  recentFile_.change(std::move(change), onFailure);
  ++revision_;
}

/// A failure to write the list is ignored, because it does not matter to a user who opens a file.
void Settings::opened(RecentFile file) {
  std::error_code failed;
  const fs::path whole = fs::absolute(file.path, failed).lexically_normal();
  if (!failed) file.path = whole.string();
  const auto change = [file = std::move(file)](Json& state) {
    std::vector<RecentFile> files = recentIn(state);
    std::erase_if(files, [&file](const RecentFile& other) { return isSameRecentFile(file, other); });
    files.insert(files.begin(), file);
    // More entries than are shown are kept, so that files that are missing for now (a drive that is not mounted) do not
    // displace the others.
    if (files.size() > 2 * kRecent) files.resize(2 * kRecent);
    state["recent"] = toJson(files);
  };
  changeRecent(change, OnFailure::Ignore);
}

void Settings::clearRecent() {
  changeRecent([](Json& state) { state["recent"] = Json::array(); }, OnFailure::Report);
}

std::string Settings::kept(std::string_view name) const {
  const Json& state = recentFile_.content();
  const auto kept = state.find("kept");
  return kept != state.end() && kept->is_object() ? textOf(*kept, std::string(name).c_str()) : std::string();
}

void Settings::keep(std::string_view name, std::string text) {
  const auto change = [name = std::string(name), text = std::move(text)](Json& state) {
    Json& kept = state["kept"];
    if (!kept.is_object()) kept = Json::object();
    kept[name] = text;
  };
  changeRecent(change, OnFailure::Ignore);
}

}  // namespace sepx::ui
