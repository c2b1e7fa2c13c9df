// SPDX-License-Identifier: Apache-2.0
// Whether Chinese texts can be shown on this machine. Otherwise a test that shows them prints a warning and ends.
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
