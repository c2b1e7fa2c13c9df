// SPDX-License-Identifier: Apache-2.0
// A picture of the page's own as a view.
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

class PlacedPicture final : public PlacedView {
 public:
  PlacedPicture(const PictureContent& content, const ViewPlace& place)
      : content_(content), box_(place.box), theme_(place.theme), figure_(place.figure) {}

  std::vector<render::Item> items() const override {
    return content_.draw ? content_.draw(place()) : std::vector<render::Item>();
  }
  std::vector<render::Item> tip(const View& view, render::Point at, const render::Rect& area) const override {
    const auto& tip = std::get<PictureContent>(view.content).tip;
    return tip ? tip(place(), at, area) : std::vector<render::Item>();
  }
  std::optional<Changes> pick(const View& view, render::Point at) const override {
    const auto& pick = std::get<PictureContent>(view.content).pick;
    return pick ? pick(place(), at) : std::nullopt;
  }
  bool clipped() const override { return content_.clipped; }
  std::optional<PictureGrip> hold(const View& view, render::Point at) const override {
    const auto& hold = std::get<PictureContent>(view.content).hold;
    return hold ? hold(place(), at) : std::nullopt;
  }
  Cursor cursor(const View& view, render::Point at) const override {
    if (const std::optional<PictureGrip> grip = hold(view, at)) return grip->cursor;
    return PlacedView::cursor(view, at);
  }

 private:
  ViewPlace place() const { return {box_, theme_, figure_}; }

  PictureContent content_;
  render::Rect box_;
  Theme theme_;
  bool figure_;
};

}  // namespace

std::unique_ptr<PlacedView> placeContent(const PictureContent& content, const ViewPlace& place) {
  return std::make_unique<PlacedPicture>(content, place);
}

}  // namespace sepx::ui
