// SPDX-License-Identifier: Apache-2.0
// Translated sentences with values in them. The compiler checks that an English text matches its values; a translation
// that does not match them is ignored at run time. None of these functions throws. Any thread.
#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/tr.h"

namespace sepx::ui {

/// The translation of `text` with its {} replaced. If the translation does not match the values, the English text with
/// its {} replaced; if that does not match either, `text` unchanged.
std::string formatted(const char* text, fmt::format_args values);
/// The same for a translation that the caller has already looked up.
std::string formatted(const char* translated, const char* text, fmt::format_args values);

/// The same for a literal.
template <class... Values>
std::string trFormat(fmt::format_string<Values...> text, Values&&... values) {
  return formatted(fmt::string_view(text).data(), fmt::make_format_args(values...));
}

/// The same for one of two literals that take the same values.
template <class... Values>
std::string trEither(bool first, fmt::format_string<Values...> one, fmt::format_string<Values...> other,
                     Values&&... values) {
  return formatted(fmt::string_view(first ? one : other).data(), fmt::make_format_args(values...));
}

/// The translated text of a sentence of engine/.
std::string trFormat(const Sentence& sentence);

}  // namespace sepx::ui
