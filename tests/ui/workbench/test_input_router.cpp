// SPDX-License-Identifier: Apache-2.0
// Whose an event is, without a device: panes see it in their own input.
#include "ui/workbench/input_router.h"

#include <catch2/catch.hpp>

#include "tests/ui/workbench/parts.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// Two panes side by side, with an ImGui that wants nothing.
struct TwoPanes : test::Parts {
  ImGuiContext* imgui = ImGui::CreateContext();
  InputRouter router{window, panes};
  std::vector<Key> keys;

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
    router.route({std::move(event)}, [&](const KeyPressed& press, bool) {
      keys.push_back(press.key);
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

TEST_CASE("the pointer belongs to the pane under it, and a press makes that the active one", "[router]") {
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

TEST_CASE("a gesture stays with its pane and its button", "[router]") {
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
  two.router.forgetHidden();
  CHECK_FALSE(two.router.gesturing());
  CHECK(two.router.pointerPane() == 0);
}

TEST_CASE("whoever works on in the window has closed the dialog for a file", "[router]") {
  TwoPanes two;
  two.window.chooseFile("weights.checkpoint");
  two.move(1);
  CHECK(two.window.fileFor == "weights.checkpoint");
  two.route(KeyPressed{Key::A, true, {}}, true);
  CHECK(two.window.fileFor.empty());
  CHECK(two.keys == std::vector<Key>{Key::A});
}
