// SPDX-License-Identifier: Apache-2.0
// What exhibits that show pages share: where a page draws, layers that keep their revision, controls drawn from
// declarations. Pages that are no plane draw with data = (page x, -page y), so that heat maps, which are placed in data
// coordinates, can stand anywhere. Frame thread.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/render/scene.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/canvas/theme.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/page_panel.h"
#include "ui/properties/number_words.h"

namespace sepx::ui {

/// Where a page draws: page coordinates of the exhibit's scene, points, below the strip with the tabs.
struct PageArea {
  const Theme& theme;
  render::Rect area;
  std::optional<render::Point> pointer;  ///< page, when it is over the area and nothing else takes it
  bool figure = false;                   ///< for a file: no advice, no pointer
  bool compact = false;                  ///< a small pane
  bool panels = false;                   ///< views stand as panels of a figure, each without the others
  bool audience = false;                 ///< for a room: nothing to press, no advice to who works
};

/// A page rectangle as the extent of a heat map.
render::Rect flipped(const render::Rect& page);

using LayerKey = std::vector<std::uint64_t>;
inline std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}
std::uint64_t bits(std::string_view text);
inline std::uint64_t bits(const void* pointer) {
  return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(pointer));
}
/// The rectangle, the theme and whether it is for a file: what every layer depends on.
LayerKey frameKey(const PageArea& area);
/// `key` with more that a layer depends on: numbers, choices, texts, points, rectangles, other keys.
template <class... Parts>
LayerKey keyWith(LayerKey key, const Parts&... parts) {
  const auto add = [&key](const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    if constexpr (std::is_same_v<Part, LayerKey>)
      key.insert(key.end(), part.begin(), part.end());
    else if constexpr (std::is_same_v<Part, render::Rect>)
      key.insert(key.end(), {bits(part.min.x), bits(part.min.y), bits(part.max.x), bits(part.max.y)});
    else if constexpr (std::is_same_v<Part, render::Point>)
      key.insert(key.end(), {bits(part.x), bits(part.y)});
    else if constexpr (std::is_convertible_v<const Part&, std::string_view>)
      key.push_back(bits(std::string_view(part)));
    else if constexpr (std::is_floating_point_v<Part>)
      key.push_back(bits(static_cast<double>(part)));
    else
      key.push_back(static_cast<std::uint64_t>(part));
  };
  (add(parts), ...);
  return key;
}

/// Sets a property as an undo step of its own; what refuses it is said.
void setAsStep(Editor& editor, std::string_view key, const Value& value);

/// One counter for all pages: a renderer that knows layers by name and revision never takes one for another.
std::uint64_t nextRevision();

/// Layers by name; one whose key did not change keeps items and revision.
class PageLayers {
 public:
  using Make = std::function<std::vector<render::Item>()>;
  void add(std::vector<render::Layer>& into, const std::string& name, LayerKey key, const Make& make, bool still = true,
           bool clip = true);
  /// A sentence in the middle of the page, as a sentence begins and ends; nothing where it is empty, and in a figure.
  void addSentence(std::vector<render::Layer>& into, const std::string& name, const PageArea& area,
                   const std::string& text);

 private:
  struct Kept {
    LayerKey key;
    render::Layer layer;
  };
  std::map<std::string, Kept> kept_;
};

/// In a part of the page, why there is nothing to see (yet). A figure has no such sentence: it is meant for the person
/// at the window, and may name their files.
void addMissing(std::vector<render::Item>& items, const render::Rect& box, const std::string& text,
                const PageArea& area);

/// For Property::applies and ReadOut::applies: whether the choice `key` names one of `pages` (where it names none, the
/// page `first` is in sight), and the document passes `also`.
std::function<bool(const Document&)> onPages(std::string key, std::string first, std::vector<std::string> pages,
                                             std::function<bool(const Document&)> also = {});

}  // namespace sepx::ui
