// SPDX-License-Identifier: Apache-2.0
#include "engine/render/svg_pictures.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/render/svg_text.h"

namespace sepx::render::svg {

std::string Pictures::element(const Picture& picture, const std::string& where, const char* link) {
  return fmt::format("<image {} preserveAspectRatio=\"none\"{} {}=\"data:image/png;base64,{}\"/>\n", where,
                     picture.smooth ? "" : " image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\"",
                     link, base64(picture.png));
}

std::string Pictures::place(std::string png, const Rect& page, bool smooth) {
  auto at = std::find_if(pictures_.begin(), pictures_.end(),
                         [&](const Picture& one) { return one.smooth == smooth && one.png == png; });
  if (at == pictures_.end()) at = pictures_.insert(at, {std::move(png), smooth, 0});
  ++at->times;
  placed_.push_back({static_cast<std::size_t>(at - pictures_.begin()), page});
  return fmt::format("{}{}{}", kMark, placed_.size() - 1, kMark);
}

std::string Pictures::resolve(const std::string& text, std::string& definitions, const std::string& prefix,
                              const char* link) const {
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    if (pictures_[i].times < 2) continue;
    definitions +=
        element(pictures_[i], fmt::format("id=\"{}picture{}\" width=\"1\" height=\"1\"", prefix, i + 1), link);
  }
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, from)) {
    out.append(text, from, at - from);
    const std::size_t end = text.find(kMark, at + 1);
    const Placed& placed = placed_[std::stoul(text.substr(at + 1, end - at - 1))];
    const Picture& picture = pictures_[placed.picture];
    const Rect& page = placed.page;
    if (picture.times < 2) {
      out += element(picture,
                     fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", num(page.min.x), num(page.min.y),
                                 num(page.width()), num(page.height())),
                     link);
    } else {
      out += fmt::format("<use {}=\"#{}picture{}\" transform=\"translate({} {}) scale({} {})\"/>\n", link, prefix,
                         placed.picture + 1, num(page.min.x), num(page.min.y), num(page.width()), num(page.height()));
    }
    from = end + 1;
  }
  return out.append(text, from, std::string::npos);
}

}  // namespace sepx::render::svg
