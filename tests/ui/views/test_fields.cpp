// SPDX-License-Identifier: Apache-2.0
// Parameters as a view: their rows, their readable text, and the effect of a click on a control.
#include <catch2/catch.hpp>

#include "tests/ui/views/board_rig.h"
#include "ui/views/placed_view.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

class FieldsRig : public BoardRig {
 public:
  FieldsRig() {
    declareParameters(
        editor.registry, {.prefix = "test."},
        {{.key = "on", .label = "On", .fallback = false},
         {.key = "far", .label = "Far", .unit = "m", .kind = Kind::Real, .max = 9, .digits = 1, .fallback = 1.5},
         {.key = "off", .label = "Off", .fallback = 1.0, .applies = [](const Document&) { return false; }}});
    area = {{0, 0}, {600, 300}};
    show();
  }
  void show() {
    FieldsContent content;
    for (const char* const key : {"test.a", "test.c", "test.on", "test.far"})
      content.rows.push_back(*fieldRow(editor.registry, editor.document(), key));
    content.rows[0].before = FieldRow::Before{"7", 7.0};
    content.rows[1].heading = "Words";
    board.show({{{"fields", content}}, viewNamed("fields")});
    frame();
  }
  ReadableView fields() {
    for (ReadableView& view : board.readable())
      if (view.name == "test.fields") return view;
    throw std::runtime_error("no fields");
  }
  void press(std::size_t row) {
    const auto at = fields().place(row, 0);
    REQUIRE(at);
    click(*at);
    show();
  }
};

}  // namespace

TEST_CASE("fields: a row has the label and the value of a parameter that applies", "[views][fields]") {
  FieldsRig rig;
  CHECK_FALSE(fieldRow(rig.editor.registry, rig.editor.document(), "test.off"));
  CHECK_FALSE(fieldRow(rig.editor.registry, rig.editor.document(), "test.nothing"));
  CHECK(fieldRow(rig.editor.registry, rig.editor.document(), "test.far")->value == "1.5 m");
  const ReadableView view = rig.fields();
  REQUIRE(view.rows == 4);
  CHECK(view.text(0, 0) == "A: 0, was 7");
  CHECK(view.text(1, 0) == "Words. C: One");
  const std::string texts = rig.texts("test.fields");
  for (const char* const word : {"A\n", "was 7", "Words", "One", "1.5 m"})
    CHECK(texts.find(word) != std::string::npos);
}

TEST_CASE("fields: a click on a control toggles it or selects the next choice, and a click on its label does nothing",
          "[views][fields]") {
  FieldsRig rig;
  rig.press(2);
  CHECK(rig.value("test.on") == Value(true));
  rig.press(2);
  CHECK(rig.value("test.on") == Value(false));
  for (const char* const word : {"two", "three", "one"}) {
    rig.press(1);
    CHECK(rig.text("test.c") == word);
  }
  rig.press(0);  // a number is typed, not clicked
  CHECK(rig.number("test.a") == 0);
  for (const render::Label& label : rig.items<render::Label>("test.fields"))
    if (label.text == "On") rig.click(label.at);
  CHECK(rig.value("test.on") == Value(false));
  rig.editor.history.undo();
  CHECK(rig.text("test.c") == "three");
}

TEST_CASE("fields: there are as many columns as fit, and the height is that of the rows", "[views][fields]") {
  FieldsContent content{.columns = 20};
  for (int i = 0; i < 3; ++i)
    content.rows.push_back({.key = "k", .label = "L" + std::to_string(i), .value = "1"});
  const Theme& theme = *findTheme("dark");
  const View view{"fields", content};
  const auto height = [&](double units) { return heightOf(view, units * theme.textSize, theme); };
  CHECK(height(70) == Approx(height(61)));
  CHECK(height(41) - 1 == Approx(2 * (height(61) - 1)));
  CHECK(height(30) - 1 == Approx(3 * (height(61) - 1)));
  CHECK(height(61) >= 24);  // points; large enough for a finger
}

TEST_CASE("fields: in a narrow column labels are not shortened, and the reset button is left out", "[views]") {
  BoardRig rig;
  FieldsContent content;
  content.rows.push_back({.key = "test.a", .label = "Learning rate", .value = "0.0005"});
  content.rows[0].before = FieldRow::Before{"0.002", 0.002};
  const auto texts = [&](double units) {
    rig.area = {{0, 0}, {units * findTheme(rig.theme)->textSize, 200}};
    rig.board.show({{{"fields", content}}, viewNamed("fields")});
    rig.frame();
    return rig.texts("test.fields");
  };
  CHECK(texts(40).find("was 0.002") != std::string::npos);
  CHECK(texts(40).find("Learning rate") != std::string::npos);
  CHECK(texts(19).find("was") == std::string::npos);
  CHECK(texts(19).find("Learning rate") != std::string::npos);
}
