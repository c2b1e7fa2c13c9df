// SPDX-License-Identifier: Apache-2.0
#include "ui/properties/tr.h"

#include <clocale>
#include <filesystem>

#include <libintl.h>

namespace sepx::ui {
namespace {

constexpr const char* kDomain = "separatrix";

/// Catalogues stand beside the program's folder: PREFIX/bin/separatrix, PREFIX/share/locale.
std::string catalogueFolder() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    const std::filesystem::path folder = program.parent_path().parent_path() / "share" / "locale";
    if (std::filesystem::is_directory(folder, error)) return folder.string();
  }
  return "/usr/share/locale";
}

}  // namespace

const char* tr(const char* text) {
  // gettext answers the empty text with the catalogue's header.
  return text[0] == '\0' ? text : dgettext(kDomain, text);
}

std::string tr(const std::string& text) {
  return tr(text.c_str());
}

void setUpTranslations() {
  bindtextdomain(kDomain, catalogueFolder().c_str());
  bind_textdomain_codeset(kDomain, "UTF-8");
  std::setlocale(LC_NUMERIC, "C");
}

}  // namespace sepx::ui
