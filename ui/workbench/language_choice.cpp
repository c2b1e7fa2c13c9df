// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/language_choice.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/core/try.h"
#include "engine/render/font.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/settings.h"

namespace sepx::ui {

Result<void> useLanguage(std::string_view key) {
  const std::string before = language();
  SEPX_TRY(setLanguage(key));
  if (std::ranges::all_of(languageCharacters(), render::hasGlyph)) return {};
  const std::string wanted = language();
  SEPX_TRY(setLanguage(before == wanted ? kEnglish : before));
  return fail(
      ErrorKind::BadInput,
      trFormat("{}: no typeface with its characters is installed (package fonts-noto-cjk); the language stays {}",
               languageName(wanted), languageName(language())));
}

void addLanguageCommands(Commands& to, WindowState& window) {
  Settings* const settings = window.options.settings;
  const std::string menu = std::string(tr("View")) + "/" + tr("Language");
  const std::string chosen = settings ? toString(settings->get("settings.language")) : language();
  std::vector<std::string> keys{kSystemLanguage};
  keys.insert(keys.end(), languageKeys().begin(), languageKeys().end());
  for (const std::string& key : keys) {
    const std::string label = key == kSystemLanguage ? tr("As the system") : languageName(key);
    to.add({"language." + key, label, "", menu, true, chosen == key}, [&window, settings, key]() -> Result<void> {
      SEPX_TRY(useLanguage(key));
      window.redraw();
      return settings ? settings->set("settings.language", key) : Result<void>();
    });
  }
}

}  // namespace sepx::ui
