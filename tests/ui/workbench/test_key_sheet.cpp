// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/key_sheet.h"
#include "ui/workbench/sheet_window.h"

#include <algorithm>

#include <catch2/catch.hpp>

#include "ui/workbench/imgui_context.h"

namespace sepx::ui {
namespace {

std::vector<KeyGroup> groupsOf(const std::vector<std::size_t>& sizes) {
  std::vector<KeyGroup> groups;
  for (const std::size_t size : sizes) {
    KeyGroup group{"group " + std::to_string(groups.size()), {}};
    for (std::size_t i = 0; i < size; ++i)
      group.rows.emplace_back("Ctrl+" + std::to_string(i), "what it does");
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

TEST_CASE("Commands are grouped by menu with all their keys, and commands without a key are left out", "[keys]") {
  const std::vector<Workbench::Command> commands{{"file.open", "Open…", "Ctrl+O", "File"},
                                                 {"edit.undo", "Undo: move point C", "Ctrl+Z", "Edit"},
                                                 {"file.save", "Save", "Ctrl+S", "File"},
                                                 {"lesson.close", "Close the lesson", "", "Lesson"},
                                                 {"lesson.next", "Next step", "N", "Lesson"}};
  const auto groups = keyGroups(commands, {{"F11", "Full screen"}}, {{"wheel", "zoom"}});
  REQUIRE(groups.size() == 5);
  CHECK(groups[0].heading == "File");
  CHECK(groups[0].rows.size() == 2);
  CHECK(groups[1].rows[0].second == "Undo");
  CHECK(groups[2].rows.size() == 1);
  CHECK(groups[2].rows[0].first == "N, PageDown");
  CHECK(groups[3].rows[0].first == "F11");
}

TEST_CASE("The columns contain every row once and in order, without a gap at the top or a heading at the bottom",
          "[keys]") {
  for (const auto& sizes :
       std::vector<std::vector<std::size_t>>{{5, 7, 3, 4, 6, 2, 7}, {1}, {40}, {1, 1, 1, 1, 1, 1}, {3, 30, 2}}) {
    const auto groups = groupsOf(sizes);
    for (std::size_t count = 1; count <= 4; ++count) {
      const auto columns = keyColumns(groups, count);
      CHECK(columns.size() <= count);
      std::size_t rows = 0, headings = 0, highest = 0, lowest = 1000;
      for (const auto& column : columns) {
        REQUIRE_FALSE(column.empty());
        CHECK_FALSE((column.front().first.empty() && column.front().second.empty()));
        CHECK_FALSE(column.back().first.empty());
        for (const auto& [keys, words] : column) {
          if (!keys.empty()) ++rows;
          if (keys.empty() && !words.empty()) ++headings;
        }
        highest = std::max(highest, column.size());
        lowest = std::min(lowest, column.size());
      }
      std::size_t all = 0;
      for (const std::size_t size : sizes)
        all += size;
      CHECK(rows == all);
      CHECK(headings == sizes.size());
      CHECK(highest <= (all + 2 * sizes.size()) / count + 8);
    }
  }
}

TEST_CASE("The sheet stays inside the window in every theme and scale", "[keys]") {
  const auto groups = groupsOf({9, 6, 14, 5, 4, 4, 5, 7});
  for (const std::string& key : themeKeys()) {
    for (const auto& [window, scale] : {std::pair{render::Point{1280, 720}, 1.0f},
                                        {render::Point{640, 360}, 2.0f},
                                        {render::Point{427, 240}, 3.0f}}) {
      INFO(key << " " << window.x);
      ImguiContext context;
      context.prepare(*findTheme(key), scale);
      ControlMap controls;
      for (int frame = 0; frame < 3; ++frame) {
        ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(window.x), static_cast<float>(window.y));
        ImGui::GetIO().DeltaTime = 1.0f / 60;
        ImGui::NewFrame();
        controls.beginFrame();
        CHECK(drawKeySheet(groups, window, *findTheme(key), controls));
        ImGui::Render();
      }
      const auto close = controls.find("help.close");
      REQUIRE(close);
      CHECK(close->min.x >= 0);
      CHECK(close->max.y <= window.y);
      for (int i = 0; i < ImGui::GetDrawData()->CmdListsCount; ++i) {
        for (const ImDrawCmd& command : ImGui::GetDrawData()->CmdLists[i]->CmdBuffer) {
          if (command.ElemCount == 0) continue;
          CHECK(command.ClipRect.x >= -1);
          CHECK(command.ClipRect.w <= static_cast<float>(window.y) + 1);
        }
      }
    }
  }
}

TEST_CASE("A tall sheet fills a small window and leaves wide margins in a large one", "[keys]") {
  const Theme& dark = *findTheme("dark");
  const render::Rect large = tallSheet({1280, 720}, 56, dark);
  CHECK(large.min.x >= 8 * dark.textSize);
  CHECK(large.max.x <= 1280 - 8 * dark.textSize);
  CHECK(large.width() == Approx(56 * dark.textSize));
  for (const render::Point window : {render::Point{640, 360}, {800, 600}, {427, 240}}) {
    const render::Rect all = tallSheet(window, 56, dark);
    CHECK(all.min.x == 0);
    CHECK(all.min.y == 0);
    CHECK(all.max.x == window.x);
    CHECK(all.max.y == window.y);
  }
}

}  // namespace sepx::ui
