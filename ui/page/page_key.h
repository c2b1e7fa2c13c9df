// SPDX-License-Identifier: Apache-2.0
// The key of the parameter that selects the page of an exhibit (declared in paged_exhibit.h). Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace sepx::ui {

inline std::string pageKey(std::string_view exhibit) {
  return std::string(exhibit) + ".page";
}

}  // namespace sepx::ui
