// SPDX-License-Identifier: Apache-2.0
// Code shared by exhibits with pages: the area in which a page draws, layers that keep their revision, and functions
// for properties. Pages without a data plane draw with data = (page x, -page y), so that heat maps, which are placed in
// data coordinates, can be anywhere. Frame thread.
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

/// The area in which a page draws, in page coordinates of the exhibit's scene (points), below the strip with the tabs.
struct PageArea {
  const Theme& theme;
  render::Rect area;
  std::optional<render::Point> pointer;  ///< page coordinates; set if it is over the area and nothing else uses it
  bool figure = false;                   ///< for a file: no hints, no pointer
  bool compact = false;                  ///< a small pane
  bool panels = false;                   ///< views are panels of a figure, each one by itself
  bool audience = false;                 ///< for an audience: no buttons, no hints to the user
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
/// What every layer depends on: the rectangle, the theme, the language and the kind of picture.
LayerKey frameKey(const PageArea& area);
/// `key` with further inputs of a layer: numbers, choices, texts, points, rectangles, other keys.
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

/// Sets a property as an undo step of its own. If the value is refused, the error is reported.
void setAsStep(Editor& editor, std::string_view key, const Value& value);

/// One counter for all pages, so that a renderer that identifies layers by name and revision never confuses two.
std::uint64_t nextRevision();

/// Layers by name. A layer whose key did not change keeps its items and revision.
class PageLayers {
 public:
  using Make = std::function<std::vector<render::Item>()>;
  void add(std::vector<render::Layer>& into, const std::string& name, LayerKey key, const Make& make, bool still = true,
           bool clip = true);
  /// Adds a sentence in the middle of the page, with a capital letter and a full stop; nothing if it is empty, or in a
  /// figure.
  void addSentence(std::vector<render::Layer>& into, const std::string& name, const PageArea& area,
                   const std::string& text);

 private:
  struct Kept {
    LayerKey key;
    render::Layer layer;
  };
  std::map<std::string, Kept> kept_;
};

/// Adds to a part of the page why there is nothing to see (yet). A figure has no such sentence: it is meant for the
/// user at the window, and may name the user's files.
void addMissing(std::vector<render::Item>& items, const render::Rect& box, const std::string& text,
                const PageArea& area);

/// For Property::applies and ReadOut::applies: whether the choice `key` names one of `pages` (if it names none, the
/// page `first` is in sight), and the document passes `also`.
std::function<bool(const Document&)> onPages(std::string key, std::string first, std::vector<std::string> pages,
                                             std::function<bool(const Document&)> also = {});

}  // namespace sepx::ui
