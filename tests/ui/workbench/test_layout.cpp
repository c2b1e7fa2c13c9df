// SPDX-License-Identifier: Apache-2.0
// The parts of the window tile it: inside, without overlap, at every size a person can make.
#include <vector>

#include <catch2/catch.hpp>

#include "ui/workbench/layout.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

bool overlap(const render::Rect& a, const render::Rect& b) {
  if (a.width() <= 0 || a.height() <= 0 || b.width() <= 0 || b.height() <= 0) return false;
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

}  // namespace

TEST_CASE("parts of the window never overlap and fill it", "[layout]") {
  for (const double width : {1.0, 120.0, 539.0, 541.0, 640.0, 1280.0, 2560.0}) {
    for (const double height : {1.0, 90.0, 262.0, 360.0, 720.0, 1440.0}) {
      for (const int wishes : {0, 1, 2, 4, 8, 15}) {
        LayoutWishes wish;
        wish.window = {width, height};
        wish.panel = wishes & 1;
        wish.statusLine = wishes & 2;
        wish.lessonHeight = wishes & 4 ? 150 : 0;
        wish.messageHeight = wishes & 8 ? 40 : 0;
        const Layout layout = layOut(wish);
        CAPTURE(width, height, wishes);
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

TEST_CASE("the panel and the lesson have their place in a common window", "[layout]") {
  LayoutWishes wish;
  wish.window = {1280, 720};
  wish.lessonHeight = 140;
  const Layout layout = layOut(wish);
  CHECK(layout.panel.width() == kPanelWidth);
  CHECK(layout.picture.width() == 1280 - kPanelWidth);
  CHECK(layout.lesson.height() == 140);
  CHECK(layout.status.height() == kStatusHeight);
  CHECK(layout.picture.height() == 720 - 140 - kStatusHeight);
}
