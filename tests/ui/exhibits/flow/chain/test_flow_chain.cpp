// SPDX-License-Identifier: Apache-2.0
// The page of (p,q): computed values, drawing, pointer, keys, animation and exported numbers.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "engine/markov/gaussian.h"
#include "tests/ui/exhibits/flow/flow_rig.h"
#include "tests/ui/page/words_apart.h"
#include "ui/exhibits/flow/chain/chain_charts.h"
#include "ui/exhibits/flow/chain/chain_square.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

class ChainRig : public Rig {
 public:
  ChainRig() {
    area = {{0, 0}, {1280, 720}};
    set("flow.page", std::string("chain"));
    set("flow.chain.samples", 20.0);
  }
  render::Point place(const render::Scene& drawn, double p, double q) const { return at(drawn, p, q); }
};

const render::Heatmap* heatmapOf(const render::Scene& scene) {
  const render::Layer* square = Rig::layer(scene, "flow.chain.square");
  if (!square) return nullptr;
  for (const render::Item& item : square->items)
    if (const auto* map = std::get_if<render::Heatmap>(&item); map && map->width > 1) return map;
  return nullptr;
}

bool hasLabel(const render::Scene& scene, const std::string& text) {
  for (const render::Layer& layer : scene.layers)
    for (const render::Item& item : layer.items)
      if (const auto* label = std::get_if<render::Label>(&item); label && label->text.find(text) != std::string::npos)
        return true;
  return false;
}

}  // namespace

TEST_CASE("The square shows the selected quantity, and a dot marks p and q of the document", "[chain]") {
  ChainRig rig;
  for (const char* shown : {"excess", "gap", "S_star", "distance", "time"}) {
    rig.set("flow.chain.show", std::string(shown));
    const render::Scene& scene = rig.settle();
    const render::Heatmap* map = heatmapOf(scene);
    REQUIRE(map);
    CHECK(map->width == map->height);
    CHECK(map->low < map->high);
    CHECK(hasLabel(scene, "p + q = 1"));
    CHECK(scene.window == render::Rect{{0, 0}, {1, 1}});
  }
  const render::Scene& scene = rig.settle();
  for (const char* layer :
       {"flow.chain.square", "flow.chain.places", "flow.chain.curve", "flow.chain.along1", "flow.chain.words"})
    CHECK(Rig::layer(scene, layer));
  const render::Layer* places = Rig::layer(scene, "flow.chain.places");
  const render::Point dot = render::toPage(scene, {0.5, 0.8});
  const bool there = std::any_of(places->items.begin(), places->items.end(), [&](const render::Item& item) {
    const auto* marker = std::get_if<render::Marker>(&item);
    return marker && std::hypot(marker->at.x - dot.x, marker->at.y - dot.y) < 1e-9;
  });
  CHECK(there);
}

TEST_CASE("Read-outs equal the closed forms and depend on sigma", "[chain]") {
  ChainRig rig;
  rig.set("flow.gauss.sigma", 1.0);
  rig.settle();
  const markov::Chain chain{0.5, 0.8};
  const double p = markov::probabilityLocalMinimum(1, true);
  CHECK(rig.number("flow.chain.probability") == Approx(p));
  CHECK(rig.number("flow.chain.excess") == Approx(p * (chain.marginalEntropy() - chain.entropyRate())));
  CHECK(rig.number("flow.chain.clock") == Approx(1 / 0.1420118).epsilon(1e-6));  // erratum 18
  CHECK(rig.number("flow.chain.time") == Approx(markov::medianTime(chain, markov::Model::EW, 1).value()));
  rig.set("flow.chain.model", std::string("ewa"));
  rig.settle();
  CHECK(rig.number("flow.chain.probability") == Approx(markov::probabilityLocalMinimum3(1, true)).epsilon(1e-6));
  rig.set("flow.p", 0.3);
  rig.set("flow.q", 0.7);
  rig.settle();
  CHECK(std::isnan(rig.number("flow.chain.probability")));
  CHECK(rig.exhibit->status().find("degenerate") != std::string::npos);
  CHECK(hasLabel(rig.settle(), "Degenerate"));
}

TEST_CASE("A drag in the square is one undo step, Escape cancels it, and a double click opens the plane", "[chain]") {
  ChainRig rig;
  const render::Scene& scene = rig.settle();
  const auto steps = rig.editor.history.undoSteps();
  rig.drag(rig.place(scene, 0.5, 0.8), rig.place(scene, 0.3, 0.4));
  CHECK(rig.number("flow.p") == Approx(0.3));
  CHECK(rig.number("flow.q") == Approx(0.4));
  CHECK(rig.editor.history.undoSteps() == steps + 1);

  const render::Point from = rig.place(scene, 0.3, 0.4), to = rig.place(scene, 0.9, 0.2);
  rig.frame({Rig::move(from)});
  rig.frame({Rig::press(from, true)});
  rig.frame({Rig::move(to)});
  CHECK(rig.number("flow.p") == Approx(0.9));
  rig.frame({KeyPressed{Key::Escape, true, {}}});
  rig.frame({Rig::press(to, false)});
  CHECK(rig.number("flow.p") == Approx(0.3));
  CHECK(rig.editor.history.undoSteps() == steps + 1);

  rig.click(rig.place(scene, 0.6, 0.6));
  CHECK(rig.number("flow.p") == Approx(0.6));
  rig.seconds += 2;
  rig.click(rig.place(scene, 0.25, 0.35));
  rig.click(rig.place(scene, 0.25, 0.35));
  CHECK(rig.text("flow.page") == "plane");
  CHECK(rig.number("flow.q") == Approx(0.35));
}

TEST_CASE("The ends of the path, its marker and sigma can be dragged, and arrow keys change p and q", "[chain]") {
  ChainRig rig;
  const render::Scene& scene = rig.settle();
  rig.drag(rig.place(scene, 0.2, 0.4), rig.place(scene, 0.1, 0.15));
  CHECK(rig.number("flow.chain.path.p0") == Approx(0.1));
  CHECK(rig.number("flow.chain.path.q0") == Approx(0.15));
  rig.drag(rig.place(scene, 0.7, 0.8), rig.place(scene, 0.9, 0.95));
  CHECK(rig.number("flow.chain.path.q1") == Approx(0.95));
  rig.set("flow.chain.path.at", 0.5);
  rig.settle();
  rig.drag(rig.place(scene, 0.5, 0.55), rig.place(scene, 0.7, 0.75));
  CHECK(rig.number("flow.chain.path.at") == Approx(0.75).margin(0.006));
  CHECK(rig.number("flow.p") == Approx(0.5));  // p of the document does not change

  render::Point one{};  // the tick label of sigma = 1
  for (const render::Label& label : rig.items<render::Label>("flow.chain.curve"))
    if (label.text == "1") one = label.at;
  REQUIRE(one.x > 0);
  rig.click({one.x, one.y - 60});
  CHECK(rig.number("flow.gauss.sigma") == Approx(1).epsilon(0.05));

  rig.frame({KeyPressed{Key::Right, true, {}}});
  rig.frame({KeyPressed{Key::Right, false, {}}});
  CHECK(rig.number("flow.p") == Approx(0.505));
  rig.frame({KeyPressed{Key::Down, true, Modifiers{.shift = true}}});
  CHECK(rig.number("flow.q") == Approx(0.75));
}

TEST_CASE("Play moves the marker across p + q = 1, and following it is one undo step", "[chain]") {
  ChainRig rig;
  rig.settle();
  const auto steps = rig.editor.history.undoSteps();
  rig.set("flow.chain.follow", true);
  CHECK(rig.editor.history.undoSteps() == steps + 1);
  REQUIRE(rig.run("play.toggle"));
  rig.frame();
  CHECK(rig.exhibit->animating());
  bool crossed = false;
  for (int i = 0; i < 700 && rig.exhibit->animating(); ++i) {
    rig.frame();
    crossed = crossed || rig.number("flow.p") + rig.number("flow.q") > 1;
  }
  CHECK(crossed);
  CHECK_FALSE(rig.exhibit->animating());
  CHECK(rig.number("flow.chain.path.at") == 1);
  CHECK(rig.number("flow.p") == Approx(0.7));
  CHECK(rig.number("flow.q") == Approx(0.8));
  CHECK(rig.editor.history.undoSteps() == steps + 2);
  rig.editor.history.undo();
  CHECK(rig.number("flow.p") == Approx(0.5));
}

TEST_CASE("Commands of the page set the path and mirror p and q", "[chain]") {
  ChainRig rig;
  rig.settle();
  REQUIRE(rig.run("flow.chain-start-here"));
  CHECK(rig.number("flow.chain.path.q0") == Approx(0.8));
  REQUIRE(rig.run("flow.chain-mirror"));
  CHECK(rig.number("flow.p") == Approx(0.2));
  CHECK(rig.number("flow.q") == Approx(0.5));
  REQUIRE(rig.run("flow.chain-end-here"));
  CHECK(rig.number("flow.chain.path.p1") == Approx(0.2));
  REQUIRE(rig.run("view.reset"));
  CHECK_FALSE(rig.run("view.zoom-in"));  // the square always shows the whole range
}

TEST_CASE("A small pane shows only the square, and hidden parts are not drawn", "[chain]") {
  ChainRig rig;
  rig.area = {{0, 0}, {480, 340}};
  const render::Scene& scene = rig.settle();
  CHECK(heatmapOf(scene));
  CHECK_FALSE(Rig::layer(scene, "flow.chain.curve"));
  CHECK_FALSE(Rig::layer(scene, "flow.chain.words"));
  CHECK(scene.plot.width() > 150);
  rig.area = {{0, 0}, {1280, 720}};
  rig.set("flow.chain.path.show", false);
  const render::Scene& without = rig.settle();
  CHECK_FALSE(Rig::layer(without, "flow.chain.along1"));
  rig.set("flow.chain.contours", false);
  const std::size_t bare = Rig::layer(rig.settle(), "flow.chain.square")->items.size();
  rig.set("flow.chain.contours", true);
  CHECK(Rig::layer(rig.settle(), "flow.chain.square")->items.size() > bare);
}

TEST_CASE("A frame without changes draws nothing again", "[chain]") {
  ChainRig rig;
  rig.settle();
  std::vector<std::uint64_t> before, after;
  for (const render::Layer& layer : rig.frame().layers)
    before.push_back(layer.revision);
  for (const render::Layer& layer : rig.frame().layers)
    after.push_back(layer.revision);
  CHECK(before == after);
  CHECK(rig.exhibit->complete());
  CHECK_FALSE(rig.exhibit->animating());
}

TEST_CASE("The tooltip shows p, q and the quantities at the pointer", "[chain]") {
  ChainRig rig;
  const render::Point at = rig.place(rig.settle(), 0.2, 0.3);
  rig.frame({Rig::move(at)});
  const render::Scene& scene = rig.settle();
  REQUIRE(Rig::layer(scene, "flow.chain.tip"));
  CHECK(hasLabel(scene, "p = 0.200, q = 0.300"));
  bool timed = false;
  for (const render::Item& item : Rig::layer(scene, "flow.chain.tip")->items)
    if (const auto* label = std::get_if<render::Label>(&item))
      timed =
          timed || (label->text.find("median time") != std::string::npos && label->text.find("…") == std::string::npos);
  CHECK(timed);
}

TEST_CASE("The exported numbers contain the place, the path, the curves, the counts and the square", "[chain]") {
  ChainRig rig;
  rig.settle();
  const Numbers numbers = rig.exhibit->numbers();
  REQUIRE(numbers.tables.size() == 4);
  CHECK(numbers.tables[0].name == "place");
  const Table& path = numbers.tables[1];
  CHECK(path.name == "path");
  const auto& t = std::get<std::vector<double>>(path.find("t")->values);
  const auto& gap = std::get<std::vector<double>>(path.find("gap")->values);
  const auto& probability = std::get<std::vector<double>>(path.find("probability")->values);
  CHECK(std::is_sorted(t.begin(), t.end()));
  // On the line the gap is zero and the probability jumps.
  CHECK(*std::min_element(gap.begin(), gap.end()) < 1e-12);
  CHECK(probability.front() == Approx(markov::probabilityLocalMinimum(0.3, false)));
  CHECK(probability.back() == Approx(markov::probabilityLocalMinimum(0.3, true)));
  const Table& curves = numbers.tables[2];
  CHECK(curves.rows() == 4 * 49);
  for (const double value : std::get<std::vector<double>>(curves.find("probability")->values)) {
    CHECK(value >= 0);
    CHECK(value <= 1);
  }
  const Table& counts = numbers.tables[3];
  CHECK(counts.rows() == 40);
  REQUIRE(numbers.grids.size() == 1);
  CHECK(numbers.grids[0].name == "excess");
  CHECK(rig.exhibit->caption().find("p = 0.500, q = 0.800") != std::string::npos);
}

TEST_CASE("The points of a contour have the value of the contour", "[chain]") {
  constexpr int kSize = 40;
  std::vector<float> values(kSize * kSize);
  for (int row = 0; row < kSize; ++row)
    for (int column = 0; column < kSize; ++column) {
      const double p = (column + 0.5) / kSize, q = 1 - (row + 0.5) / kSize;
      values[static_cast<std::size_t>(row * kSize + column)] = static_cast<float>(p + 2 * q);
    }
  std::size_t points = 0;
  for (const render::Point& at : contourOf(values, kSize, 1.2, true)) {
    if (std::isnan(at.x)) continue;
    ++points;
    CHECK(at.x + 2 * at.y == Approx(1.2).margin(1e-5));
  }
  CHECK(points > 40);
  CHECK(contourOf(values, kSize, 7, true).empty());
  values.assign(values.size(), std::nanf(""));
  CHECK(contourOf(values, kSize, 1, true).empty());
}

TEST_CASE("Extreme values of p and q are drawn without a crash", "[chain]") {
  ChainRig rig;
  for (const auto& [p, q] : {std::pair{1e-9, 1e-9}, {1 - 1e-9, 1 - 1e-9}, {0.5, 0.5}, {0.3, 0.7}, {1e-300, 0.5}}) {
    rig.set("flow.p", p);
    rig.set("flow.q", q);
    const render::Scene& scene = rig.settle();
    CHECK(Rig::layer(scene, "flow.chain.places"));
  }
  rig.set("flow.gauss.sigma", 0.001);
  rig.settle();
  rig.set("flow.gauss.sigma", 10.0);
  rig.settle();
  rig.set("flow.chain.path.p1", 0.2);
  rig.set("flow.chain.path.q1", 0.4);  // a path of length zero
  const render::Scene& scene = rig.settle();
  CHECK(Rig::layer(scene, "flow.chain.along1"));
}

TEST_CASE("In a pane without room for a part, the page of chains names the part", "[chain]") {
  ChainRig rig;
  rig.area = {{0, 0}, {700, 480}};
  CHECK(Rig::layer(rig.settle(), "flow.chain.along1") != nullptr);
  CHECK(Rig::layer(rig.frame(), "flow.chain.missing") == nullptr);
  rig.area = {{0, 0}, {500, 400}};
  const render::Layer* const note = Rig::layer(rig.settle(), "flow.chain.missing");
  REQUIRE(note != nullptr);
  const std::string words = std::get<render::Label>(note->items.front()).text;
  CHECK_THAT(words, Catch::Contains("the four plots along the path"));
  rig.set("flow.chain.path.show", false);
  const render::Layer* const less = Rig::layer(rig.settle(), "flow.chain.missing");
  CHECK((!less || std::get<render::Label>(less->items.front()).text.find("four plots") == std::string::npos));
}

TEST_CASE("A low pane has the curve beside the square", "[chain]") {
  ChainRig rig;
  rig.theme = "projector";
  rig.area = {{0, 0}, {640, 320}};
  const render::Scene& scene = rig.settle();
  CHECK(heatmapOf(scene));
  CHECK(Rig::layer(scene, "flow.chain.curve"));
  const render::Layer* const note = Rig::layer(scene, "flow.chain.missing");
  REQUIRE(note);
  CHECK_THAT(std::get<render::Label>(note->items.front()).text, Catch::Contains("the explanation"));
}

TEST_CASE("At every height the explanation is complete or the page refers to a larger pane", "[chain]") {
  ChainRig rig;
  int whole = 0, said = 0;
  for (double height = 360; height <= 720; height += 2) {
    rig.area = {{0, 0}, {980, height}};
    const render::Scene& scene = rig.frame();
    if (!Rig::layer(scene, "flow.chain.words")) continue;
    const bool ends = hasLabel(scene, "lies."), larger = hasLabel(scene, "In a larger pane");
    INFO(height);
    CHECK((ends || larger));
    whole += ends ? 1 : 0;
    said += larger ? 1 : 0;
  }
  CHECK(whole > 0);
  CHECK(said > 0);
}

TEST_CASE("Texts of the page of chains do not overlap, and its axis has a name, at every height of the pane",
          "[chain]") {
  ChainRig rig;
  rig.set("flow.p", 0.55);
  rig.set("flow.q", 0.6);
  for (const double sigma : {0.05, 0.1, 0.5, 0.9, 5.0})
    for (const auto& [width, height] : {std::pair(980.0, 330.0), std::pair(980.0, 360.0), std::pair(820.0, 390.0),
                                        std::pair(980.0, 420.0), std::pair(820.0, 500.0), std::pair(980.0, 640.0)}) {
      rig.set("flow.gauss.sigma", sigma);
      rig.area = {{0, 0}, {width, height}};
      const render::Scene& scene = rig.settle();
      const std::string faults = wordFaults(scene, width);
      INFO("sigma " << sigma << ", " << width << " x " << height << faults);
      CHECK(faults.empty());
      if (Rig::layer(scene, "flow.chain.curve")) CHECK(hasLabel(scene, "P(local minimum)"));
      if (Rig::layer(scene, "flow.chain.curve")) CHECK_FALSE(hasLabel(scene, "P(local min…"));
    }
}
