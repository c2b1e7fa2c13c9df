// SPDX-License-Identifier: Apache-2.0
// Which triangles of ImGui's draw lists are drawn without the atlas; all triangles are drawn, in order.
#include "ui/workbench/imgui_renderer.h"

#include <string>

#include <catch2/catch.hpp>

namespace {

using namespace sepx;
using ui::ImguiPaint;

const ImVec2 kWhite(0.5f, 0.25f), kGlyph(0.1f, 0.2f);
constexpr ImU32 kOpaque = IM_COL32(10, 20, 30, 255), kVeil = IM_COL32(10, 20, 30, 128);

// Adds a rectangle at the origin as two triangles.
void addRectangle(ImDrawList& list, float width, float height, ImU32 color, ImVec2 uv = kWhite) {
  const auto first = static_cast<ImDrawIdx>(list.VtxBuffer.Size);
  for (const ImVec2 corner : {ImVec2(0, 0), ImVec2(width, 0), ImVec2(width, height), ImVec2(0, height)}) {
    ImDrawVert vertex;
    vertex.pos = corner;
    vertex.uv = uv;
    vertex.col = color;
    list.VtxBuffer.push_back(vertex);
  }
  for (const int i : {0, 1, 2, 0, 2, 3})
    list.IdxBuffer.push_back(static_cast<ImDrawIdx>(first + i));
}

std::vector<ui::ImguiRun> runsOf(const ImDrawList& list, unsigned from = 0) {
  ImDrawCmd command;
  command.IdxOffset = from;
  command.ElemCount = static_cast<unsigned>(list.IdxBuffer.Size) - from;
  std::vector<ui::ImguiRun> runs;
  ui::appendRuns(list, command, kWhite, runs);
  return runs;
}

}  // namespace

TEST_CASE("Large areas of one colour are drawn without the atlas, and opaque ones without blending") {
  ImDrawList list(nullptr);
  addRectangle(list, 400, 300, kOpaque);
  addRectangle(list, 8, 12, kOpaque, kGlyph);
  addRectangle(list, 400, 300, kVeil);
  const auto runs = runsOf(list);
  REQUIRE(runs.size() == 3);
  CHECK(runs[0].paint == ImguiPaint::Opaque);
  CHECK(runs[1].paint == ImguiPaint::Textured);
  CHECK(runs[2].paint == ImguiPaint::Flat);
}

TEST_CASE("Small rectangles are drawn together with their neighbours, and a picture of any size uses the atlas") {
  ImDrawList list(nullptr);
  addRectangle(list, 8, 12, kOpaque, kGlyph);
  addRectangle(list, 20, 20, kOpaque);
  addRectangle(list, 900, 900, kOpaque, kGlyph);
  CHECK(runsOf(list).size() == 1);
  list.VtxBuffer[8].uv = kWhite;  // one corner of the picture is white
  CHECK(runsOf(list).size() == 1);
  // One vertex is translucent.
  addRectangle(list, 900, 900, kOpaque);
  list.VtxBuffer.back().col = kVeil;
  const auto runs = runsOf(list);
  REQUIRE(runs.size() == 3);
  CHECK(runs[1].paint == ImguiPaint::Opaque);
  CHECK(runs[2].paint == ImguiPaint::Flat);
}

TEST_CASE("The runs of a draw command contain all of its triangles in order") {
  ImDrawList list(nullptr);
  for (int i = 0; i < 5; ++i) {
    addRectangle(list, 100, 100, kOpaque);
    addRectangle(list, 5, 5, kVeil, kGlyph);
  }
  for (const unsigned from : {0U, 6U, 12U}) {
    std::uint32_t next = from;
    for (const ui::ImguiRun& run : runsOf(list, from)) {
      CHECK(run.first == next);
      next += run.count;
    }
    CHECK(next == static_cast<std::uint32_t>(list.IdxBuffer.Size));
  }
  ImDrawCmd nothing;
  std::vector<ui::ImguiRun> runs;
  ui::appendRuns(list, nothing, kWhite, runs);
  CHECK(runs.empty());
}

TEST_CASE("An atlas that is too large for the device is refused with a message") {
  CHECK(ui::checkAtlas({4096, 16384}, 16384));
  for (const gpu::Extent atlas : {gpu::Extent{4096, 16385}, gpu::Extent{16385, 512}}) {
    const auto refused = ui::checkAtlas(atlas, 16384);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::NoDevice);
    CHECK(refused.error().message.find("16385") != std::string::npos);
    CHECK(refused.error().message.find("allows 16384") != std::string::npos);
  }
}
