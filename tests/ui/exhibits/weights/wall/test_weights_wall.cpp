// SPDX-License-Identifier: Apache-2.0
// The wall: its layout, drawing and computation, selection, scrolling, sorting.
#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include "tests/folders.h"
#include "tests/ui/exhibits/weights/weights_pages_rig.h"
#include "ui/exhibits/weights/wall/wall_page.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const std::string kEncoder = tests::sourceFolder() + "/tests/models/encoder";
const std::string kDecoder = tests::sourceFolder() + "/tests/models/decoder";

checkpoint::AttentionMap mapOf(int layers, int heads) {
  checkpoint::AttentionMap map;
  for (int i = 0; i < layers; ++i) {
    checkpoint::AttentionLayer layer;
    layer.layer = i;
    layer.d_model = layer.d_key = 1280;
    layer.heads = layer.kvHeads = heads;
    layer.d_h = 64;
    map.layers.push_back(layer);
  }
  return map;
}

}  // namespace

TEST_CASE("A wall of 36 x 20 heads has one row per layer, and only visible rows are drawn", "[weights][wall]") {
  const checkpoint::AttentionMap map = mapOf(36, 20);
  const std::vector<LayerScores> board(36);
  WallLayout layout;
  layout.make({&map, &board, WallOrder::Layer, {{0, 40}, {980, 660}}, 48, 12});
  REQUIRE(layout.cells().size() == 36 * 21);
  CHECK(layout.names().size() == 36);
  const auto [first, last] = layout.visibleRows(500);
  CHECK(last - first < 12);
  CHECK(layout.visibleCells(500).size() == static_cast<std::size_t>(last - first) * 21);
  std::set<WallPlace> seen;
  for (std::size_t i = 0; i < layout.cells().size(); ++i) {
    const WallCell& cell = layout.cells()[i];
    seen.insert(cell.place);
    CHECK(cell.row == static_cast<int>(i / 21));
    CHECK(cell.picture.max.x <= 980);
    if (i % 21 == 0)
      CHECK(cell.place.head == -1);
    else
      CHECK(cell.picture.min.x > layout.cells()[i - 1].picture.max.x);
  }
  CHECK(seen.size() == 36 * 21);
  // A point maps back to its cell at any scroll position.
  for (const double scroll : {0.0, 333.0, 1500.0}) {
    for (const WallCell& cell : layout.visibleCells(scroll)) {
      const render::Point middle{(cell.picture.min.x + cell.picture.max.x) / 2,
                                 (cell.picture.min.y + cell.picture.max.y) / 2};
      if (middle.y < 40 || middle.y > 660) continue;
      const auto found = layout.at(middle, scroll);
      REQUIRE(found);
      CHECK(found->place == cell.place);
    }
  }
  CHECK(layout.cells().back().place == WallPlace{35, 19});
}

TEST_CASE("A wall of few layers is as high as a large window", "[weights][wall]") {
  const checkpoint::AttentionMap map = mapOf(4, 4);
  const std::vector<LayerScores> board(4);
  const render::Rect area{{0, 70}, {1620, 1050}};
  WallLayout layout;
  layout.make({&map, &board, WallOrder::Layer, area, 0, 14});
  CHECK(layout.height() <= area.height());
  CHECK(layout.height() > 0.95 * area.height());
}

TEST_CASE("A wall with automatic size fills the window", "[weights][wall]") {
  const checkpoint::AttentionMap map = mapOf(12, 12);
  const std::vector<LayerScores> board(12);
  for (const render::Rect& area : {render::Rect{{0, 40}, {900, 690}}, render::Rect{{0, 40}, {1540, 1040}}}) {
    WallLayout layout;
    layout.make({&map, &board, WallOrder::Layer, area, 0, 12});
    double right = 0, bottom = 0;
    std::set<WallPlace> seen;
    for (const WallCell& cell : layout.visibleCells(0)) {
      seen.insert(cell.place);
      right = std::max(right, cell.picture.max.x);
      bottom = std::max(bottom, cell.picture.max.y);
    }
    CHECK(layout.size() >= 48);
    CHECK(right > area.min.x + 0.8 * area.width());
    CHECK(right <= area.max.x);
    CHECK(bottom > area.min.y + 0.75 * area.height());
    if (area.width() > 1000) {
      CHECK(layout.height() <= area.height());
      CHECK(seen.size() == 12 * 13);
      CHECK(layout.size() > 52);
    }
    // A point maps back to its cell if layers are side by side too.
    for (const WallCell& cell : layout.visibleCells(0)) {
      const render::Point middle{(cell.picture.min.x + cell.picture.max.x) / 2,
                                 (cell.picture.min.y + cell.picture.max.y) / 2};
      if (area.contains(middle)) CHECK(layout.at(middle, 0)->place == cell.place);
    }
  }
}

TEST_CASE("Heads that do not fit into one row continue on further rows", "[weights][wall]") {
  const checkpoint::AttentionMap map = mapOf(3, 64);
  const std::vector<LayerScores> board(3);
  WallLayout layout;
  layout.make({&map, &board, WallOrder::Layer, {{0, 0}, {600, 500}}, 48, 12});
  CHECK(layout.cells().back().row > 2);
  for (const WallCell& cell : layout.cells())
    CHECK(cell.picture.max.x <= 600);
  CHECK(layout.cells().size() == 3 * 65);
  CHECK(layout.names().size() == 3);
}

TEST_CASE("The wall shows every head with its scores, and a click opens one", "[weights][wall]") {
  PageRig rig(makeWallPage());
  rig.open(kEncoder);
  rig.set("weights.page", std::string("wall"));
  rig.settle();
  CHECK(rig.boardWanted > 0);
  CHECK(rig.page->facts(rig.shared).complete);
  CHECK(rig.items<render::Heatmap>("wall.heads").size() == 4 * 5);
  const std::string texts = rig.texts("wall.heads");
  CHECK(texts.find("s " + scoreText(rig.board[0].scores.symmetry)) != std::string::npos);
  CHECK(texts.find("s " + scoreText(rig.board[3].headScores[2].symmetry)) != std::string::npos);
  rig.look("wall");

  auto& page = dynamic_cast<WallPage&>(*rig.page);
  const WallCell cell = page.layout().cells().at(2 * 5 + 4);
  CHECK(cell.place == WallPlace{2, 3});
  const std::size_t steps = rig.editor.history.undoSteps();
  rig.click({(cell.picture.min.x + cell.picture.max.x) / 2, (cell.picture.min.y + cell.picture.max.y) / 2});
  CHECK(rig.number("weights.layer") == 2);
  CHECK(rig.number("weights.head") == 3);
  CHECK(rig.text("weights.page") == "matrix");
  CHECK(rig.editor.history.undoSteps() == steps + 1);
}

TEST_CASE("A wall that leaves room shows the scores by layer beside it", "[weights][wall]") {
  PageRig rig(makeWallPage());
  rig.open(kEncoder);
  rig.set("weights.page", std::string("wall"));
  rig.area = {{0, 0}, {980, 660}};
  rig.settle();
  CHECK(rig.texts("wall.layers.s").find("Symmetry by layer") != std::string::npos);
  CHECK(rig.texts("wall.layers.d").find("Directionality by layer") != std::string::npos);
  rig.area = {{0, 0}, {560, 660}};
  rig.settle();
  CHECK(rig.texts("wall.layers.s").empty());
}

TEST_CASE("A picture has the block extremes of W_qk", "[weights][wall]") {
  PageRig rig(makeWallPage());
  rig.open(kDecoder);
  rig.settle();
  const auto maps = rig.items<render::Heatmap>("wall.heads");
  REQUIRE(maps.size() == 20);
  const auto factors = checkpoint::loadFactors(*rig.shared.model->checkpoint, rig.shared.model->map.layers[0]);
  REQUIRE(factors);
  const attention::Matrix M = factors->W_Q * attention::keysOfHeads(*factors).transpose();
  const render::Heatmap& whole = maps.front();
  REQUIRE(whole.width == 64);  // 64 entries per side: nothing is pooled
  float largest = 0;
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j) {
      CHECK((*whole.values)[static_cast<std::size_t>(64 * i + j)] == Approx(M(i, j)).margin(1e-5));
      largest = std::max(largest, static_cast<float>(std::abs(M(i, j))));
    }
  CHECK(whole.high <= largest * 1.0001f);
  const auto beyond = std::count_if(whole.values->begin(), whole.values->end(),
                                    [&](float value) { return std::abs(value) > whole.high; });
  CHECK(beyond > 0);
  CHECK(beyond <= 64 * 64 * 0.005 + 1);
  CHECK(whole.low == -whole.high);
}

TEST_CASE("Scores inside the band of random matrices are pale", "[weights][wall]") {
  PageRig rig(makeWallPage());
  rig.open(kDecoder);
  rig.settle();
  const Theme& theme = *findTheme("dark");
  std::size_t pale = 0, strong = 0;
  for (const render::Label& label : rig.items<render::Label>("wall.heads")) {
    if (label.text.rfind("d ", 0) != 0 && label.text.rfind("s ", 0) != 0) continue;
    (label.color == theme.text ? strong : pale) += 1;
  }
  std::size_t expected = 0;
  for (const LayerScores& entry : rig.board) {
    expected += entry.band.symmetry.holds(entry.scores.symmetry);
    expected += entry.band.directionality.holds(entry.scores.directionality);
    for (const attention::Scores& head : entry.headScores) {
      expected += entry.headBand.symmetry.holds(head.symmetry);
      expected += entry.headBand.directionality.holds(head.directionality);
    }
  }
  CHECK(pale == expected);
  CHECK(pale + strong == 40);
  CHECK(pale > 0);
  CHECK(strong > 0);
}

TEST_CASE("Only visible heads are computed, and the wheel scrolls to others", "[weights][wall]") {
  PageRig rig(makeWallPage());
  rig.open(kEncoder);
  rig.set("weights.wall.size", 96.0);
  rig.area = {{0, 0}, {700, 200}};
  rig.settle();
  auto& page = dynamic_cast<WallPage&>(*rig.page);
  CHECK(page.scroll() == 0);
  const std::size_t before = rig.items<render::Heatmap>("wall.heads").size();
  CHECK(before < 20);
  rig.frame({PointerMoved{300, 100}});
  rig.frame({Scrolled{0, -50, {}}});
  CHECK(page.scroll() > 0);
  rig.settle();
  CHECK(rig.items<render::Heatmap>("wall.heads").size() >= 5);
  const double bottom = page.scroll();
  rig.frame({Scrolled{0, -50, {}}});
  CHECK(page.scroll() == bottom);
  // A newly selected layer is scrolled into view.
  rig.set("weights.layer", 0.0);
  rig.set("weights.head", 2.0);
  rig.settle();
  CHECK(page.scroll() == 0);
}

TEST_CASE("The scroll bar of a wall can be dragged, starting with the press", "[weights][wall]") {
  PageRig rig(makeWallPage());
  rig.open(kEncoder);
  rig.set("weights.wall.size", 96.0);
  rig.area = {{0, 0}, {700, 200}};
  rig.settle();
  auto& page = dynamic_cast<WallPage&>(*rig.page);
  const std::vector<render::Fill> bar = rig.items<render::Fill>("wall.scroll");
  REQUIRE(bar.size() == 2);
  const double x = (bar[0].points[0].x + bar[0].points[2].x) / 2;
  rig.frame({RigBase::press({x, 195}, true)});
  const double bottom = page.scroll();
  CHECK(bottom == Approx(page.layout().height() - page.layout().area().height()));
  rig.frame({RigBase::move({x, 0})});
  rig.frame({RigBase::press({x, 0}, false)});
  CHECK(page.scroll() == 0);
  rig.frame({RigBase::move({x, 150})});
  CHECK(page.scroll() == 0);
}

TEST_CASE("Heads can be read with their scores, and a head outside the view is scrolled into it", "[weights][wall]") {
  PageRig rig(makeWallPage());
  rig.open(kEncoder);
  rig.set("weights.wall.size", 96.0);
  rig.area = {{0, 0}, {700, 200}};
  rig.settle();
  auto& page = dynamic_cast<WallPage&>(*rig.page);
  const std::vector<ReadableView> views = page.board().readable();
  const auto heads = std::find_if(views.begin(), views.end(),
                                  [](const ReadableView& one) { return one.role == ReadableView::Role::Table; });
  REQUIRE(heads != views.end());
  CHECK(heads->name == "wall.heads");
  REQUIRE(heads->rows == 20);
  CHECK(heads->text(7, 0).find("layer 1, head 1, s = " + scoreText(rig.board[1].headScores[1].symmetry, 4)) == 0);
  const std::optional<render::Point> at = heads->place(19, 0);
  REQUIRE(at);
  CHECK(page.scroll() > 0);
  CHECK(page.layout().at(*at, page.scroll())->place == WallPlace{3, 3});
}

TEST_CASE("A sorted wall begins with the largest score", "[weights][wall]") {
  PageRig rig(makeWallPage());
  rig.open(kEncoder);
  auto& page = dynamic_cast<WallPage&>(*rig.page);
  const auto valueAt = [&](const WallCell& cell, const std::string& order) {
    const attention::Scores& s =
        rig.board[static_cast<std::size_t>(cell.place.layer)].headScores[static_cast<std::size_t>(cell.place.head)];
    return order == "symmetry" ? s.symmetry : -s.directionality;
  };
  for (const std::string order : {"symmetry", "directionality"}) {
    rig.set("weights.wall.order", order);
    rig.settle();
    double last = 2;
    for (const WallCell& cell : page.layout().cells()) {
      const double value = valueAt(cell, order);
      CHECK(value <= last);
      last = value;
    }
    CHECK(page.layout().cells().size() == 16);
  }
}

TEST_CASE("A wall without a matrix gives the reason", "[weights][wall]") {
  PageRig rig(makeWallPage());
  rig.open("/nowhere/model.safetensors");
  rig.settle();
  CHECK(rig.texts("wall.sentence").find("/nowhere") != std::string::npos);
}
