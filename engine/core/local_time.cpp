// SPDX-License-Identifier: Apache-2.0
#include "engine/core/local_time.h"

#include <ctime>

#include <fmt/format.h>

namespace sepx {

std::optional<std::int64_t> secondsOf(std::string_view utc) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00Z";
  if (utc.size() != kShape.size()) return std::nullopt;
  for (std::size_t i = 0; i < utc.size(); ++i) {
    const bool digit = utc[i] >= '0' && utc[i] <= '9';
    if (kShape[i] == '0' ? !digit : utc[i] != kShape[i]) return std::nullopt;
  }
  const auto number = [utc](std::size_t at, std::size_t length) {
    int value = 0;
    for (const char digit : utc.substr(at, length))
      value = 10 * value + (digit - '0');
    return value;
  };
  std::tm parts{};
  parts.tm_year = number(0, 4) - 1900;
  parts.tm_mon = number(5, 2) - 1;
  parts.tm_mday = number(8, 2);
  parts.tm_hour = number(11, 2);
  parts.tm_min = number(14, 2);
  parts.tm_sec = number(17, 2);
  return static_cast<std::int64_t>(::timegm(&parts));
}

std::string utcOf(std::int64_t secondsSince1970) {
  const auto time = static_cast<std::time_t>(secondsSince1970);
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string localTime(std::int64_t secondsSince1970) {
  const auto time = static_cast<std::time_t>(secondsSince1970);
  std::tm parts{};
  ::localtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace sepx
