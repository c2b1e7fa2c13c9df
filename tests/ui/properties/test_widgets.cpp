// SPDX-License-Identifier: Apache-2.0
// The controls with synthetic input, frame by frame, with ImGui alone: no renderer draws the draw lists.
#include "ui/properties/widgets.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

using namespace sepx;
using namespace sepx::ui;

namespace {

constexpr int kEnter = 1, kEscape = 2, kA = 3, kC = 4;

/// One ImGui window of 300 x 200 in which one control is drawn each frame.
class Panel {
 public:
  Panel() {
    context_ = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {400, 400};
    io.DeltaTime = 1.0f / 60;
    io.KeyMap[ImGuiKey_Enter] = kEnter;
    io.KeyMap[ImGuiKey_Escape] = kEscape;
    io.KeyMap[ImGuiKey_A] = kA;
    io.KeyMap[ImGuiKey_C] = kC;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }
  ~Panel() { ImGui::DestroyContext(context_); }

  /// Draws a frame. The value of the control follows its events, as in an exhibit.
  void frame() {
    ImGui::NewFrame();
    map.beginFrame();
    ImGui::SetNextWindowPos({10, 10});
    ImGui::SetNextWindowSize({300, 200});
    ImGui::Begin("panel", nullptr, ImGuiWindowFlags_NoDecoration);
    const ControlEvent event = drawControl(property, value, map);
    if (event.changed) {
      value = event.value;
      ++changes;
    }
    ends += event.ended ? 1 : 0;
    if (also) also();
    ImGui::End();
    ImGui::Render();
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i)
      frame();
  }
  void pointer(ImVec2 at) {
    ImGui::GetIO().MousePos = at;
    frame();
  }
  void button(bool down) {
    ImGui::GetIO().MouseDown[0] = down;
    frame();
  }
  void click(ImVec2 at) {
    pointer(at);
    button(true);
    button(false);
  }
  void click(std::string_view key) {
    frame();
    const std::optional<ControlRect> rect = map.find(key);
    REQUIRE(rect);
    click(rect->centre());
  }
  void key(int index) {
    ImGui::GetIO().KeysDown[index] = true;
    frame();
    ImGui::GetIO().KeysDown[index] = false;
    frame();
  }
  /// Types into the field of the control as a user does: the click selects all of the old text.
  void typeInto(const std::string& text) {
    click(property.key + "#entry");
    frames(30);  // longer than a double click
    ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
    frame();
    key(kEnter);
    pointer({380, 380});
  }

  /// Copies the text of the field as a user does.
  std::string copied() {
    click(property.key + "#entry");
    frames(30);
    ImGui::GetIO().KeyCtrl = true;
    key(kC);
    ImGui::GetIO().KeyCtrl = false;
    key(kEscape);
    pointer({380, 380});
    return ImGui::GetClipboardText();
  }

  Property property;
  Value value;
  ControlMap map;
  std::function<void()> also;
  int changes = 0, ends = 0;

 private:
  ImGuiContext* context_;
};

Property probability() {
  Property property;
  property.key = "flow.p";
  property.label = "0 turns into 1";
  property.symbol = "p";
  property.open = true;
  property.help = "The probability.";
  property.equation = "Local-to-Global, section 2";
  return property;
}

}  // namespace

TEST_CASE("A slider moves the value in round steps, and never to an excluded end") {
  Panel panel;
  panel.property = probability();
  panel.value = 0.5;
  panel.frames(3);
  const ControlRect rect = *panel.map.find("flow.p");
  CHECK(panel.changes == 0);
  panel.pointer(rect.centre());
  panel.button(true);
  panel.pointer({rect.min.x + (rect.max.x - rect.min.x) * 0.8f, rect.centre().y});
  const double moved = std::get<double>(panel.value);
  CHECK(moved > 0.7);
  CHECK(moved < 0.9);
  CHECK(std::fabs(moved * 1000 - std::round(moved * 1000)) < 1e-9);
  CHECK(panel.ends == 0);
  panel.pointer({rect.max.x + 500, rect.centre().y});
  CHECK(std::get<double>(panel.value) == 0.999);
  panel.pointer({rect.min.x - 500, rect.centre().y});
  CHECK(std::get<double>(panel.value) == 0.001);
  panel.button(false);
  CHECK(panel.ends == 1);
}

TEST_CASE("A number can be typed with all its digits") {
  Panel panel;
  panel.property = probability();
  panel.value = 0.5;
  panel.frames(3);
  panel.typeInto("0.123456789");
  CHECK(panel.value == Value(0.123456789));
  CHECK(panel.changes == 1);
  CHECK(panel.ends >= 1);
  CHECK_FALSE(panel.map.refusal("flow.p"));
  panel.typeInto("1e-300");
  CHECK(panel.value == Value(1e-300));
}

TEST_CASE("An invalid input is refused beside the control, and the value stays") {
  for (const char* text : {"nan", "inf", "-inf", "0", "1", "7", "-0.1", "half", "0,5", "1e999"}) {
    CAPTURE(text);
    Panel panel;
    panel.property = probability();
    panel.value = 0.5;
    panel.frames(3);
    panel.typeInto(text);
    CHECK(panel.value == Value(0.5));
    CHECK(panel.changes == 0);
    REQUIRE(panel.map.refusal("flow.p"));
    CHECK_THAT(*panel.map.refusal("flow.p"), Catch::Contains("p must") && Catch::Contains("0.5 is kept"));
    CHECK_THAT(*panel.map.refusal("flow.p"),
               !Catch::Contains("flow.p"));  // the message names the parameter, not its key
    panel.frames(2);
    CHECK(panel.map.refusal("flow.p"));
    // A valid value removes the message.
    panel.typeInto("0.25");
    CHECK(panel.value == Value(0.25));
    CHECK_FALSE(panel.map.refusal("flow.p"));
  }
}

TEST_CASE("A refusal is removed when the value changes elsewhere") {
  Panel panel;
  panel.property = probability();
  panel.value = 0.5;
  panel.frames(3);
  panel.typeInto("nan");
  REQUIRE(panel.map.refusal("flow.p"));
  panel.value = 0.6;
  panel.frame();
  CHECK_FALSE(panel.map.refusal("flow.p"));
}

TEST_CASE("Leaving the field without an edit does not change the value, however many digits it has") {
  Panel panel;
  panel.property = probability();
  panel.value = 1.0 / 3;
  panel.frames(3);
  panel.click("flow.p#entry");
  panel.frames(30);
  panel.key(kEnter);
  panel.pointer({380, 380});
  CHECK(panel.value == Value(1.0 / 3));
  CHECK(panel.changes == 0);
  panel.click("flow.p#entry");
  panel.frames(30);
  ImGui::GetIO().AddInputCharactersUTF8("0.9");
  panel.frame();
  panel.key(kEscape);
  panel.pointer({380, 380});
  CHECK(panel.value == Value(1.0 / 3));
  CHECK_FALSE(panel.map.refusal("flow.p"));
}

TEST_CASE("A number that is too long for the field loses trailing zeros, not its exponent") {
  Panel panel;
  panel.property = {.key = "epsilon", .kind = Kind::Real, .min = -1, .max = 1, .step = 0.001, .digits = 40};
  panel.value = 1e-5;
  CHECK(panel.copied() == "1e-05");
  CHECK(panel.changes == 0);
  CHECK(panel.value == Value(1e-5));
  panel.value = -1234567.0 / 3e13;  // shown with fewer digits than it has, but not changed
  const Value many = panel.value;
  panel.copied();
  CHECK(panel.value == many);
  panel.click("epsilon#entry");
  panel.frames(30);
  ImGui::GetIO().AddInputCharactersUTF8("2·10⁻⁶");
  panel.frame();
  panel.key(kEnter);
  CHECK(panel.value == Value(2e-6));
  panel.value = 0.0;
  CHECK(panel.copied() == "0");
  panel.property.digits = 3;
  panel.value = 0.5;
  CHECK(panel.copied() == "0.500");
}

TEST_CASE("A parameter with a wide range has step buttons instead of a slider") {
  Panel panel;
  panel.property = probability();
  panel.property.min = -1e6;
  panel.property.max = 1e6;
  panel.property.open = false;
  panel.value = 0.3;
  panel.frames(3);
  const ControlRect rect = *panel.map.find("flow.p");
  panel.click(ImVec2{rect.max.x - 5, rect.centre().y});
  CHECK(std::get<double>(panel.value) == Approx(0.31).margin(1e-12));
  panel.click(ImVec2{rect.min.x + 5, rect.centre().y});
  panel.click(ImVec2{rect.min.x + 5, rect.centre().y});
  CHECK(std::get<double>(panel.value) == Approx(0.29).margin(1e-12));
  panel.typeInto("-1e6");
  CHECK(panel.value == Value(-1e6));
  panel.click(ImVec2{rect.min.x + 5, rect.centre().y});
  CHECK(panel.value == Value(-1e6));
}

TEST_CASE("A logarithmic slider reaches both ends within three digits") {
  Panel panel;
  panel.property = probability();
  panel.property.min = 0.01;
  panel.property.max = 10;
  panel.property.open = false;
  panel.property.scale = Scale::Logarithmic;
  panel.value = 1.0;
  panel.frames(3);
  const ControlRect rect = *panel.map.find("flow.p");
  panel.pointer(rect.centre());
  panel.button(true);
  CHECK(std::get<double>(panel.value) > 0.1);
  CHECK(std::get<double>(panel.value) < 1);
  panel.pointer({rect.max.x + 500, rect.centre().y});
  CHECK(panel.value == Value(10.0));
  panel.pointer({rect.min.x - 500, rect.centre().y});
  CHECK(panel.value == Value(0.01));
  panel.button(false);
}

TEST_CASE("An integer parameter accepts only whole numbers") {
  Panel panel;
  panel.property = probability();
  panel.property.kind = Kind::Integer;
  panel.property.open = false;
  panel.property.min = 1;
  panel.property.max = 100;
  panel.property.step = 1;
  panel.value = 50.0;
  panel.frames(3);
  panel.typeInto("12.5");
  CHECK(panel.value == Value(50.0));
  REQUIRE(panel.map.refusal("flow.p"));
  panel.typeInto("12");
  CHECK(panel.value == Value(12.0));
  const ControlRect rect = *panel.map.find("flow.p");
  panel.pointer({rect.min.x + (rect.max.x - rect.min.x) * 0.37f, rect.centre().y});
  panel.button(true);
  panel.button(false);
  const double number = std::get<double>(panel.value);
  CHECK(number == std::round(number));
  CHECK(number != 12);
}

TEST_CASE("A toggle, a choice and a text field set their values") {
  Panel panel;
  panel.property = probability();
  panel.property.kind = Kind::Toggle;
  panel.value = false;
  panel.click("flow.p");
  CHECK(panel.value == Value(true));
  CHECK(panel.ends == 1);

  panel.property.kind = Kind::Choice;
  panel.property.key = "flow.basin.method";
  panel.property.choices = {"exact", "integrate", "both"};
  panel.property.choiceLabel = [](const std::string& key) { return "by " + key; };
  panel.value = std::string("exact");
  panel.frames(2);
  CHECK_FALSE(panel.map.find("flow.basin.method#both"));
  panel.click("flow.basin.method");
  panel.frames(2);
  panel.click("flow.basin.method#both");
  CHECK(panel.value == Value(std::string("both")));
  panel.frames(2);
  CHECK_FALSE(panel.map.find("flow.basin.method#both"));

  panel.property.kind = Kind::Text;
  panel.property.key = "flow.points[0].name";
  panel.value = std::string("A");
  panel.frames(2);
  panel.typeInto("start π");
  CHECK(panel.value == Value(std::string("start π")));
}

TEST_CASE("Read-outs report their position, also without a value") {
  Panel panel;
  panel.property = probability();
  panel.value = 0.5;
  ReadOut readOut;
  readOut.key = "flow.points[].loss";
  readOut.label = "Loss";
  readOut.symbol = "L";
  readOut.unit = "nats";
  panel.also = [&] {
    drawReadOut(readOut, 0.25, panel.map, "flow.points[0].loss");
    drawReadOut(readOut, Value(), panel.map, "flow.points[1].loss");
  };
  panel.frames(3);
  REQUIRE(panel.map.find("flow.points[0].loss"));
  REQUIRE(panel.map.find("flow.points[1].loss"));
  CHECK(panel.map.find("flow.points[1].loss")->min.y >= panel.map.find("flow.points[0].loss")->max.y);
  CHECK(panel.map.find("flow.points[0].loss")->max.x <= 310);
}

TEST_CASE("A control that is no longer drawn is not found") {
  Panel panel;
  panel.property = probability();
  panel.value = 0.5;
  panel.frames(3);
  CHECK(panel.map.find("flow.p"));
  panel.property.key = "flow.q";
  panel.frame();
  CHECK_FALSE(panel.map.find("flow.p"));
  CHECK(panel.map.find("flow.q"));
}
