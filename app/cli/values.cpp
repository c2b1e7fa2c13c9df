// SPDX-License-Identifier: Apache-2.0
// Converts text of the command line to values; see values.h.
#include "app/cli/values.h"

#include <cmath>

#include "app/cli/text.h"
#include "engine/core/number.h"
#include "engine/core/try.h"

namespace sepx::app::cli {

Result<double> toNumber(std::string_view option, std::string_view text) {
  const std::optional<double> value = parseNumber(text);
  if (!value) return failf(ErrorKind::Usage, N_("{}: '{}' is not a number"), option, text);
  if (!std::isfinite(*value)) return failf(ErrorKind::Usage, N_("{}: '{}' is not a finite number"), option, text);
  return *value;
}

Result<long long> toInteger(std::string_view option, std::string_view text, long long least, long long most) {
  const std::optional<double> value = parseNumber(text);
  const bool whole = value && std::isfinite(*value) && *value == std::floor(*value);
  if (!whole || *value < static_cast<double>(least) || *value > static_cast<double>(most)) {
    return failf(ErrorKind::Usage, N_("{}: '{}' is not a whole number from {} to {}"), option, text, least, most);
  }
  return static_cast<long long>(*value);
}

std::vector<std::string> toWords(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = text.find(',', begin);
    words.emplace_back(text.substr(begin, comma == std::string_view::npos ? comma : comma - begin));
    if (comma == std::string_view::npos) return words;
    begin = comma + 1;
  }
}

Result<std::vector<double>> toNumbers(std::string_view option, std::string_view text) {
  std::vector<double> numbers;
  for (const std::string& word : toWords(text)) {
    SEPX_ASSIGN(const double number, toNumber(option, word));
    numbers.push_back(number);
  }
  return numbers;
}

Result<Size> toSize(std::string_view option, std::string_view text, int most) {
  const std::size_t cross = text.find('x');
  if (cross != std::string_view::npos) {
    const Result<long long> width = toInteger(option, text.substr(0, cross), 1, most);
    const Result<long long> height = toInteger(option, text.substr(cross + 1), 1, most);
    if (width && height) return Size{static_cast<int>(*width), static_cast<int>(*height)};
  }
  return failf(ErrorKind::Usage, N_("{}: '{}' is not a size such as 640x480 with sides from 1 to {}"), option, text,
               most);
}

}  // namespace sepx::app::cli
