// SPDX-License-Identifier: Apache-2.0
// A basin map as a picture; see label_picture.h.
#include "app/cli/label_picture.h"

#include <array>
#include <cmath>

#include "app/cli/text.h"
#include "engine/render/png.h"
#include "engine/render/recipe.h"
#include "ui/canvas/theme.h"
#include "ui/exhibits/flow/shared/flow_scene.h"

namespace sepx::app::cli {
namespace {

std::uint8_t toByte(float channel) {
  return static_cast<std::uint8_t>(std::lround(255.0f * std::min(1.0f, std::max(0.0f, channel))));
}

}  // namespace

Result<void> writeLabelPicture(const dynamics::BasinMap& map, const std::string& theme, const std::string& path,
                               const std::string& recipe) {
  const ui::Theme* colors = ui::findTheme(theme.empty() ? "dark" : theme);
  if (colors == nullptr) return failf(ErrorKind::Usage, N_("--theme: there is no theme '{}'"), theme);
  gpu::Pixels pixels;
  pixels.extent = {static_cast<std::uint32_t>(map.window.width), static_cast<std::uint32_t>(map.window.height)};
  pixels.rgba.reserve(4 * map.labels.size());
  for (const std::uint8_t label : map.labels) {
    const render::Color color = ui::kindColor(*colors, static_cast<dynamics::LimitKind>(label));
    for (const float channel : {color.r, color.g, color.b})
      pixels.rgba.push_back(toByte(channel));
    pixels.rgba.push_back(255);
  }
  return render::writePng(pixels, path, {{render::kRecipeKey, recipe}});
}

}  // namespace sepx::app::cli
