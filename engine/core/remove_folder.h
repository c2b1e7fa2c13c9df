// SPDX-License-Identifier: Apache-2.0
// Removes a folder with its content. Any thread. std::filesystem::remove_all (GCC 12) uses iterators that terminate the
// program if memory for a name cannot be allocated. This function needs no such memory, so that a destructor may call
// it.
#pragma once

#include <string>
#include <system_error>

namespace sepx {

inline constexpr int kDeepestRemoved = 200;  ///< nested folders; a descriptor is open for each level

/// Removes the file or the folder at `path`. A link is removed, not its target. A missing path is no error. If
/// something cannot be removed, the others still are, and the first error is returned. Content deeper than
/// kDeepestRemoved is kept (filename_too_long).
std::error_code removeFolder(const std::string& path) noexcept;

}  // namespace sepx
