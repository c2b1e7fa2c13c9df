// SPDX-License-Identifier: Apache-2.0
// See picture_places.h.
#include "ui/workbench/picture_places.h"

namespace sepx::ui {
namespace {

/// Whether the picture has data coordinates; without them the plot is the page itself.
bool hasData(const render::Scene& scene) {
  return scene.plot.width() > 0 && scene.plot.height() > 0 && scene.window.width() > 0 && scene.window.height() > 0 &&
         !(scene.plot == scene.window);
}

std::optional<PicturePlace> share(int pane, const std::string& view, const render::Rect& box, render::Point at) {
  if (box.width() <= 0 || box.height() <= 0 || !box.contains(at)) return std::nullopt;
  return PicturePlace{pane, view, (at.x - box.min.x) / box.width(), (at.y - box.min.y) / box.height()};
}

render::Point within(const render::Rect& box, const PicturePlace& place) {
  return {box.min.x + place.x * box.width(), box.min.y + place.y * box.height()};
}

}  // namespace

std::optional<PicturePlace> PicturePlaces::placeOf(render::Point at) const {
  const int number = panes_.paneAt(at);
  if (number > 0) {
    const render::Scene* const scene = panes_.at(number).scene();
    const render::Point origin = panes_.places()[static_cast<std::size_t>(number - 1)].picture.min;
    const render::Point page{at.x - origin.x, at.y - origin.y};
    if (scene && hasData(*scene) && scene->plot.contains(page)) {
      const render::Point data = render::toData(*scene, page);
      return PicturePlace{number, {}, data.x, data.y};
    }
    for (const ReadableView& view : reader_.views(number))
      if (const auto place = share(number, view.name, view.box, at)) return place;
  }
  return share(0, {}, {{0, 0}, window_.size}, at);
}

std::optional<render::Point> PicturePlaces::pointOf(const PicturePlace& place) const {
  if (place.pane == 0) return within({{0, 0}, window_.size}, place);
  if (place.pane < 0 || static_cast<std::size_t>(place.pane) > panes_.places().size()) return std::nullopt;
  Pane& pane = panes_.at(place.pane);
  if (!place.view.empty()) {
    for (const ReadableView& view : reader_.views(place.pane))
      if (view.name == place.view) return within(view.box, place);
    return std::nullopt;
  }
  if (!pane.scene() || !hasData(*pane.scene())) return std::nullopt;
  const render::Point page = render::toPage(*pane.scene(), {place.x, place.y});
  const render::Point origin = panes_.places()[static_cast<std::size_t>(place.pane - 1)].picture.min;
  return render::Point{origin.x + page.x, origin.y + page.y};
}

}  // namespace sepx::ui
