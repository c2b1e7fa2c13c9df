// SPDX-License-Identifier: Apache-2.0
// Checks, decodes and encodes UTF-8, well-formed by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
// Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sepx {

/// Offset of the first byte that does not belong to a well-formed character; empty optional if all do.
std::optional<std::size_t> findInvalidUtf8(std::string_view text);

/// Code points; a byte that belongs to no well-formed character becomes U+FFFD.
std::vector<char32_t> decodeUtf8(std::string_view text);

/// Appends the 1 to 4 bytes of a code point, or those of U+FFFD for a surrogate or a value above U+10FFFF.
void appendUtf8(std::string& text, char32_t code);

}  // namespace sepx
