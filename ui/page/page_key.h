// SPDX-License-Identifier: Apache-2.0
// The name of the parameter that says which page of an exhibit is in sight (paged_exhibit.h declares it). Pure; any
// thread.
#pragma once

#include <string>
#include <string_view>

namespace sepx::ui {

inline std::string pageKey(std::string_view exhibit) {
  return std::string(exhibit) + ".page";
}

}  // namespace sepx::ui
