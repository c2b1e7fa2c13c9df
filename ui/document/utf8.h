// SPDX-License-Identifier: Apache-2.0
// Is a text from outside UTF-8? Pure; any thread.
#pragma once

#include <optional>
#include <string_view>

namespace sepx::ui {

/// Offset of the first byte that does not belong to a well-formed character (RFC 3629: no overlong forms, no
/// surrogates).
std::optional<std::size_t> firstNotUtf8(std::string_view text);

}  // namespace sepx::ui
