// SPDX-License-Identifier: Apache-2.0
// The panel beside a picture, with ImGui alone: the page orders its rows, the remaining rows follow, and a page without
// an order shows all of its rows.
#include <imgui/imgui.h>
#include <catch2/catch.hpp>

#include "tests/ui/page/exhibit_rig.h"
#include "ui/page/page_panel.h"
#include "ui/properties/declarations.h"
#include "ui/properties/widgets.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// Draws a panel and returns the keys of its rows, from the top.
class ColumnRig {
 public:
  ColumnRig() {
    context_ = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {400, 800};
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    declareParameters(editor.registry, {.prefix = "fake.page."},
                      {{.key = "size", .label = "Size", .fallback = 1.0},
                       {.key = "shown", .label = "Shown", .fallback = true},
                       {.key = "seldom", .label = "Seldom", .fallback = 1.0, .detail = true},
                       {.key = "chosen", .label = "Chosen", .fallback = 1.0, .inPicture = true},
                       {.key = "hidden", .label = "Hidden", .fallback = 1.0, .applies = whenOn("fake.page.never")}});
    declareParameters(editor.registry, {.prefix = "fake.other."}, {{.key = "size", .label = "Size", .fallback = 1.0}});
    declareReadOuts(editor.registry, {.prefix = "fake.page."},
                    {{.key = "count", .label = "Count", .get = [](int) { return Value(3.0); }}});
  }
  ~ColumnRig() { ImGui::DestroyContext(context_); }

  template <class Draw>
  std::vector<std::string> rows(Draw draw) {
    ControlMap map;
    ExhibitContext context{
        {.jobs = jobs, .pool = pool}, {.theme = *findTheme("dark"), .area = {{0, 0}, {100, 700}}}, editor};
    context.controls = &map;
    ImGui::NewFrame();
    map.beginFrame();
    {
      PagePanel panel(context, "##column");
      draw(panel);
    }
    ImGui::Render();
    std::vector<std::pair<float, std::string>> found;
    for (const char* key : {"fake.page.size", "fake.page.shown", "fake.page.seldom", "fake.page.chosen",
                            "fake.page.hidden", "fake.page.count", "fake.other.size"})
      if (const auto at = map.find(key)) found.emplace_back(at->min.y, key);
    std::sort(found.begin(), found.end());
    std::vector<std::string> names;
    for (const auto& [y, key] : found)
      names.push_back(key.substr(5));
    return names;
  }

  RigEditor editor;
  ThreadPool pool{1};
  Jobs jobs;

 private:
  ImGuiContext* context_;
};

const std::vector<PropertyGroup> kGroups{{"page", "Page"}};
using Rows = std::vector<std::string>;

}  // namespace

TEST_CASE("A page without an order of its own shows its rows in the order of declaration", "[panel]") {
  ColumnRig column;
  CHECK(column.rows([](PagePanel& panel) { panel.rest("fake", kGroups, true); }) ==
        Rows{"page.size", "page.shown", "page.count"});
}

TEST_CASE("Rows that the page does not order follow the ordered ones, each row once", "[panel]") {
  ColumnRig column;
  CHECK(column.rows([](PagePanel& panel) {
    panel.group("First", "fake.page.", {"shown", "chosen"});
    panel.rest("fake", kGroups, false);
  }) == Rows{"page.shown", "page.chosen", "page.size"});
}

TEST_CASE("A row that does not apply is not drawn, and the rest contains no rows of another group", "[panel]") {
  ColumnRig column;
  CHECK(column.rows([](PagePanel& panel) {
    panel.rows("fake.page.", {"hidden", "size"});
    panel.rest("fake", kGroups, false);
  }) == Rows{"page.size", "page.shown"});
}

TEST_CASE("The editor of the fixture makes an undo step only for undoable properties", "[panel]") {
  RigEditor editor;
  declareParameters(
      editor.registry, {.prefix = "fake."},
      {{.key = "kept", .label = "Kept", .fallback = 1.0}, {.key = "place", .fallback = 1.0, .undoable = false}});
  REQUIRE(editor.set("fake.place", 0.5, {}));
  CHECK(editor.history.undoSteps() == 0);
  REQUIRE(editor.set("fake.kept", 0.5, {}));
  CHECK(editor.history.undoSteps() == 1);
  CHECK(editor.history.undoLabel() == "change Kept");
}
