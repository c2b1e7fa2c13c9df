// SPDX-License-Identifier: Apache-2.0
// Reads a value as scripts, lessons and homework compare it: its texts are English in every language of the interface,
// so that a lesson works in all of them. Frame thread.
#pragma once

#include <string_view>

#include "ui/properties/language_texts.h"
#include "ui/workbench/workbench.h"

namespace sepx::ui {

/// Like Workbench::get(), with English texts.
inline Result<Value> scriptValue(const Workbench& workbench, std::string_view key) {
  const EnglishTexts english;
  return workbench.get(key);
}

}  // namespace sepx::ui
