// SPDX-License-Identifier: Apache-2.0
// The parts of the window fill it without overlap, at every size.
#include <vector>

#include <catch2/catch.hpp>

#include "ui/workbench/layout.h"
#include "ui/workbench/lesson_layout.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

bool overlap(const render::Rect& a, const render::Rect& b) {
  if (a.width() <= 0 || a.height() <= 0 || b.width() <= 0 || b.height() <= 0) return false;
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

}  // namespace

TEST_CASE("The parts of the window do not overlap and fill the window", "[layout]") {
  for (const double width : {1.0, 120.0, 539.0, 541.0, 640.0, 1280.0, 2560.0}) {
    for (const double height : {1.0, 90.0, 262.0, 360.0, 720.0, 1440.0}) {
      for (const int bits : {0, 1, 2, 4, 8, 15}) {
        LayoutRequest request;
        request.window = {width, height};
        request.panel = bits & 1;
        request.statusLine = bits & 2;
        request.lessonHeight = bits & 4 ? 150 : 0;
        request.messageHeight = bits & 8 ? 40 : 0;
        const Layout layout = layOut(request);
        CAPTURE(width, height, bits);
        const std::vector<render::Rect> parts{layout.picture, layout.panel, layout.lesson, layout.status,
                                              layout.message};
        double area = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
          CHECK(parts[i].width() >= 0);
          CHECK(parts[i].height() >= 0);
          CHECK(parts[i].min.x >= 0);
          CHECK(parts[i].min.y >= 0);
          CHECK(parts[i].max.x <= width);
          CHECK(parts[i].max.y <= height);
          area += parts[i].width() * parts[i].height();
          for (std::size_t j = 0; j < i; ++j)
            CHECK_FALSE(overlap(parts[i], parts[j]));
        }
        CHECK(area == Approx(width * height));
        CHECK(layout.picture.width() > 0);
        CHECK(layout.picture.height() > 0);
      }
    }
  }
}

TEST_CASE("In a window of 1280 by 720 the panel and the lesson have their sizes", "[layout]") {
  LayoutRequest request;
  request.window = {1280, 720};
  request.lessonHeight = 140;
  const Layout layout = layOut(request);
  CHECK(layout.panel.width() == kPanelWidth);
  CHECK(layout.picture.width() == 1280 - kPanelWidth);
  CHECK(layout.lesson.height() == 140);
  CHECK(layout.status.height() == kStatusHeight);
  CHECK(layout.picture.height() == 720 - 140 - kStatusHeight);
}

TEST_CASE("In a presentation the lesson is a column, and the picture has at least two thirds of the width",
          "[layout]") {
  for (const render::Point window : {render::Point{960, 540}, render::Point{960, 600}, render::Point{960, 720}}) {
    LayoutRequest request;
    request.window = window;
    request.panel = request.statusLine = false;
    request.lessonWidth = static_cast<double>(lessonColumnWidth(window, true));
    request.lessonHeight = 200;  // for a strip, which is not used here
    const Layout layout = layOut(request);
    CHECK(layout.lesson.height() == window.y);
    CHECK(layout.picture.height() == window.y);
    CHECK(layout.picture.max.x == layout.lesson.min.x);
    CHECK(layout.lesson.max.x == window.x);
    CHECK(3 * layout.picture.width() >= 2 * window.x);
  }
  CHECK(lessonColumnWidth({960, 540}, false) == 0);
  CHECK(lessonColumnWidth({540, 960}, true) == 0);  // an upright window has a strip
}

TEST_CASE("In a low window without a presentation the lesson is a column beside the picture", "[layout]") {
  for (const render::Point window : {render::Point{640, 360}, render::Point{640, 270}, render::Point{900, 400}}) {
    LayoutRequest request;
    request.window = window;
    request.lessonWidth = static_cast<double>(lessonColumnWidth(window, false));
    request.lessonHeight = 200;  // for a strip, which is not used here
    const Layout layout = layOut(request);
    CHECK(layout.lesson.height() == layout.picture.height());
    CHECK(layout.picture.height() >= window.y - kStatusHeight);
    CHECK(2 * layout.picture.width() > window.x);
    CHECK(layout.picture.max.x == layout.lesson.min.x);
  }
  CHECK(lessonColumnWidth({400, 360}, false) == 0);  // no room beside the text
  CHECK(lessonColumnWidth({1280, 720}, false) == 0);
}

TEST_CASE("Panes lie inside the picture and do not overlap", "[layout]") {
  for (const render::Rect& picture :
       {render::Rect{{0, 40}, {980, 700}}, render::Rect{{10, 0}, {501, 903}}, render::Rect{{0, 0}, {31, 17}}}) {
    for (const int count : {1, 2, 4}) {
      for (const double title : {0.0, 22.0}) {
        CAPTURE(picture.width(), picture.height(), count, title);
        const std::vector<PanePlace> places = layOutPanes(picture, count, title);
        REQUIRE(places.size() == static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < places.size(); ++i) {
          CHECK(picture.contains(places[i].frame.min));
          CHECK(picture.contains(places[i].frame.max));
          for (std::size_t j = 0; j < i; ++j)
            CHECK_FALSE(overlap(places[i].frame, places[j].frame));
          if (count == 1) continue;
          CHECK(places[i].title.height() <= title);
          CHECK((picture.height() < 100 || places[i].title.height() == title));
          CHECK(places[i].frame.contains(places[i].picture.min));
        }
      }
    }
  }
  // If a window is too narrow for the panes and the panel, the panel is left out.
  LayoutRequest low;
  low.window = {640, 360};
  CHECK(layOut(low).panel.width() > 0);
  low.panes = 2;
  CHECK(layOut(low).panel.width() == 0);
  low.window = {640, 900};  // panes one above the other
  CHECK(layOut(low).panel.width() > 0);
  low.panes = 4;
  CHECK(layOut(low).panel.width() == 0);
  // Side by side in a wide area, one above the other in a tall one.
  CHECK(layOutPanes({{0, 0}, {900, 500}}, 2, 0)[1].frame.min.x > 400);
  CHECK(layOutPanes({{0, 0}, {500, 900}}, 2, 0)[1].frame.min.y > 400);
  CHECK(layOutPanes({{0, 0}, {900, 500}}, 1, 22)[0].picture == render::Rect{{0, 0}, {900, 500}});
}

TEST_CASE("A message at the lower edge does not move the parts above it", "[layout]") {
  LayoutRequest request;
  request.window = {1280, 720};
  const Layout without = layOut(request);
  request.messageHeight = 40;
  request.messageBelow = true;
  const Layout with = layOut(request);
  CHECK(with.picture.min == without.picture.min);
  CHECK(with.picture.max.y == without.picture.max.y - 40);
  CHECK(with.message.min.y == with.picture.max.y);
  CHECK(with.message.max.y == with.status.min.y);
  request.messageBelow = false;
  CHECK(layOut(request).picture.min.y == 40);
  // A passing message is drawn over the picture.
  request.messageOver = true;
  const Layout over = layOut(request);
  CHECK(over.picture == without.picture);
  CHECK(over.message.max.y == over.picture.max.y);
  CHECK(over.message.height() == 40);
  CHECK(over.message.max.x == over.picture.max.x);
}
