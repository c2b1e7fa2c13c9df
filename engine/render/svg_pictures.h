// SPDX-License-Identifier: Apache-2.0
// The pictures inside an SVG document, used only by svg_writer.cpp. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/render/scene_types.h"

namespace sepx::render::svg {

/// Pictures as PNG files. A picture that is used at several places is stored once.
class Pictures {
 public:
  /// Returns a placeholder for the picture, which resolve() replaces.
  std::string place(std::string png, const Rect& page, bool smooth);
  /// Replaces the placeholders in `text`. Appends the pictures that are used at several places to `definitions`.
  /// `prefix`: beginning of their ids; `link`: the attribute that refers to them.
  std::string resolve(const std::string& text, std::string& definitions, const std::string& prefix,
                      const char* link) const;

 private:
  static constexpr char kMark = '\x01';  // does not occur in escaped text
  struct Placed {
    std::size_t picture = 0;
    Rect page;
  };
  struct Picture {
    std::string png;
    bool smooth = true;
    std::size_t times = 0;
  };
  static std::string element(const Picture& picture, const std::string& where, const char* link);
  std::vector<Picture> pictures_;
  std::vector<Placed> placed_;
};

}  // namespace sepx::render::svg
