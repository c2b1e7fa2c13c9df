// SPDX-License-Identifier: Apache-2.0
// See readable.h.
#include "ui/canvas/readable.h"

namespace sepx::ui {

render::Color readable(render::Color color, render::Color ground, const Theme& theme) {
  constexpr double kText = 4.5;
  constexpr int kSteps = 20;
  const render::Color own = color, text = theme.text;
  for (int i = 1; i <= kSteps && contrast(color, ground) < kText; ++i) {
    const float share = static_cast<float>(i) / kSteps;
    color = {own.r + (text.r - own.r) * share, own.g + (text.g - own.g) * share, own.b + (text.b - own.b) * share,
             own.a};
  }
  return color;
}

}  // namespace sepx::ui
