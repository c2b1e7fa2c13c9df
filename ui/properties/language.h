// SPDX-License-Identifier: Apache-2.0
// In which language the program speaks. It changes while the program runs: what keeps a text, or a picture made of
// texts, keeps languageRevision() with it. Any thread; a change by the frame thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::ui {

inline constexpr const char* kEnglish = "en";
/// What a setting calls the language of the system.
inline constexpr const char* kSystemLanguage = "system";

/// English, then those whose catalogue lies beside the program (../share/locale), else in /usr/share/locale: "zh_CN".
const std::vector<std::string>& languageKeys();
/// In the language itself: "English", "简体中文". The key where a catalogue cannot be read.
std::string languageName(const std::string& key);
/// What $SEPX_LANGUAGE says, else the first of languageKeys() that the variables of the locale ask for, else English.
std::string systemLanguage();

/// "en", one of languageKeys(), "system", or "pseudo" (pseudo_language.h). Usage with the languages there are; BadInput
/// for a catalogue that is broken. The language then stays as it was.
Result<void> setLanguage(std::string_view key);
/// Never "system".
std::string language();
/// Increases with every change of language.
std::uint64_t languageRevision();

/// What the language's texts are made of beyond the letters of English, for those who make fonts ready; and texts that
/// are in no catalogue, such as lessons, whatever language they are in: of these at most 6,000 characters.
std::set<char32_t> languageCharacters();
/// Of the language's own texts alone, without which it cannot be shown; none of English.
std::set<char32_t> catalogueCharacters();
void addLanguageCharacters(std::string_view text);

}  // namespace sepx::ui
