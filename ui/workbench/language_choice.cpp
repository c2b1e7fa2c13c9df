// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/language_choice.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "engine/core/file.h"
#include "engine/core/try.h"
#include "engine/render/font.h"
#include "ui/document/lesson.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/settings.h"

namespace sepx::ui {

Result<void> useLanguage(std::string_view key) {
  const std::string before = language();
  SEPX_TRY(setLanguage(key));
  if (std::ranges::all_of(catalogueCharacters(), render::hasGlyph)) return {};
  const std::string wanted = language();
  SEPX_TRY(setLanguage(before == wanted ? kEnglish : before));
  return fail(
      ErrorKind::BadInput,
      trFormat("{}: no typeface with its characters is installed (package fonts-noto-cjk); the language stays {}",
               languageName(wanted), languageName(language())));
}

std::vector<std::pair<std::string, std::string>> lessonsInLanguage(
    const std::vector<std::pair<std::string, std::string>>& lessons) {
  namespace fs = std::filesystem;
  constexpr std::size_t kLargest = std::size_t{1} << 20;
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& [path, title] : lessons) {
    const fs::path file(path);
    fs::path folder = file.parent_path();
    if (std::ranges::count(languageKeys(), folder.filename().string()) > 0) folder = folder.parent_path();
    std::error_code failed;
    fs::path wanted = folder / language() / file.filename();
    if (!fs::is_regular_file(wanted, failed)) wanted = folder / file.filename();
    const auto lesson = wanted == file || !fs::is_regular_file(wanted, failed)
                            ? Result<Lesson>(fail(ErrorKind::Usage, ""))
                            : readLesson(wanted.string());
    if (!lesson) {
      all.emplace_back(path, title);
      continue;
    }
    if (const auto text = readFile(wanted.string(), kLargest)) addLanguageCharacters(*text);
    all.emplace_back(wanted.string(), lesson->title);
  }
  return all;
}

void addLanguageCommands(Commands& to, WindowState& window) {
  Settings* const settings = window.options.settings;
  const std::string menu = std::string(tr("View")) + "/" + tr("Language");
  const std::string chosen = settings ? toString(settings->get("settings.language")) : language();
  std::vector<std::string> keys{kSystemLanguage};
  keys.insert(keys.end(), languageKeys().begin(), languageKeys().end());
  for (const std::string& key : keys) {
    const std::string label = key == kSystemLanguage ? tr("System language") : languageName(key);
    to.add({"language." + key, label, "", menu, true, chosen == key}, [&window, settings, key]() -> Result<void> {
      SEPX_TRY(useLanguage(key));
      window.redraw();
      return settings ? settings->set("settings.language", key) : Result<void>();
    });
  }
}

}  // namespace sepx::ui
