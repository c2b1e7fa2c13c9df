// SPDX-License-Identifier: Apache-2.0
// Sentences whose wording depends on a number: "1 run", "2 runs", with as many forms as a language has. Any thread;
// never throws, like trFormat().
#pragma once

#include <concepts>
#include <cstdint>

#include <fmt/format.h>

#include "ui/properties/tr_format.h"

namespace sepx::ui {

/// The translated form for n; if there is none, the translation of the English form.
const char* pluralOf(const char* one, const char* other, std::uint64_t n);

/// `trPlural("{} run", "{} runs", count)`: the number is the first value of both texts, `values` follow it.
template <std::integral Number, class... Values>
std::string trPlural(fmt::format_string<Number&, Values...> one, fmt::format_string<Number&, Values...> other, Number n,
                     Values&&... values) {
  const auto count = static_cast<std::uint64_t>(n);
  const char* const english = fmt::string_view(count == 1 ? one : other).data();
  return formatted(pluralOf(fmt::string_view(one).data(), fmt::string_view(other).data(), count), english,
                   fmt::make_format_args(n, values...));
}

}  // namespace sepx::ui
