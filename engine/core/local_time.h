// SPDX-License-Identifier: Apache-2.0
// Converts times. Records store them in UTC, as ISO 8601; the user reads and writes them in local time. Pure except for
// the time zone of the process; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sepx {

/// Seconds since 1970 of "2026-11-21T04:16:13Z"; empty optional for any other format.
std::optional<std::int64_t> secondsOf(std::string_view utc);
/// The inverse of secondsOf().
std::string utcOf(std::int64_t secondsSince1970);
/// "2026-11-21 05:16:13" in the local time zone.
std::string localTime(std::int64_t secondsSince1970);

}  // namespace sepx
