// SPDX-License-Identifier: Apache-2.0
// From the outside in: status line, lesson, message, panel; the rest is the picture, which keeps a least size.
#include "ui/workbench/layout.h"

#include <algorithm>

namespace sepx::ui {
namespace {

constexpr double kLeastPicture = 240;  // points; a window too small for all gives the picture precedence
constexpr double kLeastLesson = 64, kMostOfLowWindow = 0.45;

}  // namespace

Layout layOut(const LayoutWishes& wishes) {
  Layout layout;
  const double width = std::max(1.0, wishes.window.x);
  double bottom = std::max(1.0, wishes.window.y), top = 0;
  const auto room = [&] { return bottom - top - kLeastPicture; };
  if (wishes.statusLine && room() > kStatusHeight) {
    layout.status = {{0, bottom - kStatusHeight}, {width, bottom}};
    bottom -= kStatusHeight;
  }
  if (wishes.messageHeight > 0) {
    const double height = std::min(wishes.messageHeight, 0.3 * bottom);
    layout.message = {{0, 0}, {width, height}};
    top = height;
  }
  // In a low window lesson and picture share: without its buttons a lesson could not go on.
  const double most = std::max(room(), kMostOfLowWindow * (bottom - top));
  if (wishes.lessonHeight > 0 && most > kLeastLesson) {
    const double height = std::min(wishes.lessonHeight, most);
    layout.lesson = {{0, bottom - height}, {width, bottom}};
    bottom -= height;
  }
  double right = width;
  if (wishes.panel && width - kPanelWidth >= kLeastPicture) {
    right = width - kPanelWidth;
    layout.panel = {{right, top}, {width, bottom}};
  }
  layout.picture = {{0, top}, {right, bottom}};
  return layout;
}

}  // namespace sepx::ui
