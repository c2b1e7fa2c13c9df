// SPDX-License-Identifier: Apache-2.0
// A translated sentence with values in it. That a text and its values go together is checked where it is compiled, for
// the English text; a translation that asks for other values is passed over. So none of these ever throws. Any thread.
#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/tr.h"

namespace sepx::ui {

/// The translation of `text` with its {} replaced; where they cannot be, the English text with its {} replaced, else as
/// it stands.
std::string formatted(const char* text, fmt::format_args values);
/// The same with the translation at hand.
std::string formatted(const char* translated, const char* text, fmt::format_args values);

/// The same for a literal.
template <class... Values>
std::string trFormat(fmt::format_string<Values...> text, Values&&... values) {
  return formatted(fmt::string_view(text).data(), fmt::make_format_args(values...));
}

/// One of two literals with the same values.
template <class... Values>
std::string trEither(bool first, fmt::format_string<Values...> one, fmt::format_string<Values...> other,
                     Values&&... values) {
  return formatted(fmt::string_view(first ? one : other).data(), fmt::make_format_args(values...));
}

/// A text of the engine.
std::string trFormat(const Sentence& sentence);

}  // namespace sepx::ui
