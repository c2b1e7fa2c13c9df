// SPDX-License-Identifier: Apache-2.0
// Checks that a scene contains no value that is not finite: positions, curves, maps, and the numbers in labels.
#pragma once

#include <algorithm>
#include <cmath>
#include <regex>
#include <string>
#include <type_traits>
#include <variant>

#include "engine/render/scene.h"
#include "engine/render/scene3.h"

namespace sepx::ui {

inline bool finite(render::Point p) {
  return std::isfinite(p.x) && std::isfinite(p.y);
}
inline bool finite(const render::Rect& r) {
  return finite(r.min) && finite(r.max);
}

/// Whether a text contains nan or inf as a separate word.
inline bool showsNoNumber(const std::string& text) {
  static const std::regex word("(^|[^A-Za-z])(nan|inf)($|[^A-Za-z])", std::regex::icase);
  return std::regex_search(text, word);
}

/// Names the first item with a value that is not finite, or empty. `gaps`: NaN may mark a gap in a line.
inline std::string firstBad(const render::Scene& scene, bool gaps = false) {
  if (!finite(scene.plot) || !finite(scene.window)) return "plot or window";
  for (const render::Layer& layer : scene.layers) {
    for (const render::Item& item : layer.items) {
      const bool good = std::visit(
          [gaps](const auto& i) {
            using T = std::decay_t<decltype(i)>;
            if constexpr (std::is_same_v<T, render::Heatmap>) {
              return finite(i.extent) &&
                     std::all_of(i.values->begin(), i.values->end(), [](float v) { return std::isfinite(v); });
            } else if constexpr (std::is_same_v<T, render::LabelMap>) {
              return finite(i.extent) && std::all_of(i.labels->begin(), i.labels->end(),
                                                     [&](std::uint8_t l) { return l < i.palette.size(); });
            } else if constexpr (std::is_same_v<T, render::Polyline> || std::is_same_v<T, render::Fill>) {
              bool ok = std::all_of(i.points.begin(), i.points.end(),
                                    [gaps](render::Point p) { return finite(p) || (gaps && std::isnan(p.y)); });
              if constexpr (std::is_same_v<T, render::Polyline>)
                ok = ok && (i.fade.empty() || i.fade.size() == i.points.size()) &&
                     std::all_of(i.fade.begin(), i.fade.end(), [](float f) { return f >= 0 && f <= 1; });
              return ok;
            } else if constexpr (std::is_same_v<T, render::Solid>) {
              return i.scene != nullptr && finite(i.scene->plot);
            } else if constexpr (std::is_same_v<T, render::Marker>) {
              return finite(i.at);
            } else {
              return finite(i.at) && !showsNoNumber(i.text);
            }
          },
          item);
      if (!good) return "layer " + layer.name;
    }
  }
  return "";
}

}  // namespace sepx::ui
