// SPDX-License-Identifier: Apache-2.0
// The event queue for ImGui: all events between two frames arrive in order, with one change of a key or button per
// frame.
#include <array>
#include <cstring>
#include <string>

#include <catch2/catch.hpp>

#include "ui/workbench/imgui_context.h"
#include "ui/workbench/imgui_input.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// An ImGui window with one text field and one button, without a device.
struct InputBench {
  ImguiContext context;
  ImguiInput input;
  std::array<char, 64> text{};
  int clicks = 0;
  ImVec2 field, button;

  InputBench() {
    context.makeCurrent();
    context.prepare(*findTheme("dark"), 1);
    for (int i = 0; i < 3; ++i)
      frame();
  }
  void frame() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(400, 300);
    io.DeltaTime = 1.0f / 60;
    input.feed(io, 1);
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(ImVec2(400, 300));
    ImGui::Begin("bench", nullptr, ImGuiWindowFlags_NoDecoration);
    ImGui::InputText("##text", text.data(), text.size());
    field = centre();
    if (ImGui::Button("press", ImVec2(100, 30))) ++clicks;
    button = centre();
    ImGui::End();
    ImGui::Render();
  }
  static ImVec2 centre() {
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    return ImVec2((min.x + max.x) / 2, (min.y + max.y) / 2);
  }
  void drain() {
    int frames = 0;
    do {
      frame();
      REQUIRE(++frames < 200);
    } while (input.pending());
    frame();
  }
  void click(ImVec2 at) {
    input.push({PointerMoved{at.x, at.y}, PointerPressed{Button::Left, true, at.x, at.y, {}},
                PointerPressed{Button::Left, false, at.x, at.y, {}}});
  }
};

void pressAndRelease(std::vector<InputEvent>& events, Key key, const std::string& text = {}) {
  events.emplace_back(KeyPressed{key, true, {}});
  if (!text.empty()) events.emplace_back(TextTyped{text});
  events.emplace_back(KeyPressed{key, false, {}});
}

}  // namespace

TEST_CASE("A click between two frames presses the button once", "[input]") {
  InputBench bench;
  bench.click(bench.button);
  bench.drain();
  CHECK(bench.clicks == 1);
  bench.click(bench.button);
  bench.click(bench.button);
  bench.click(bench.button);
  bench.drain();
  CHECK(bench.clicks == 4);
}

TEST_CASE("A double click is recognised as the window system reports it, whatever the time of a frame", "[input]") {
  InputBench bench;
  const auto twice = [&bench](int clicks, int frames) {
    for (int i = 0; i < frames; ++i)
      bench.frame();
    const ImVec2 at = bench.button;
    bench.input.push({PointerMoved{at.x, at.y}, PointerPressed{Button::Left, true, at.x, at.y, {}, clicks}});
    bench.frame();
    const bool second = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    bench.input.push({PointerPressed{Button::Left, false, at.x, at.y, {}}});
    bench.drain();
    return second;
  };
  CHECK_FALSE(twice(1, 0));
  CHECK(twice(2, 120));
  CHECK_FALSE(twice(1, 0));
  CHECK_FALSE(twice(1, 0));
  CHECK_FALSE(twice(0, 120));
  CHECK(twice(0, 0));  // a script gives no count, so the time between two frames decides
}

TEST_CASE("Typing hello and Backspace in one batch gives hell", "[input]") {
  InputBench bench;
  bench.click(bench.field);
  bench.drain();
  std::vector<InputEvent> events;
  pressAndRelease(events, Key::H, "h");
  pressAndRelease(events, Key::E, "e");
  pressAndRelease(events, Key::L, "l");
  pressAndRelease(events, Key::L, "l");
  pressAndRelease(events, Key::O, "o");
  pressAndRelease(events, Key::Backspace);
  bench.input.push(events);
  bench.drain();
  CHECK(std::string(bench.text.data()) == "hell");

  // Text after an editing key is applied after it, even within one batch.
  events.clear();
  pressAndRelease(events, Key::Backspace);
  pressAndRelease(events, Key::P, "p");
  pressAndRelease(events, Key::Home);
  pressAndRelease(events, Key::S, "s");
  bench.input.push(events);
  bench.drain();
  CHECK(std::string(bench.text.data()) == "shelp");
}

TEST_CASE("Events keep their order, and positions are converted to points", "[input]") {
  InputBench bench;
  ImGuiIO& io = ImGui::GetIO();
  ImguiInput input;
  input.push({PointerMoved{20, 40}, PointerPressed{Button::Left, true, 20, 40, {}}, PointerMoved{60, 80},
              PointerPressed{Button::Left, false, 60, 80, {}}});
  auto first = input.feed(io, 2);
  REQUIRE(first.size() == 2);
  CHECK(std::get<PointerMoved>(first[0]).x == 10);
  CHECK(std::get<PointerPressed>(first[1]).y == 20);
  CHECK(io.MouseDown[0]);
  CHECK(io.MousePos.x == 10);
  CHECK(input.pending());
  auto second = input.feed(io, 2);
  REQUIRE(second.size() == 2);
  CHECK_FALSE(io.MouseDown[0]);
  CHECK(io.MousePos.x == 30);
  CHECK_FALSE(input.pending());

  input.push({Scrolled{0, 1, {}}, Scrolled{0, 2, {}}});
  CHECK(input.feed(io, 2).size() == 2);
  CHECK(io.MouseWheel == 3);
  CHECK(input.feed(io, 2).empty());
  CHECK(io.MouseWheel == 0);
}

TEST_CASE("Losing the focus releases all keys and buttons", "[input]") {
  InputBench bench;
  ImGuiIO& io = ImGui::GetIO();
  bench.input.push(
      {KeyPressed{Key::A, true, {.ctrl = true}}, PointerPressed{Button::Right, true, 5, 5, {.ctrl = true}}});
  bench.input.feed(io, 1);
  CHECK(io.KeysDown[static_cast<int>(Key::A)]);
  CHECK(io.MouseDown[1]);
  CHECK(io.KeyCtrl);
  bench.input.push({FocusChanged{false}});
  bench.input.feed(io, 1);
  CHECK_FALSE(io.KeysDown[static_cast<int>(Key::A)]);
  CHECK_FALSE(io.MouseDown[1]);
  CHECK_FALSE(io.KeyCtrl);
}
