// SPDX-License-Identifier: Apache-2.0
// Which pane receives an event, without a device.
#include "ui/workbench/input_router.h"

#include <catch2/catch.hpp>

#include "tests/ui/workbench/parts.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// Two panes side by side, with an ImGui context that wants no input.
struct TwoPanes : test::Parts {
  ImGuiContext* imgui = ImGui::CreateContext();
  InputRouter router{window, panes};
  std::vector<Key> keys;
  std::vector<bool> ofText;

  TwoPanes() {
    ImGui::SetCurrentContext(imgui);
    REQUIRE(run("view.split-two"));
    arrange();
  }
  ~TwoPanes() { ImGui::DestroyContext(imgui); }

  render::Point in(int pane) const {
    const render::Rect& picture = panes.places()[static_cast<std::size_t>(pane - 1)].picture;
    return {(picture.min.x + picture.max.x) / 2, (picture.min.y + picture.max.y) / 2};
  }
  void route(InputEvent event, bool takes = false) {
    router.route({std::move(event)}, [&](const KeyPressed& press, bool text) {
      keys.push_back(press.key);
      ofText.push_back(text);
      return takes;
    });
  }
  void press(int pane, bool down, Button button = Button::Left) {
    const render::Point at = in(pane);
    route(PointerPressed{button, down, at.x, at.y, {}});
  }
  void move(int pane) {
    const render::Point at = in(pane);
    route(PointerMoved{at.x, at.y});
  }
};

}  // namespace

TEST_CASE("The pointer belongs to the pane under it, and a press makes this pane active", "[router]") {
  TwoPanes two;
  two.move(2);
  CHECK(two.router.pointerPane() == 2);
  CHECK(two.panes.activeNumber() == 1);
  two.press(2, true);
  CHECK(two.panes.activeNumber() == 2);
  two.press(2, false);
  two.route(PointerLeft{});
  CHECK(two.router.pointerPane() == 0);
}

TEST_CASE("A gesture stays with its pane and its button until it ends", "[router]") {
  TwoPanes two;
  two.press(1, true);
  CHECK(two.router.gesturing());
  two.move(2);
  CHECK(two.router.pointerPane() == 1);
  two.press(2, true, Button::Right);
  two.press(2, false, Button::Right);
  CHECK(two.router.gesturing());
  CHECK(two.panes.activeNumber() == 1);
  two.press(2, false);
  CHECK_FALSE(two.router.gesturing());
  two.press(2, true);
  two.route(FocusChanged{false});
  CHECK_FALSE(two.router.gesturing());
  two.press(2, true);
  REQUIRE(two.run("view.split-one"));
  two.arrange();
  two.router.followPlaces();
  CHECK_FALSE(two.router.gesturing());
  CHECK(two.router.pointerPane() == 0);
}

TEST_CASE("Further input to the window closes a pending file dialog", "[router]") {
  TwoPanes two;
  two.window.chooseFile("weights.checkpoint");
  two.move(1);
  CHECK(two.window.fileDialogKey == "weights.checkpoint");
  two.route(KeyPressed{Key::A, true, {}}, true);
  CHECK(two.window.fileDialogKey.empty());
  CHECK(two.keys == std::vector<Key>{Key::A});
}

TEST_CASE("The second press of a double click does not reach a page that the first press opened", "[router]") {
  TwoPanes two;
  const auto open = [&two](const char* page) { REQUIRE(two.panes.set("flow.page", std::string(page))); };
  const auto click = [&two] {
    two.press(1, true);
    const bool taken = two.router.gesturing();
    two.press(1, false);
    return taken;
  };
  two.window.seconds = 10;
  CHECK(click());
  open("space");
  two.window.seconds += 0.2;
  CHECK_FALSE(click());
  two.window.seconds += 0.2;
  CHECK(click());  // a new click on the new page
  two.window.seconds += 0.2;
  CHECK(click());  // two clicks on the same page
  open("plane");
  two.window.seconds += 0.2;
  two.press(2, true);  // in the other pane
  CHECK(two.router.gesturing());
  two.press(2, false);
  CHECK(click());
  open("space");
  two.window.seconds += 1;
  CHECK(click());
}

TEST_CASE("The second press of a double click on a panel that closes does not reach the picture behind it",
          "[router]") {
  TwoPanes two;
  two.window.seconds = 10;
  ImGui::GetIO().WantCaptureMouse = true;
  two.press(1, true);
  two.press(1, false);
  ImGui::GetIO().WantCaptureMouse = false;
  two.window.seconds += 0.2;
  two.press(1, true);
  CHECK_FALSE(two.router.gesturing());
  two.press(1, false);
}

TEST_CASE("A press on a picture during typing is handled after the typed value", "[router]") {
  TwoPanes two;
  bool& editing = ImGui::GetIO().WantTextInput;
  editing = true;
  two.press(2, true);  // in this frame the field takes the typed text
  editing = false;
  CHECK_FALSE(two.router.gesturing());
  two.press(2, false);  // in the next frame the page reads the value
  CHECK(two.panes.activeNumber() == 1);
  two.move(2);  // press and release have been delivered in order
  CHECK(two.panes.activeNumber() == 2);
  CHECK_FALSE(two.router.gesturing());
  two.press(1, true);
  CHECK(two.router.gesturing());
  two.press(1, false);
}

TEST_CASE("A key that was pressed in a text field belongs to the field until it is released", "[router]") {
  TwoPanes two;
  bool& editing = ImGui::GetIO().WantTextInput;
  const auto stroke = [&two](bool down) {
    two.route(KeyPressed{Key::Enter, down, {}});
    return two.ofText.back();
  };
  editing = true;
  CHECK(stroke(true));
  editing = false;  // Return ended the editing, but is still held down
  CHECK(stroke(true));
  CHECK(stroke(false));
  CHECK_FALSE(stroke(true));
  CHECK_FALSE(stroke(false));
  editing = true;
  CHECK(stroke(true));
  editing = false;
  two.route(FocusChanged{false});
  CHECK_FALSE(stroke(true));
}
