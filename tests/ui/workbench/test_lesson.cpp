// SPDX-License-Identifier: Apache-2.0
// Lessons: the user watches, takes over, goes to the next step and goes back.
#include <filesystem>
#include <vector>

#include "engine/core/file.h"
#include "tests/folders.h"
#include "tests/ui/workbench/lesson_rig.h"
#include "ui/workbench/flowing_text.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/lesson_layout.h"

using namespace sepx;
using namespace sepx::test;

TEST_CASE("A lesson finds the buttons of a picture even if no panels are shown, as on the stage", "[lesson]") {
  Bench bench({1280, 720});
  bench.play("exhibit flow\n");
  REQUIRE(bench.workbench().run("view.chrome"));
  bench.frame();
  CHECK(bench.workbench().controlAt("flow.page-space"));
  bench.play("click ui:flow.page-space\n");
  CHECK(bench.text("flow.page") == "space");
  bench.play("exhibit training\n");
  bench.frame();
  CHECK(bench.workbench().controlAt("training.start"));
  CHECK(bench.workbench().controlAt("training.card.encoder-decoder"));
}

TEST_CASE("A lesson plays its steps for the user", "[lesson]") {
  Bench bench({1000, 600});
  const auto empty = bench.workbench().document().hash();
  REQUIRE(bench.workbench().open(lessonFile()));
  bench.settle();
  CHECK(bench.number("workbench.lesson.step") == 1);
  CHECK(bench.number("workbench.lesson.steps") == 3);
  CHECK(bench.number("flow.points.count") == 1);
  const auto first = bench.workbench().document().hash();

  bench.play("key N\n");
  // The drag takes two seconds, so that the user can follow it.
  frames(bench, 60);
  CHECK_FALSE(bench.workbench().settled());
  CHECK(bench.number("flow.points[0].w") < 0.2);
  CHECK(bench.number("flow.points[0].w") > -1.2);
  bench.settle();
  CHECK(bench.text("flow.points[0].limit.kind") == "global-min");
  const auto second = bench.workbench().document().hash();

  bench.play("key B\n");
  bench.settle();
  CHECK(bench.number("workbench.lesson.step") == 1);
  CHECK(bench.workbench().document().hash() == first);
  REQUIRE(bench.workbench().run("lesson.next"));
  bench.settle();
  CHECK(bench.workbench().document().hash() == second);
  CHECK(first != empty);
}

TEST_CASE("Input of the user ends the drag, and the next step starts from the lesson's own state", "[lesson]") {
  Bench bench({1000, 600});
  REQUIRE(bench.workbench().open(lessonFile()));
  bench.settle();
  bench.play("key N\n");
  frames(bench, 90);
  const double half = bench.number("flow.points[0].w");
  bench.frame({ui::Scrolled{0, 0.0, {}}});
  frames(bench, 90);
  CHECK(bench.number("flow.points[0].w") == Approx(half).margin(0.1));
  CHECK(bench.workbench().settled());
  bench.play("add point 1,1\nwait settled\n");
  CHECK(bench.number("flow.points.count") == 2);

  REQUIRE(bench.workbench().run("lesson.next"));
  bench.settle();
  CHECK(bench.number("workbench.lesson.step") == 3);
  CHECK(bench.number("flow.points.count") == 1);
  CHECK(bench.number("flow.points[0].w") == Approx(-1.2).margin(0.01));
  CHECK(bench.number("flow.q") == 0.2);
  // Undo restores the changes of the user and the step of the lesson.
  CHECK(bench.workbench().history().undoLabel() == "lesson step 3");
  bench.play("key Ctrl+Z\nwait settled\nexpect flow.points.count == 2\nexpect workbench.lesson.step == 2\n");
  bench.play("key Ctrl+Shift+Z\nwait settled\nexpect flow.points.count == 1\nexpect workbench.lesson.step == 3\n");
}

TEST_CASE("The changes of a lesson step are one undo step, and undo also goes back in the lesson", "[lesson]") {
  Bench bench({1000, 600});
  REQUIRE(bench.workbench().open(lessonFile()));
  bench.settle();
  CHECK(bench.workbench().history().undoSteps() == 0);  // undo starts after the first step
  REQUIRE(bench.workbench().run("lesson.next"));
  bench.settle();
  CHECK(bench.workbench().history().undoSteps() == 1);
  CHECK(bench.workbench().history().undoLabel() == "lesson step 2");
  bench.play("set flow.p 0.6\n");
  bench.play("undo\nexpect workbench.lesson.step == 2\nexpect flow.p == 0.5\n");
  bench.play("undo\nexpect workbench.lesson.step == 1\nexpect flow.points[0].w == 0.2\n");
  bench.play("redo\nexpect workbench.lesson.step == 2\nexpect flow.points[0].w ~ -1.2 +- 0.01\n");

  // If the user takes over within a step, the part that was played is one undo step.
  bench.play("undo\n");
  REQUIRE(bench.workbench().run("lesson.next"));
  frames(bench, 60);
  CHECK_FALSE(bench.workbench().settled());
  bench.play("key Ctrl+Z\nwait settled\nexpect flow.points[0].w == 0.2\nexpect workbench.lesson.step == 1\n");
}

TEST_CASE("The opening lesson finishes its drag, however fast the user presses Next", "[lesson]") {
  const int pace = GENERATE(3, 20, 90);  // frames between two presses of Next
  Bench bench({755, 672});
  REQUIRE(bench.workbench().open(tests::sourceFolder() + "/assets/lessons/01-why-small-initialisation-fails.md"));
  for (int presses = 0; presses < 400 && bench.workbench().lessonStep() < 5; ++presses) {
    frames(bench, pace);
    REQUIRE(bench.workbench().run("lesson.next"));
  }
  REQUIRE(bench.workbench().lessonStep() == 5);
  for (int i = 0; i < 1200 && !bench.workbench().settled(); ++i)
    bench.frame();
  CAPTURE(pace);
  CHECK(ui::toString(*bench.workbench().get("flow.points[0].limit.kind")) == "global-min");
  CHECK(std::get<double>(*bench.workbench().get("flow.view.yMin")) == -2);
}

TEST_CASE("A lesson leaves no pointer position, and at its end it can be restarted or closed", "[lesson]") {
  Bench bench({1000, 600});
  REQUIRE(bench.workbench().open(lessonFile()));
  bench.settle();
  REQUIRE(bench.workbench().run("lesson.next"));
  bench.settle();
  CHECK(bench.text("flow.hover.e") == "none");
  CHECK_FALSE(bench.workbench().controlAt("lesson.restart"));
  REQUIRE(bench.workbench().run("lesson.next"));
  bench.settle();
  CHECK_FALSE(bench.workbench().controlAt("lesson.next"));
  bench.play("click ui:lesson.restart\nwait settled\nexpect workbench.lesson.step == 1\nexpect flow.q == 0.8\n");
  bench.play("key N\nwait settled\nkey N\nwait settled\nclick ui:lesson.close\nwait settled\n");
  CHECK(bench.workbench().lesson() == nullptr);
  CHECK(bench.number("flow.q") == 0.2);  // the picture stays
}

TEST_CASE("The buttons of a lesson are inside every window that is at least 400 points wide", "[lesson]") {
  const auto lesson =
      std::filesystem::path(tests::sourceFolder()) / "assets/lessons/01-why-small-initialisation-fails.md";
  for (const float scale : {1.0f, 2.0f}) {
    Bench bench({1280, 720}, scale);
    REQUIRE(bench.workbench().open(lesson.string()));
    for (const std::uint32_t width : {400u, 560u, 639u, 700u, 1280u}) {
      for (const std::uint32_t height : {300u, 500u, 720u}) {
        CAPTURE(width, height, scale);
        const gpu::Extent extent{static_cast<std::uint32_t>(static_cast<float>(width) * scale),
                                 static_cast<std::uint32_t>(static_cast<float>(height) * scale)};
        REQUIRE(bench.host->resize(extent));
        for (int i = 0; i < 3; ++i)
          bench.frame();
        const auto at = bench.workbench().controlAt("lesson.next");
        const auto dot = bench.workbench().controlAt("lesson.steps[7]");
        REQUIRE(at);
        REQUIRE(dot);
        CHECK(at->x + 30 * scale <= extent.width);
        CHECK(at->y + 10 * scale <= extent.height);
        CHECK(dot->x + 4 * scale <= extent.width);
        CHECK((dot->x < at->x - 30 * scale || dot->y < at->y - 10 * scale));
      }
    }
  }
}

TEST_CASE("Next in the middle of a step completes the step at once", "[lesson]") {
  Bench bench({1000, 600});
  REQUIRE(bench.workbench().open(lessonFile()));
  bench.settle();
  bench.play("click ui:lesson.next\n");
  frames(bench, 20);
  bench.play("click ui:lesson.next\nwait frames 30\n");
  CHECK(bench.number("workbench.lesson.step") == 3);
  bench.settle();
  CHECK(bench.number("flow.points[0].w") == Approx(-1.2).margin(0.01));
}

TEST_CASE("Questions are answered with buttons", "[lesson]") {
  Bench bench({1280, 720});
  REQUIRE(bench.workbench().open(lessonFile()));
  bench.settle();
  bench.play("click ui:lesson.next\n");
  bench.settle();
  const auto before = bench.picture();
  bench.play("click ui:lesson.questions[0].choices[1]\nwait settled\n");
  const auto right = bench.picture();
  CHECK(right != before);
  bench.play("click ui:lesson.questions[0].choices[0]\nwait settled\n");
  CHECK(bench.picture() != right);
}

TEST_CASE("Steps of nearly the same length have the same height", "[lesson]") {
  CHECK(ui::sharedHeights({100, 200, 150, 190, 140}, 40) == std::vector<float>{100, 200, 150, 200, 150});
  CHECK(ui::sharedHeights({}, 40).empty());
}

TEST_CASE("A presentation shows at most five lines of a step, and a longer sentence is cut after a word", "[lesson]") {
  const ui::Theme& theme = *ui::findTheme("projector");
  ui::ImguiContext context;
  context.makeCurrent();
  context.prepare(theme, 1);
  ImGui::GetIO().DisplaySize = ImVec2(960, 540);
  ImGui::GetIO().DeltaTime = 1.0f / 60;
  ImGui::NewFrame();
  const auto column = [&](const std::string& prose) {
    const auto lesson = ui::parseLesson("# T\n\n## One\n\n" + prose + "\n", "l.md");
    REQUIRE(lesson);
    std::string text;
    const std::vector<ui::Block> blocks = ui::columnProse(*lesson, 0, false, 280, 500, theme);
    for (const ui::Block& block : blocks)
      for (const ui::Span& span : block.spans)
        text += span.text;
    CHECK(ui::proseHeight(blocks, 280, theme) <= 5 * 1.45f * theme.lessonSize);
    return text;
  };
  std::string words;
  for (int i = 0; i < 60; ++i)
    words += "word" + std::to_string(i) + " and ";
  CHECK(column("Short. Two. Three.") == "Short. Two. Three.");
  const std::string cut = column("It begins with `$e^2$` and " + words + "ends.");
  CHECK_THAT(cut, Catch::StartsWith("It begins with $e^2$ and word0 and ") && Catch::EndsWith("…"));
  const std::string kept = cut.substr(0, cut.size() - std::string("…").size());
  CHECK((kept.ends_with(" and") || std::isdigit(static_cast<unsigned char>(kept.back())) != 0));
  CHECK(column("First. " + words + "ends.") == "First.");
  std::string chinese;
  for (int i = 0; i < 200; ++i)
    chinese += "字";
  CHECK_THAT(column(chinese), Catch::StartsWith("字字") && Catch::EndsWith("字…"));
  ImGui::EndFrame();
}

TEST_CASE("A file that is not a lesson is refused with a message", "[lesson]") {
  Bench bench;
  bench.play("add point 0.4,0.4\n");
  const auto path = std::filesystem::temp_directory_path() / "sepx-test-no-lesson.md";
  REQUIRE(writeFile(path.string(), "no heading\n\n```steps\nfly to the moon\n```\n"));
  const auto opened = bench.workbench().open(path.string());
  REQUIRE_FALSE(opened);
  CHECK(opened.error().kind == ErrorKind::BadInput);
  CHECK_THAT(opened.error().message, Catch::Contains("sepx-test-no-lesson.md"));
  CHECK(bench.number("flow.points.count") == 1);
}
