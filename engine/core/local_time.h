// SPDX-License-Identifier: Apache-2.0
// Times of records are kept in UTC, as ISO 8601; people read and write them as their own clock shows them. Pure but for
// the time zone of the process; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sepx {

/// Seconds since 1970 of "2026-11-21T04:16:13Z"; nothing for any other text.
std::optional<std::int64_t> secondsOf(std::string_view utc);
/// The other way round.
std::string utcOf(std::int64_t secondsSince1970);
/// "2026-11-21 05:16:13", where the person is.
std::string localTime(std::int64_t secondsSince1970);

}  // namespace sepx
