// SPDX-License-Identifier: Apache-2.0
// Checks whether the texts of a scene overlap or extend past its edge.
#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/render/font.h"
#include "engine/render/scene.h"

namespace sepx::ui {

struct Word {
  std::string layer, text;
  render::Rect box;
};

inline render::Rect boxOf(const render::Label& label) {
  const double width = render::measure(label.text, label.size, label.bold).width, height = 0.8 * label.size;
  const double left = label.alignX == render::AlignX::Left     ? 0
                      : label.alignX == render::AlignX::Center ? width / 2
                                                               : width;
  const double top = label.alignY == render::AlignY::Middle ? height / 2
                     : label.alignY == render::AlignY::Top  ? 0
                                                            : height;
  const render::Point at{label.at.x + label.offset.x - left, label.at.y + label.offset.y - top};
  return {at, {at.x + width, at.y + height}};
}

/// Texts in page coordinates; rotated labels of axes have a margin of their own and are left out.
inline std::vector<Word> wordsOf(const render::Scene& scene) {
  std::vector<Word> words;
  for (const render::Layer& layer : scene.layers)
    for (const render::Item& item : layer.items)
      if (const auto* label = std::get_if<render::Label>(&item))
        if (!label->vertical && label->space == render::Space::Page && !label->text.empty())
          words.push_back({layer.name, label->text, boxOf(*label)});
  return words;
}

/// Labels in data coordinates too, of the layers whose names end in one of `layers`.
inline std::vector<Word> namesOf(const render::Scene& scene, const std::vector<std::string>& layers) {
  std::vector<Word> words;
  for (const render::Layer& layer : scene.layers) {
    const auto ends = [&layer](const std::string& end) { return layer.name.ends_with(end); };
    if (std::none_of(layers.begin(), layers.end(), ends)) continue;
    for (const render::Item& item : layer.items) {
      const auto* label = std::get_if<render::Label>(&item);
      if (!label || label->text.empty()) continue;
      render::Label there = *label;
      if (there.space == render::Space::Data) there.at = render::toPage(scene, there.at);
      words.push_back({layer.name, there.text, boxOf(there)});
    }
  }
  return words;
}

/// Size of the page in points, and pixels per point: windows of 1280x720 and 1920x1080 pixels at scale 1 and 2, with
/// and without docks, and one pane of two and of four.
struct PageWindow {
  render::Point size;
  float scale = 1;
};
inline constexpr PageWindow kPageWindows[] = {{{738, 648}}, {{1378, 1007}},  {{960, 372}},
                                              {{640, 400}}, {{1280, 680}},   {{1920, 1040}},
                                              {{420, 330}}, {{960, 500}, 2}, {{640, 330}, 2}};

/// One line for every text past the sides of a page of this `width` and for every two texts that overlap. `mayMeet`:
/// true for two texts that may overlap.
inline std::string wordFaults(const render::Scene& scene, double width,
                              const std::function<bool(const Word&, const Word&)>& mayMeet = nullptr) {
  const std::vector<Word> words = wordsOf(scene);
  std::set<std::string> faults;
  for (std::size_t a = 0; a < words.size(); ++a) {
    const render::Rect& one = words[a].box;
    if (one.min.x < -2 || one.max.x > width + 2) faults.insert(words[a].layer + " past the edge: " + words[a].text);
    for (std::size_t b = 0; b < a; ++b) {
      if (mayMeet && mayMeet(words[a], words[b])) continue;
      const render::Rect& other = words[b].box;
      if (one.min.x + 1 < other.max.x && other.min.x + 1 < one.max.x && one.min.y + 1 < other.max.y &&
          other.min.y + 1 < one.max.y)
        faults.insert(words[b].layer + ": " + words[b].text + " | " + words[a].layer + ": " + words[a].text);
    }
  }
  std::string all;
  for (const std::string& fault : faults)
    all += "\n  " + fault;
  return all;
}

}  // namespace sepx::ui
