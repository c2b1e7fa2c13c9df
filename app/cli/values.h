// SPDX-License-Identifier: Apache-2.0
// Converts text of the command line to values. Every failure is Usage with one sentence that names the option. Any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::app::cli {

/// A finite number. Anything else, including "nan" and "inf", is refused.
Result<double> toNumber(std::string_view option, std::string_view text);
/// A whole number inside [least, most].
Result<long long> toInteger(std::string_view option, std::string_view text, long long least, long long most);
/// Finite numbers separated by commas.
Result<std::vector<double>> toNumbers(std::string_view option, std::string_view text);
/// Words separated by commas, in the given order.
std::vector<std::string> toWords(std::string_view text);

struct Size {
  int width = 0, height = 0;
};
/// "640x480"; sides from 1 to `most`.
Result<Size> toSize(std::string_view option, std::string_view text, int most);

}  // namespace sepx::app::cli
