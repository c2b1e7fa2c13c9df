// SPDX-License-Identifier: Apache-2.0
// The pictures inside an SVG document, of svg_writer.cpp alone. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/render/scene_types.h"

namespace sepx::render::svg {

/// Pictures as PNG files; one that stands at several places is kept once.
class Pictures {
 public:
  /// Where it stands is written as a mark, which resolve() replaces.
  std::string place(std::string png, const Rect& page, bool smooth);
  /// `definitions` gets what stands at several places. `prefix`: of ids; `link`: the attribute that refers to them.
  std::string resolve(const std::string& text, std::string& definitions, const std::string& prefix,
                      const char* link) const;

 private:
  static constexpr char kMark = '\x01';  // in no text that was escaped
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
