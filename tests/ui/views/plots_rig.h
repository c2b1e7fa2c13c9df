// SPDX-License-Identifier: Apache-2.0
// Helpers that the tests of plots share.
#pragma once

#include <variant>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/theme.h"

namespace sepx::ui {

inline const Theme& dark() {
  return *findTheme("dark");
}

/// The items of one kind.
template <typename Kind>
std::vector<Kind> all(const std::vector<render::Item>& items) {
  std::vector<Kind> found;
  for (const render::Item& item : items)
    if (const auto* one = std::get_if<Kind>(&item)) found.push_back(*one);
  return found;
}

}  // namespace sepx::ui
