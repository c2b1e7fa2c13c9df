// SPDX-License-Identifier: Apache-2.0
// Exported and imported numbers: tables and grids of the picture, dropped points and trajectories, the caption, and the
// contrasting state of a split.
#include <algorithm>
#include <cmath>
#include <set>

#include <catch2/catch.hpp>

#include "engine/core/number.h"
#include "engine/markov/basin.h"
#include "engine/markov/energy.h"
#include "tests/ui/exhibits/flow/flow_rig.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/flow_trajectories.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const Table& table(const Numbers& numbers, const std::string& name) {
  for (const Table& one : numbers.tables)
    if (one.name == name) return one;
  throw std::runtime_error("no table " + name);
}
bool has(const Numbers& numbers, const std::string& name) {
  const auto named = [&name](const auto& one) { return one.name == name; };
  return std::any_of(numbers.tables.begin(), numbers.tables.end(), named) ||
         std::any_of(numbers.grids.begin(), numbers.grids.end(), named);
}
const std::vector<double>& reals(const Table& table, const std::string& column) {
  return std::get<std::vector<double>>(table.find(column)->values);
}
const std::vector<std::string>& texts(const Table& table, const std::string& column) {
  return std::get<std::vector<std::string>>(table.find(column)->values);
}
const Grid& grid(const Numbers& numbers, const std::string& name) {
  for (const Grid& one : numbers.grids)
    if (one.name == name) return one;
  throw std::runtime_error("no grid " + name);
}

double lossAt(const markov::Chain& chain, double e, double w) {
  dynamics::State x(2);
  x << e, w;
  return markov::loss(chain, markov::Model::EW, x);
}

}  // namespace

TEST_CASE("The tables contain the data of the picture", "[flow][numbers]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  REQUIRE(rig.add(1.2, -0.9));
  rig.set("flow.show.cloud", true);
  rig.settle();
  const Numbers numbers = rig.exhibit->numbers();
  REQUIRE_FALSE(numbers.tables.empty());
  const Table& points = numbers.tables.front();  // the points of the user come first
  CHECK(points.name == "points");
  REQUIRE(points.rows() == 2);
  CHECK(texts(points, "name") == std::vector<std::string>{"A", "B"});
  CHECK(reals(points, "e") == std::vector<double>{0.3, 1.2});
  CHECK(texts(points, "basin") == std::vector<std::string>{"local-min", "global-min"});
  CHECK(texts(points, "limit") == std::vector<std::string>{"local-min", "global-min"});
  CHECK(points.find("loss")->unit == "nats");
  CHECK(reals(points, "loss")[0] == lossAt({0.5, 0.8}, 0.3, 0.2));
  CHECK(reals(points, "limit_loss")[1] == rig.number("flow.points[1].limit.loss"));
  CHECK(reals(points, "limit_e")[1] == rig.number("flow.points[1].limit.e"));
  for (const Table& one : numbers.tables)
    for (const Column& column : one.columns) {
      INFO(one.name << " " << column.name);
      CHECK(column.size() == one.rows());
    }
  const Table& paths = table(numbers, "paths");
  const std::vector<double>& t = reals(paths, "t");
  const std::vector<std::string>& of = texts(paths, "point");
  CHECK(t.front() == 0);
  for (std::size_t i = 1; i < t.size(); ++i) {
    if (of[i] != of[i - 1]) continue;
    CHECK(t[i] >= t[i - 1]);
    CHECK(reals(paths, "loss")[i] <= reals(paths, "loss")[i - 1] + 1e-9);  // the loss decreases along a path
  }
  const Table& critical = table(numbers, "critical");
  const std::vector<std::string>& sets = texts(critical, "set");
  CHECK(std::set<std::string>(sets.begin(), sets.end()) ==
        std::set<std::string>{"global-min", "local-min", "local-max", "saddle"});
  const Table& separatrix = table(numbers, "separatrix");
  for (std::size_t i = 0; i < separatrix.rows(); ++i)
    CHECK(std::pow(reals(separatrix, "e")[i], 2) ==
          Approx(markov::separatrixSquared(reals(separatrix, "w")[i])).margin(1e-9));
  CHECK(table(numbers, "cloud").rows() == 1000);
}

TEST_CASE("Grids have axes, and every value belongs to its place", "[flow][numbers]") {
  Rig rig;
  rig.settle();
  const Numbers numbers = rig.exhibit->numbers();
  const auto& e = std::get<std::vector<double>>(grid(numbers, "e").values);
  const auto& w = std::get<std::vector<double>>(grid(numbers, "w").values);
  CHECK(std::is_sorted(e.begin(), e.end()));
  CHECK(std::is_sorted(w.begin(), w.end()));
  const Grid &loss = grid(numbers, "loss"), &basin = grid(numbers, "basin");
  CHECK(loss.shape == std::vector<std::size_t>{w.size(), e.size()});
  CHECK(basin.shape == loss.shape);
  const auto& losses = std::get<std::vector<double>>(loss.values);
  const auto& labels = std::get<std::vector<std::uint8_t>>(basin.values);
  REQUIRE(losses.size() == w.size() * e.size());
  REQUIRE(labels.size() == losses.size());
  for (std::size_t row = 0; row < w.size(); row += 7)
    for (std::size_t column = 0; column < e.size(); column += 11) {
      CHECK(losses[row * e.size() + column] == lossAt({0.5, 0.8}, e[column], w[row]));
      CHECK(labels[row * e.size() + column] ==
            static_cast<std::uint8_t>(markov::basinLabel({0.5, 0.8}, e[column], w[row])));
    }
  const Table& meaning = table(numbers, "labels");
  CHECK(texts(meaning, "label")[1] == "global-min");
  CHECK(reals(meaning, "code")[1] == 1);
  // The values do not depend on the size of the picture.
  Rig small;
  small.area = {{0, 0}, {311, 233}};
  small.settle();
  CHECK(std::get<std::vector<double>>(grid(small.exhibit->numbers(), "loss").values) == losses);
  // Hidden layers are not exported.
  rig.set("flow.show.basin", false);
  rig.set("flow.show.loss", false);
  rig.set("flow.show.critical", false);
  rig.settle();
  CHECK_FALSE(has(rig.exhibit->numbers(), "loss"));
  CHECK_FALSE(has(rig.exhibit->numbers(), "basin"));
  CHECK_FALSE(has(rig.exhibit->numbers(), "critical"));
}

TEST_CASE("If theory and integration are both shown, both are exported as grids", "[flow][numbers]") {
  Rig rig;
  rig.area = {{0, 0}, {300, 240}};
  rig.set("flow.basin.method", std::string("both"));
  rig.settle();
  const Numbers numbers = rig.exhibit->numbers();
  const auto& exact = std::get<std::vector<std::uint8_t>>(grid(numbers, "basin").values);
  const auto& integrated = std::get<std::vector<std::uint8_t>>(grid(numbers, "basin_integrated").values);
  REQUIRE(exact.size() == integrated.size());
  double differing = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    differing += exact[i] != integrated[i] ? 1 : 0;
  CHECK(differing == rig.number("flow.basin.disagreements"));
}

TEST_CASE("The numbers of another field have the names of its variables", "[flow][numbers]") {
  Rig rig;
  rig.area = {{0, 0}, {220, 180}};
  rig.set("flow.field", std::string("duffing"));
  REQUIRE(rig.add(1.5, 0.5));
  rig.settle();
  const Numbers numbers = rig.exhibit->numbers();
  const Table& points = table(numbers, "points");
  CHECK(reals(points, "x") == std::vector<double>{1.5});
  CHECK(reals(points, "v") == std::vector<double>{0.5});
  CHECK(texts(points, "limit") == std::vector<std::string>{"attractor"});
  CHECK(points.find("energy") == nullptr);
  CHECK(table(numbers, "critical").rows() == 3);
  CHECK(table(numbers, "labels").rows() == 3);
  CHECK(grid(numbers, "basin").shape ==
        std::vector<std::size_t>{grid(numbers, "v").shape[0], grid(numbers, "x").shape[0]});
  CHECK_FALSE(has(numbers, "separatrix"));
  CHECK(rig.exhibit->caption().find("delta = 0.2") != std::string::npos);
}

TEST_CASE("Numbers and a caption exist for p + q = 1 and without points", "[flow][numbers]") {
  Rig rig;
  rig.settle();
  CHECK(rig.exhibit->numbers().tables.front().rows() == 0);
  rig.set("flow.p", 0.4);
  rig.set("flow.q", 0.6);
  REQUIRE(rig.add(0.3, 0.2));
  rig.settle();
  const Numbers numbers = rig.exhibit->numbers();
  CHECK(texts(table(numbers, "points"), "status") == std::vector<std::string>{"degenerate"});
  CHECK(table(numbers, "critical").rows() == 4);
  CHECK_FALSE(has(numbers, "separatrix"));
  CHECK_FALSE(has(numbers, "basin"));
  CHECK(rig.exhibit->caption().find("p + q = 1") != std::string::npos);
}

TEST_CASE("An exported table of points can be imported as the same points", "[flow][take]") {
  Rig rig;
  REQUIRE(rig.add(0.1 + 0.2, -1.0 / 3));
  REQUIRE(rig.add(1e-200, 1e9));
  rig.set("flow.points[0].name", std::string("a \"quoted\", name"));
  rig.settle();
  const std::string csv = toCsv(rig.exhibit->numbers().tables.front());
  Rig other;
  REQUIRE(other.take(csv));
  CHECK(other.editor.document().at("flow.points") == rig.editor.document().at("flow.points"));
  CHECK(other.editor.history.undoSteps() == 1);
  CHECK(other.editor.history.undoLabel() == "add 2 points from numbers.csv");
  REQUIRE(other.take(csv));  // imported again: duplicate names are changed
  CHECK(other.editor.document().at("flow.points[0].name") == rig.editor.document().at("flow.points[0].name"));
  CHECK(other.editor.document().at("flow.points[2].name") != other.editor.document().at("flow.points[0].name"));
  CHECK(other.editor.document().at("flow.points[3].name") != other.editor.document().at("flow.points[1].name"));
  REQUIRE(other.editor.history.undo());
  REQUIRE(other.editor.history.undo());
  other.frame();
  CHECK(other.number("flow.points.count") == 0);
}

TEST_CASE("Initial points are read from columns by name, or from the only two columns", "[flow][take]") {
  const auto first = [](const std::string& csv, const std::string& field = "ew") {
    Rig rig;
    rig.set("flow.show.basin", false);
    if (field != "ew") rig.set("flow.field", field);
    rig.frame();
    REQUIRE(rig.take(csv));
    rig.frame();
    return std::pair{rig.number("flow.points[0].e"), rig.number("flow.points[0].w")};
  };
  CHECK(first("e,w\n0.1,0.2\n") == std::pair{0.1, 0.2});
  CHECK(first("W,seed,E\n0.2,7,0.1\n") == std::pair{0.1, 0.2});
  CHECK(first("x,y\n0.1,0.2\n") == std::pair{0.1, 0.2});
  CHECK(first("v,x\n0.2,0.1\n", "duffing") == std::pair{0.1, 0.2});
  CHECK(first("0.1,0.2\n0.3,0.4\n") == std::pair{0.1, 0.2});
  CHECK(first("left,right\n0.1,0.2\n") == std::pair{0.1, 0.2});
  CHECK(first("name,a,b\nP,0.1,0.2\n") == std::pair{0.1, 0.2});
  Rig rig;
  REQUIRE(rig.add(0, 1));
  REQUIRE(rig.take("name,e,w\nB,0.1,0.2\n,0.3,0.4\n"));
  rig.frame();
  CHECK(rig.text("flow.points[1].name") == "B");
  CHECK(rig.text("flow.points[2].name") == "C");  // A and B are taken by the first two points
}

TEST_CASE("An unusable table is refused with one message and changes nothing", "[flow][take]") {
  Rig rig;
  REQUIRE(rig.add(0, 1));
  const std::uint64_t before = rig.editor.document().hash();
  const auto refusal = [&rig](const std::string& csv) {
    const Result<void> taken = rig.take(csv, "/tmp/some/data.csv");
    REQUIRE_FALSE(taken);
    CHECK(taken.error().message.rfind("/tmp/some/data.csv", 0) == 0);
    CHECK(taken.error().message.find('\n') == std::string::npos);
    return taken.error().message;
  };
  CHECK(refusal("0.1,0.2,0.3\n0.1,0.2,0.3\n").find("\"e,w\"") != std::string::npos);
  CHECK(refusal("alpha,beta,gamma\n1,2,3\n").find("alpha, beta, gamma") != std::string::npos);
  CHECK(refusal("a\n1\n2\n").find("not clear") != std::string::npos);
  CHECK(refusal("e,w\n0.1,\n").find("row 1") != std::string::npos);
  CHECK(refusal("e,w\n0.1,0.2\n0.1,2e9\n").find("row 2") != std::string::npos);
  CHECK(refusal("e,w\n0.1,0.2\n0.3,abc\n").find("row 2 has \"abc\" for w") != std::string::npos);
  CHECK(refusal("e,w\n1e999,0.2\n").find("row 1") != std::string::npos);
  CHECK(refusal("t,e,w\n0,,\n1,,\n").find("none of its rows") != std::string::npos);
  std::string many = "e,w\n";
  for (int i = 0; i < 20000; ++i)
    many += "0.1,0.2\n";
  CHECK(refusal(many).find("20000") != std::string::npos);
  std::string samples = "t,e,w\n";
  for (int i = 0; i < 200001; ++i)
    samples += "1,0.1,0.2\n";
  CHECK(refusal(samples).find("200000") != std::string::npos);
  CHECK(rig.editor.document().hash() == before);
  CHECK(rig.editor.history.undoSteps() == 1);
}

TEST_CASE("Imported trajectories are drawn over the theory, and can be undone and cleared", "[flow][take]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  rig.settle();
  REQUIRE(rig.take("step,e,w\n0,1.2,-1.3\n10,1.1,-1.1\n20,,\n30,0.9,-0.7\n40,0.95,-0.5\n", "runs/seed 3.csv"));
  const render::Scene& scene = rig.settle();
  const render::Layer* layer = Rig::layer(scene, "overlays");
  REQUIRE(layer != nullptr);
  const Theme& theme = *findTheme("dark");
  std::vector<render::Polyline> dashed;
  for (const render::Item& item : layer->items)
    if (const auto* line = std::get_if<render::Polyline>(&item))
      if (line->stroke.dash == render::Dash::Dashed) dashed.push_back(*line);
  REQUIRE(dashed.size() == 2);  // the row without numbers breaks the line
  CHECK(dashed[0].stroke.color == theme.accent);
  CHECK(dashed[0].points.front() == render::Point{1.2, -1.3});
  CHECK(dashed[1].points.back() == render::Point{0.95, -0.5});
  std::string legend;
  for (const render::Item& item : Rig::layer(scene, "legend")->items)
    if (const auto* label = std::get_if<render::Label>(&item)) legend += label->text + "\n";
  CHECK(legend.find("imported trajectory: seed 3") != std::string::npos);
  CHECK(rig.exhibit->caption().find("imported trajectories") != std::string::npos);
  const Table own = table(rig.exhibit->numbers(), "overlays");
  CHECK(own.rows() == 5);
  CHECK(reals(own, "t")[3] == 30);
  CHECK(std::isnan(reals(own, "e")[2]));
  // Moving a point does not change the section or the layer of trajectories.
  const Json* const before = &rig.editor.document().at("overlays");
  const std::uint64_t revision = Rig::layer(rig.frame(), "overlays")->revision;
  rig.set("flow.points[0].e", 0.5);
  CHECK(&rig.editor.document().at("overlays") == before);
  CHECK(Rig::layer(rig.frame(), "overlays")->revision == revision);
  // Trajectories are shown only over the field for which they were imported.
  rig.set("flow.show.basin", false);
  rig.set("flow.field", std::string("duffing"));
  CHECK(Rig::layer(rig.frame(), "overlays") == nullptr);
  rig.set("flow.field", std::string("ew"));
  REQUIRE(rig.run("flow.clear-overlays"));
  CHECK(Rig::layer(rig.frame(), "overlays") == nullptr);
  CHECK_FALSE(rig.editor.document().has("overlays"));
  REQUIRE(rig.editor.history.undo());
  CHECK(Rig::layer(rig.frame(), "overlays") != nullptr);
}

TEST_CASE("Several trajectories are separated by a column or by decreasing time, and exported paths can be imported",
          "[flow][take]") {
  Rig rig;
  REQUIRE(rig.take("trajectory,e,w\na,0,1\nb,1,1\na,0.5,1\nb,1,0.5\n"));
  REQUIRE(rig.take("t,e,w\n0,0,0\n1,0,1\n0,1,0\n1,1,1\n", "twice.csv"));
  rig.settle();
  const Trajectories own = readTrajectories(rig.editor.document());
  REQUIRE(own->size() == 4);
  CHECK((*own)[0].name == "a");
  CHECK((*own)[0].points == std::vector<render::Point>{{0, 1}, {0.5, 1}});
  CHECK((*own)[0].time.empty());
  CHECK((*own)[3].name == "twice 2");
  CHECK((*own)[3].time == std::vector<double>{0, 1});
  Rig other;
  REQUIRE(other.add(0.6, 0.4));
  REQUIRE(other.add(1.2, -0.9));
  other.settle();
  const std::string paths = toCsv(table(other.exhibit->numbers(), "paths"));
  Rig back;
  REQUIRE(back.take(paths, "paths.csv"));
  const Trajectories theirs = readTrajectories(back.editor.document());
  REQUIRE(theirs->size() == 2);
  CHECK((*theirs)[1].name == "B");
  CHECK((*theirs)[1].points.front() == render::Point{1.2, -0.9});
  CHECK(withTrajectories(Document{}, *theirs) == back.editor.document());
}

TEST_CASE("An invalid section of trajectories draws nothing and breaks nothing", "[flow][take]") {
  for (const char* text : {"[]", "3", "{\"trajectories\":3}", "{\"trajectories\":[1,null,{}]}",
                           "{\"trajectories\":[{\"name\":4,\"x\":[1,\"a\",null,1e300],\"y\":[1,2,3,4],\"t\":7}]}",
                           "{\"trajectories\":[{\"x\":{},\"y\":[1]}]}"}) {
    Rig rig;
    rig.editor.history.reset(Document{}.with("overlays", Json::parse(text)));
    INFO(text);
    const render::Scene& scene = rig.settle();
    for (const render::Layer& layer : scene.layers)
      for (const render::Item& item : layer.items)
        if (const auto* line = std::get_if<render::Polyline>(&item))
          for (const render::Point& at : line->points)
            CHECK((std::isfinite(at.x) && std::isfinite(at.y)));
    rig.exhibit->numbers();
    CHECK_FALSE(rig.exhibit->caption().empty());
  }
}

TEST_CASE("The caption states the parameters and where the points end", "[flow][numbers]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  REQUIRE(rig.add(1.2, -0.9));
  REQUIRE(rig.add(-0.8, 1.1));
  rig.settle();
  const std::string caption = rig.exhibit->caption();
  for (const char* part : {"p = 0.5", "q = 0.8", "p + q > 1", "hatched", "separatrix", "3 initial points",
                           "1 in a global minimum and 2 in a local minimum"}) {
    INFO(part << " in " << caption);
    std::string lower = caption;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    CHECK(lower.find(part) != std::string::npos);
  }
  CHECK(caption.find('{') == std::string::npos);
  CHECK(caption.back() == '.');
}

TEST_CASE("The contrasting state has p + q on the other side of 1, with the same points and view", "[flow][numbers]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  REQUIRE(rig.run("view.zoom-in"));
  const Document mine = rig.editor.document();
  const Document other = rig.exhibit->contrastState(mine);
  CHECK(other.at("flow.p").get<double>() == 0.2);
  CHECK(other.at("flow.q").get<double>() == 0.5);
  CHECK(other.at("flow.points") == mine.at("flow.points"));
  CHECK(other.at("flow.view") == mine.at("flow.view"));
  CHECK(rig.editor.registry.check(other));
  // The contrasting state of the contrasting state is the original.
  const Document back = rig.exhibit->contrastState(other);
  CHECK(back.at("flow.p").get<double>() == 0.5);
  CHECK(back.at("flow.q").get<double>() == 0.8);
  const Document duffing = mine.with("flow.field", "duffing");
  CHECK(rig.exhibit->contrastState(duffing) == duffing);
}

TEST_CASE("The animation takes eight seconds at speed 1", "[flow][numbers]") {
  Rig rig;
  rig.frame();
  CHECK(rig.exhibit->playSeconds() == 0);
  REQUIRE(rig.add(0.6, 0.4));
  rig.settle();
  CHECK(rig.exhibit->playSeconds() == 8);
  rig.set("flow.play.speed", 2.0);
  rig.frame();
  CHECK(rig.exhibit->playSeconds() == 4);
  REQUIRE(rig.run("play.toggle"));
  int frames = 0;
  for (rig.frame(); rig.exhibit->animating() && frames < 1000; ++frames)
    rig.frame();
  CHECK(frames / 60.0 == Approx(4).margin(0.1));
}

TEST_CASE("For very many points every limit is known, and about 2000 paths are drawn", "[flow][numbers]") {
  Rig rig;
  std::string csv = "e,w\n";
  for (int i = 0; i < 5000; ++i)
    csv += formatShortest(-1.8 + 3.6 * ((i * 7919) % 5000) / 5000) + "," +
           formatShortest(-1.8 + 3.6 * ((i * 104729) % 5000) / 5000) + "\n";
  REQUIRE(rig.take(csv));
  rig.settle();
  REQUIRE(rig.exhibit->complete());
  for (int i = 0; i < 5000; i += 13) {
    const std::string point = "flow.points[" + std::to_string(i) + "].";
    const double e = rig.number(point + "e"), w = rig.number(point + "w");
    CHECK(rig.text(point + "limit.kind") == std::string(markov::limitName(markov::basinLabel({0.5, 0.8}, e, w))));
    CHECK(rig.number(point + "loss") == lossAt({0.5, 0.8}, e, w));
  }
  const Numbers numbers = rig.exhibit->numbers();
  const std::vector<std::string>& of = texts(table(numbers, "paths"), "point");
  const std::size_t followed = std::set<std::string>(of.begin(), of.end()).size();
  CHECK(followed > 1500);
  CHECK(followed <= 2001);
  // The selected point always has its path.
  CHECK(std::isnan(rig.number("flow.points[1].drift")));
  rig.set("flow.selected", 1.0);
  rig.settle();
  CHECK(rig.number("flow.points[1].drift") < 1e-8);
  CHECK(Rig::layer(rig.frame(), "paths") != nullptr);
}

TEST_CASE("A thinned line stays within its tolerance and keeps its ends", "[flow][scene]") {
  std::vector<render::Point> line;
  for (int i = 0; i <= 2000; ++i) {
    const double t = i / 2000.0;
    line.push_back({300 * t + 40 * std::sin(9 * t), 200 * std::cos(11 * t) * std::exp(-3 * t)});
  }
  line.push_back(line.back());  // a repeated point
  for (int i = 0; i < 50; ++i)  // back along the same line
    line.push_back({line[2000].x - i, line[2000].y});
  const double tolerance = 0.06;
  const std::vector<std::size_t> kept = simplifiedPoints(line, {}, tolerance);
  CHECK(kept.front() == 0);
  CHECK(kept.back() == line.size() - 1);
  CHECK(kept.size() < 300);
  CHECK(std::is_sorted(kept.begin(), kept.end()));
  double worst = 0;
  for (std::size_t k = 1; k < kept.size(); ++k) {
    const render::Point a = line[kept[k - 1]], b = line[kept[k]];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    for (std::size_t i = kept[k - 1]; i <= kept[k]; ++i) {
      const double share =
          length > 0 ? std::clamp(((line[i].x - a.x) * (b.x - a.x) + (line[i].y - a.y) * (b.y - a.y)) / length / length,
                                  0.0, 1.0)
                     : 0;
      worst = std::max(worst, std::hypot(line[i].x - a.x - share * (b.x - a.x), line[i].y - a.y - share * (b.y - a.y)));
    }
  }
  CHECK(worst < 2.1 * tolerance);
  // A fade that changes along a straight line keeps points too.
  std::vector<render::Point> straight;
  std::vector<double> fade;
  for (int i = 0; i <= 100; ++i) {
    straight.push_back({3.0 * i, 0});
    fade.push_back(i / 100.0);
  }
  CHECK(simplifiedPoints(straight, {}, tolerance).size() == 2);
  CHECK(simplifiedPoints(straight, fade, tolerance).size() > 10);
  CHECK(simplifiedPoints({}, {}, tolerance).empty());
}
