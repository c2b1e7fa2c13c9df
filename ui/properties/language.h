// SPDX-License-Identifier: Apache-2.0
// The language of the program. It can change at run time, so whatever stores a text, or a picture made of texts, must
// store languageRevision() with it. All functions may be called from any thread; the frame thread changes the language.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::ui {

inline constexpr const char* kEnglish = "en";
/// The name of the system's language in a setting.
inline constexpr const char* kSystemLanguage = "system";

/// English, then the languages with a catalogue next to the program (../share/locale) or in /usr/share/locale, for
/// example "zh_CN".
const std::vector<std::string>& languageKeys();
/// The name in the language itself: "English", "简体中文". The key if its catalogue cannot be read.
std::string languageName(const std::string& key);
/// The language in $SEPX_LANGUAGE, otherwise the first of languageKeys() that the locale variables request, otherwise
/// English.
std::string systemLanguage();

/// `key` is "en", one of languageKeys(), "system" or "pseudo" (pseudo_language.h). Usage with the list of known
/// languages for any other key, BadInput for a broken catalogue. On an error the language stays unchanged.
Result<void> setLanguage(std::string_view key);
/// The key of the present language; never "system".
std::string language();
/// Increases with every change of the language or of languageCharacters().
std::uint64_t languageRevision();

/// The characters from U+2E80 on that the present language needs, for preparing fonts (every font of the program has
/// the characters below). Includes at most 6,000 characters of texts that are in no catalogue, such as lessons, in any
/// language (addLanguageCharacters()).
std::set<char32_t> languageCharacters();
/// Only the characters of the language's own catalogue, without which it cannot be displayed. Empty for English.
std::set<char32_t> catalogueCharacters();
void addLanguageCharacters(std::string_view text);

}  // namespace sepx::ui
