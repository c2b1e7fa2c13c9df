// SPDX-License-Identifier: Apache-2.0
// Removes a folder with what is in it. Any thread. std::filesystem::remove_all lists folders by iterators that end the
// program (GCC 12) where a name finds no memory; this asks for none, so that a destructor may call it.
#pragma once

#include <string>
#include <system_error>

namespace sepx {

inline constexpr int kDeepestRemoved = 200;  ///< folders in one another; a descriptor is open for each

/// Removes the file or the folder at `path`; a link is removed, not what it names. Nothing there is no error. At the
/// first thing that cannot be removed it goes on with the others, and its reason is returned; what lies deeper than
/// kDeepestRemoved stays (filename_too_long).
std::error_code removeFolder(const std::string& path) noexcept;

}  // namespace sepx
