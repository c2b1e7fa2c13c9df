// SPDX-License-Identifier: Apache-2.0
// The comparison of two checkpoints: distances, pictures of a difference, mismatched shapes, blinking, linked zoom.
#include <cmath>

#include <catch2/catch.hpp>

#include "tests/folders.h"
#include "tests/ui/exhibits/weights/weights_pages_rig.h"
#include "ui/exhibits/weights/compare/compare_page.h"
#include "ui/views/matrix_view.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const std::string kModels = tests::sourceFolder() + "/tests/models/";

attention::Matrix formOf(const PageRig& rig, const checkpoint::Model& model, std::size_t layer, int head) {
  (void)rig;
  const auto factors = checkpoint::loadFactors(*model.checkpoint, model.map.layers.at(layer),
                                               {checkpoint::HeadPairing::Grouped, head, false});
  REQUIRE(factors);
  return factors->W_Q * attention::keysOfHeads(*factors).transpose();
}

struct CompareRig : PageRig {
  CompareRig(const std::string& first, const std::string& second) : PageRig(makeComparePage()) {
    open(kModels + first);
    set("weights.page", std::string("compare"));
    if (!second.empty()) set("weights.compare.checkpoint", kModels + second);
    settle();
  }
  ComparePage& compare() { return dynamic_cast<ComparePage&>(*page); }
  /// The plot of a pane: "first", "second", "difference".
  render::Rect plot(const std::string& pane) const {
    REQUIRE(layer("compare." + pane));
    return layer("compare." + pane)->within.value();
  }
  render::Point middle(const std::string& pane) const {
    return {(plot(pane).min.x + plot(pane).max.x) / 2, (plot(pane).min.y + plot(pane).max.y) / 2};
  }
};

}  // namespace

TEST_CASE("The distance of a checkpoint from itself is zero", "[weights][compare]") {
  CompareRig rig("encoder", "encoder");
  CHECK(rig.number("weights.compare.layers") == 4);
  CHECK(rig.number("weights.compare.norm") == Approx(0).margin(1e-5));
  CHECK(rig.number("weights.compare.cosine") == Approx(1));
}

TEST_CASE("Norm and cosine of the difference are correct for layers and heads", "[weights][compare]") {
  CompareRig rig("encoder", "decoder");
  rig.look("compare");
  for (const int head : {-1, 2}) {
    rig.set("weights.layer", 1.0);
    rig.set("weights.head", static_cast<double>(head));
    rig.settle();
    const attention::Matrix A = formOf(rig, *rig.shared.model, 1, head);
    const attention::Matrix B = formOf(rig, *rig.compare().board().model(), 1, head);
    CHECK(rig.number("weights.compare.norm") == Approx((A - B).norm()).epsilon(1e-9));
    CHECK(rig.number("weights.compare.cosine") ==
          Approx(A.cwiseProduct(B).sum() / (A.norm() * B.norm())).epsilon(1e-9));
    CHECK(rig.number("weights.compare.relative") ==
          Approx((A - B).norm() / std::sqrt(A.norm() * B.norm())).epsilon(1e-9));
  }
}

TEST_CASE("Both matrices and their difference have the exact entries", "[weights][compare]") {
  CompareRig rig("encoder", "decoder");
  const attention::Matrix A = formOf(rig, *rig.shared.model, 0, -1);
  const attention::Matrix B = formOf(rig, *rig.compare().board().model(), 0, -1);
  const auto same = [&rig](CompareSide side, const attention::Matrix& M) {
    REQUIRE(rig.compare().pictures().part(side));
    const MatrixPicture& picture = rig.compare().pictures().part(side)->picture;
    REQUIRE(picture.values);
    REQUIRE(picture.step == 1);
    double worst = 0;
    for (int i = 0; i < picture.height; ++i)
      for (int j = 0; j < picture.width; ++j)
        worst = std::max(
            worst, std::abs(static_cast<double>((*picture.values)[static_cast<std::size_t>(i * picture.width + j)]) -
                            M(picture.crop.row0 + i, picture.crop.column0 + j)));
    CHECK(worst < 1e-4);
  };
  same(CompareSide::First, A);
  same(CompareSide::Second, B);
  CHECK(rig.compare().pictures().limits(CompareSide::First) == rig.compare().pictures().limits(CompareSide::Second));
  rig.set("weights.compare.mode", std::string("difference"));
  rig.settle();
  same(CompareSide::Difference, A - B);
  CHECK(rig.items<render::Heatmap>("compare.difference").size() == 1);
  CHECK_FALSE(rig.layer("compare.first"));
}

TEST_CASE("Both panes have the same view, and the entries are printed at high zoom", "[weights][compare]") {
  CompareRig rig("encoder", "decoder");
  const render::Point middle = rig.middle("second");
  rig.frame({PointerMoved{middle.x, middle.y}});
  for (int i = 0; i < 12; ++i)
    rig.frame({Scrolled{0, 1, {}}});
  rig.settle();
  REQUIRE(rig.state.view);
  const render::Rect seen = *rig.state.view;
  CHECK(seen.width() < 10);
  CHECK(rig.plot("first").width() == Approx(rig.plot("second").width()));
  const int row = static_cast<int>(-(seen.min.y + seen.max.y) / 2);
  const int column = static_cast<int>((seen.min.x + seen.max.x) / 2);
  const attention::Matrix A = formOf(rig, *rig.shared.model, 0, -1);
  bool printed = false;  // with as many digits as fit
  for (int digits = 2; digits <= 5; ++digits)
    printed |= rig.texts("compare.first").find(entryText(A(row, column), digits) + "\n") != std::string::npos;
  CHECK(printed);
  CHECK(rig.texts("compare.tip").find("A − B: ") != std::string::npos);
  REQUIRE(rig.run("view.reset"));
  rig.settle();
  CHECK_FALSE(rig.state.view);
}

TEST_CASE("Matrices that do not fit, or a missing checkpoint, are reported", "[weights][compare]") {
  CompareRig other("encoder", "../../assets/models/grouped");
  CHECK(other.texts("compare.sentence").find("64 × 64") != std::string::npos);
  CHECK(other.text("weights.compare.note").find("128 × 128") != std::string::npos);
  other.click({400, 300});
  CHECK(other.chosenFor == "weights.compare.checkpoint");
  CompareRig none("encoder", "");
  CHECK(none.texts("compare.sentence").find("second checkpoint") != std::string::npos);
  none.click({400, 300});
  CHECK(none.chosenFor == "weights.compare.checkpoint");
  none.set("weights.compare.checkpoint", std::string("/nowhere.safetensors"));
  none.settle();
  CHECK(none.texts("compare.sentence").find("/nowhere.safetensors") != std::string::npos);
}

TEST_CASE("Blinking changes by key and during play, and stops at a pause", "[weights][compare]") {
  CompareRig rig("encoder", "decoder");
  REQUIRE(rig.run("weights.blink"));
  rig.settle();
  CHECK(rig.text("weights.compare.mode") == "blink");
  CHECK(rig.text("weights.compare.shown") == "A");
  CHECK(rig.texts("compare.axes").find("A: encoder") != std::string::npos);
  REQUIRE(rig.run("weights.blink"));
  rig.settle();
  CHECK(rig.text("weights.compare.shown") == "B");
  CHECK(rig.texts("compare.axes").find("B: decoder") != std::string::npos);
  CHECK_FALSE(rig.page->facts(rig.shared).animating);
  REQUIRE(rig.run("play.toggle"));
  rig.frame();
  CHECK(rig.page->facts(rig.shared).animating);
  int flips = 0;
  std::string last = "B";
  for (int i = 0; i < 121; ++i) {  // two seconds; a full blink takes one second
    rig.frame();
    if (rig.text("weights.compare.shown") != last) ++flips, last = rig.text("weights.compare.shown");
  }
  CHECK(flips >= 3);
  CHECK(flips <= 4);
  REQUIRE(rig.run("play.toggle"));
  CHECK_FALSE(rig.page->facts(rig.shared).animating);
}

TEST_CASE("A click in the table selects layer and head", "[weights][compare]") {
  CompareRig rig("encoder", "decoder");
  const std::vector<render::Heatmap> maps = rig.items<render::Heatmap>("compare.table");
  REQUIRE(maps.size() == 1);
  const render::Rect cells = flipped(maps[0].extent);  // four layers; all heads, and each of four heads
  rig.click({cells.min.x + 3.5 / 5 * cells.width(), cells.min.y + 2.5 / 4 * cells.height()});
  CHECK(rig.texts("compare.tip").find("|A − B| = ") != std::string::npos);
  CHECK(rig.number("weights.layer") == 2);
  CHECK(rig.number("weights.head") == 2);
  const Numbers numbers = rig.page->facts(rig.shared).numbers();
  REQUIRE(numbers.tables.size() == 1);
  CHECK(numbers.tables[0].rows() == 4 * 5);
}

TEST_CASE("Each of two checkpoints can have its own colour scale", "[weights][compare]") {
  CompareRig rig("encoder", "decoder");
  const auto bar = [&rig](const char* pane) {
    return rig.items<render::Heatmap>(std::string("compare.") + pane + ".scale");
  };
  CHECK(bar("first").empty());
  CHECK(bar("second").size() == 1);
  const ColorLimits both = rig.compare().pictures().limits(CompareSide::First);
  rig.set("weights.compare.scale", std::string("own"));
  rig.settle();
  const ColorLimits first = rig.compare().pictures().limits(CompareSide::First),
                    second = rig.compare().pictures().limits(CompareSide::Second);
  CHECK_FALSE(first == second);
  CHECK(std::max(first.high, second.high) == both.high);
  for (const char* const pane : {"first", "second"}) {
    REQUIRE(bar(pane).size() == 1);
    CHECK(bar(pane)[0].extent.min.x > rig.plot(pane).max.x);
  }
  CHECK(bar("first")[0].extent.max.x < rig.plot("second").min.x);
}

TEST_CASE("A drag of the colour scale of a comparison locks its limits, and a double click unlocks them",
          "[weights][compare]") {
  CompareRig rig("encoder", "decoder");
  rig.editor.registry.declare(
      Property{.key = "weights.limits.mode", .label = "mode", .choices = {"auto", "locked"}, .fallback = "auto"});
  const ColorLimits before = rig.compare().pictures().limits(CompareSide::First);
  double top = HUGE_VAL, x = 0;
  for (const render::Polyline& line : rig.items<render::Polyline>("compare.second.scale"))
    if (line.points.size() == 2 && line.stroke.width > 1.2f && line.points[0].y < top) {
      top = line.points[0].y;
      x = (line.points[0].x + line.points[1].x) / 2;
    }
  REQUIRE(top < HUGE_VAL);
  rig.drag({x, top}, {x, top + 60});
  rig.settle();
  REQUIRE(rig.state.locked);
  CHECK(rig.state.locked->high < before.high);
  CHECK(rig.compare().pictures().limits(CompareSide::First) == *rig.state.locked);
  rig.seconds += 2;
  rig.click({x, top + 40});
  rig.click({x, top + 40});
  rig.settle();
  CHECK_FALSE(rig.state.locked);
}

TEST_CASE("The comparison can be drawn in a window narrower than its table", "[weights][compare]") {
  CompareRig rig("encoder", "decoder");
  for (const double width : {420.0, 240.0, 60.0}) {
    rig.area = {{0, 40}, {width, 680}};
    CHECK(&rig.frame() == &rig.drawn);
  }
}
