// SPDX-License-Identifier: Apache-2.0
// A view of a picture that the page draws itself, with handles that are dragged over its axes.
#include <algorithm>
#include <cmath>
#include <utility>

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
  bool still() const override { return content_.still; }
  std::optional<render::Rect> within() const override { return content_.boxed ? std::optional(box_) : std::nullopt; }
  bool answers() const override {
    return content_.tip || content_.pick || content_.hold || content_.wheel || content_.twice || content_.target ||
           !content_.handles.empty();
  }
  std::optional<PictureGrip> hold(const View& view, render::Point at) const override {
    const auto& content = std::get<PictureContent>(view.content);
    if (content.hold) return content.hold(place(), at);
    if (content.handles.empty() || !content.camera) return std::nullopt;
    const Camera camera = content.camera(place());
    return gripOf(
        content.handles, camera.plot, at, [&camera](render::Point data) { return toPage(camera, data); },
        [camera](render::Point page) { return toData(camera, page); });
  }
  std::optional<Target> target(const View& view, render::Point at) const override {
    const auto& target = std::get<PictureContent>(view.content).target;
    const std::optional<std::size_t> on = target ? target(place(), at) : std::nullopt;
    return on ? std::optional(Target{*on}) : std::nullopt;
  }
  void wheel(const View& view, Editor& editor, render::Point at, double notches) const override {
    const auto& wheel = std::get<PictureContent>(view.content).wheel;
    if (wheel) wheel(editor, place(), at, notches);
  }
  bool twice(const View& view, Editor& editor, render::Point at) const override {
    const auto& twice = std::get<PictureContent>(view.content).twice;
    return twice && twice(editor, place(), at);
  }
  std::optional<ReadableView> read() const override {
    return content_.read ? std::optional(content_.read(place())) : std::nullopt;
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
