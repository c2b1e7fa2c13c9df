// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/picture_ink.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/render/png.h"

namespace sepx::ui {

PictureInk* PictureInk::current() {
  return ImGui::GetCurrentContext() ? static_cast<PictureInk*>(ImGui::GetIO().BackendLanguageUserData) : nullptr;
}

bool PictureInk::draw(const std::string& path, float width) {
  wanted_ = path;
  if (needsAtlasUpdate()) return false;
  if (rect_ < 0) return true;
  const float height = width * static_cast<float>(pixels_.extent.height) / static_cast<float>(pixels_.extent.width);
  ImGui::Image(ImGui::GetIO().Fonts->TexID, {width, height}, uvMin_, uvMax_);
  return true;
}

void PictureInk::reserve(ImFontAtlas& atlas) {
  rect_ = -1;
  if (std::exchange(held_, wanted_) != wanted_) {
    auto read = render::readPng(wanted_);
    const bool fits = read && std::max(read->extent.width, read->extent.height) <= kMostPixels;
    pixels_ = fits ? std::move(*read) : gpu::Pixels();
  }
  if (!pixels_.rgba.empty())
    rect_ = atlas.AddCustomRectRegular(static_cast<int>(pixels_.extent.width), static_cast<int>(pixels_.extent.height));
}

void PictureInk::fill(ImFontAtlas& atlas) {
  if (rect_ < 0) return;
  unsigned char* to = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&to, &width, &height);
  const ImFontAtlasCustomRect* const rect = atlas.GetCustomRectByIndex(rect_);
  if (!rect->IsPacked()) {
    rect_ = -1;
    return;
  }
  const std::size_t line = std::size_t{4} * pixels_.extent.width;
  for (std::size_t y = 0; y < pixels_.extent.height; ++y)
    std::memcpy(to + 4 * ((rect->Y + y) * static_cast<std::size_t>(width) + rect->X), pixels_.rgba.data() + y * line,
                line);
  atlas.CalcCustomRectUV(rect, &uvMin_, &uvMax_);
}

}  // namespace sepx::ui
