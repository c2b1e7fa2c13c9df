// SPDX-License-Identifier: Apache-2.0
// Places the parts from the outside in: status line, message, lesson, panel. The picture gets the rest and keeps a
// minimum size.
#include "ui/workbench/layout.h"

#include <algorithm>
#include <cmath>

namespace sepx::ui {
namespace {

constexpr double kLeastPicture = 240;  // points; a window too small for all gives the picture precedence
constexpr double kPaneGap = 2;         // between panes
constexpr double kPaneEdge = 1;        // frame around each pane
constexpr double kLeastLesson = 64, kMostOfLowWindow = 0.52;

bool isStacked(int panes, double width, double height) {
  return panes == 2 && height > width;
}

/// Number of panes beside each other when the panel is shown.
int columns(const LayoutRequest& request, double height) {
  const bool one = request.panes < 2 || isStacked(request.panes, request.window.x - request.panelWidth, height);
  return one ? 1 : 2;
}

}  // namespace

Layout layOut(const LayoutRequest& request) {
  Layout layout;
  const double width = std::max(1.0, request.window.x);
  double bottom = std::max(1.0, request.window.y), top = 0;
  const auto room = [&] { return bottom - top - kLeastPicture; };
  if (request.statusLine && room() > request.statusHeight) {
    layout.status = {{0, bottom - request.statusHeight}, {width, bottom}};
    bottom -= request.statusHeight;
  }
  const double messageHeight = std::min(request.messageHeight, 0.3 * bottom);
  if (messageHeight > 0 && !request.messageOver) {
    const double height = messageHeight;
    if (request.messageBelow) {
      layout.message = {{0, bottom - height}, {width, bottom}};
      bottom -= height;
    } else {
      layout.message = {{0, 0}, {width, height}};
      top = height;
    }
  }
  // In a low window the lesson and the picture share the height, because a lesson cannot continue without its buttons.
  const double most = std::max(room(), kMostOfLowWindow * (bottom - top));
  double right = width;
  if (request.lessonWidth > 0 && width - request.lessonWidth >= kLeastPicture) {
    right -= request.lessonWidth;
    layout.lesson = {{right, top}, {width, bottom}};
  } else if (request.lessonHeight > 0 && most > kLeastLesson) {
    const double height = std::min(request.lessonHeight, most);
    layout.lesson = {{0, bottom - height}, {width, bottom}};
    bottom -= height;
  }
  if (request.panel && right - request.panelWidth >= kLeastPicture * columns(request, bottom - top)) {
    layout.panel = {{right - request.panelWidth, top}, {right, bottom}};
    right -= request.panelWidth;
  }
  layout.picture = {{0, top}, {right, bottom}};
  if (messageHeight > 0 && request.messageOver) layout.message = {{0, bottom - messageHeight}, {right, bottom}};
  return layout;
}

std::vector<PanePlace> layOutPanes(const render::Rect& picture, int panes, double titleHeight) {
  if (panes <= 1) return {{picture, {}, picture}};
  const int columns = isStacked(panes, picture.width(), picture.height()) ? 1 : 2, rows = panes / columns;
  // Edges lie on whole points, so that all sides of a frame are equally sharp.
  const double width = std::floor((picture.width() - (columns - 1) * kPaneGap) / columns);
  const double height = std::floor((picture.height() - (rows - 1) * kPaneGap) / rows);
  std::vector<PanePlace> places;
  for (int i = 0; i < panes; ++i) {
    const int column = i % columns, row = i / columns;
    PanePlace place;
    place.frame.min = {picture.min.x + column * (width + kPaneGap), picture.min.y + row * (height + kPaneGap)};
    place.frame.max = {column + 1 == columns ? picture.max.x : place.frame.min.x + width,
                       row + 1 == rows ? picture.max.y : place.frame.min.y + height};
    place.picture = {{place.frame.min.x + kPaneEdge, place.frame.min.y + kPaneEdge},
                     {place.frame.max.x - kPaneEdge, place.frame.max.y - kPaneEdge}};
    if (titleHeight > 0) {
      place.title = place.picture;
      place.title.max.y = place.picture.min.y += std::min(titleHeight, std::max(0.0, place.picture.height()));
    }
    places.push_back(place);
  }
  return places;
}

}  // namespace sepx::ui
