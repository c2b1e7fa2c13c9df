// SPDX-License-Identifier: Apache-2.0
#include "ui/properties/tr.h"

#include <clocale>

#include "ui/properties/language.h"
#include "ui/properties/language_texts.h"
#include "ui/properties/tr_plural.h"

namespace sepx::ui {

const char* tr(const char* text) {
  const Translations* const translations = presentTranslations();
  if (!translations || text[0] == '\0') return text;
  const char* const found = translations->find(text);
  return found ? found : text;
}

std::string tr(const std::string& text) {
  return tr(text.c_str());
}

const char* pluralOf(const char* one, const char* other, std::uint64_t n) {
  const Translations* const translations = presentTranslations();
  const char* const found = translations ? translations->findPlural(one, n) : nullptr;
  return found ? found : tr(n == 1 ? one : other);
}

void setUpTranslations() {
  // If the catalogue cannot be read, the program starts in English.
  static_cast<void>(setLanguage(kSystemLanguage));
  std::setlocale(LC_NUMERIC, "C");
}

}  // namespace sepx::ui
