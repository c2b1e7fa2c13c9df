// SPDX-License-Identifier: Apache-2.0
// Whether texts in Chinese can be shown here; otherwise a test that shows some says so and ends.
#pragma once

#include <catch2/catch.hpp>

#include "engine/render/font.h"

namespace sepx::tests {

inline bool chineseCanBeShown() {
  if (render::hasGlyph(U'文')) return true;
  WARN("skipped: no typeface with Chinese characters is installed (package fonts-noto-cjk)");
  return false;
}

}  // namespace sepx::tests
