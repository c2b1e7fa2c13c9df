// SPDX-License-Identifier: Apache-2.0
// A value as scripts, lessons and homework compare it: its texts are English in whatever language the program speaks,
// so that a lesson holds in every one. Frame thread.
#pragma once

#include <string_view>

#include "ui/properties/language_texts.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {

/// As Workbench::get().
inline Result<Value> scriptValue(const Workbench& workbench, std::string_view key) {
  const EnglishTexts english;
  return workbench.get(key);
}

}  // namespace sepx::ui
