// SPDX-License-Identifier: Apache-2.0
// What the last row can read: in the projector theme on a stage of 1920x1080 no text of a picture is under 28 pixels
// and no line under 2, and text has at least 7:1 against its ground.
#include <algorithm>
#include <set>
#include <string>

#include "app/data_files.h"
#include "engine/render/scene.h"
#include "tests/ui/workbench/bench.h"
#include "ui/canvas/theme.h"

using namespace sepx;
using namespace sepx::test;

namespace {

constexpr gpu::Extent kStage{1920, 1080};
constexpr float kScale = 2;  // a stage of that width, whatever its monitor says (workbench_frame.cpp)
constexpr double kLeastText = 28, kLeastLine = 2, kRounding = 1e-3;
constexpr double kScript = 0.73;  // ui/properties/symbols.h: indices are part of a text, and smaller

/// One or two letters of mathematics (U+1D400 to U+1D7FF): an index, or a name that is larger anyway.
bool isScript(const std::string& text) {
  return text.size() <= 8 && text.size() % 4 == 0 && text.starts_with("\xF0\x9D");
}

/// What of the pictures in sight is too small, by layer.
std::set<std::string> tooSmall(const ui::Workbench& workbench) {
  std::set<std::string> all;
  for (const render::PlacedScene& placed : workbench.scenes()) {
    for (const render::Layer& layer : placed.scene->layers) {
      for (const render::Item& item : layer.items) {
        if (const auto* const label = std::get_if<render::Label>(&item)) {
          const double least = isScript(label->text) ? kScript * kLeastText : kLeastText;
          if (!label->text.empty() && kScale * label->size < least - kRounding)
            all.insert(layer.name + ": \"" + label->text + "\" " + std::to_string(kScale * label->size));
        } else if (const auto* const line = std::get_if<render::Polyline>(&item)) {
          if (line->stroke.color.a > 0 && kScale * line->stroke.width < kLeastLine - kRounding)
            all.insert(layer.name + ": a line of " + std::to_string(kScale * line->stroke.width));
        }
      }
    }
  }
  return all;
}

void checkLesson(const std::string& path) {
  CAPTURE(path);
  Bench bench(kStage, kScale, "projector");
  REQUIRE(bench.workbench().run("view.chrome"));
  REQUIRE(bench.workbench().open(path));
  const std::size_t steps = bench.workbench().lesson()->steps.size();
  for (std::size_t step = 0; step < steps; ++step) {
    bench.settle();
    CAPTURE(step);
    for (const std::string& one : tooSmall(bench.workbench()))
      CHECK(one == "");
    if (step + 1 < steps) REQUIRE(bench.workbench().run("lesson.next"));
  }
}

}  // namespace

TEST_CASE("The type and the lines of the projector theme are large enough for a stage", "[projector]") {
  const ui::Theme& theme = *ui::findTheme("projector");
  for (const float size : {theme.smallSize, theme.textSize, theme.lessonSize, theme.titleSize})
    CHECK(kScale * size >= kLeastText);
  CHECK(kScale * theme.lineWidth >= kLeastLine);
  CHECK(kScale * theme.strongLine >= kLeastLine);
  for (const render::Color& ground : {theme.background, theme.surface, theme.surfaceRaised, theme.plotBackground}) {
    CHECK(ui::contrast(theme.text, ground) >= 7);
    CHECK(ui::contrast(theme.textMuted, ground) >= 7);
  }
}

TEST_CASE("No step of the opening lesson has small type or thin lines on a stage", "[projector]") {
  const auto lesson = app::openingLesson();
  REQUIRE(lesson);
  checkLesson(*lesson);
}

TEST_CASE("No step of any lesson has small type or thin lines on a stage", "[.][long][projector]") {
  for (const app::LessonFile& lesson : app::lessons())
    checkLesson(lesson.path);
}
