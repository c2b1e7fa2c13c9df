// SPDX-License-Identifier: Apache-2.0
// Initial points: generators, colours, export and import of tables, properties of each point, backward paths, special
// initial points, very many points.
#include <cmath>
#include <set>

#include <catch2/catch.hpp>

#include "engine/markov/convergence.h"
#include "engine/markov/convergence_time.h"
#include "tests/ui/exhibits/flow/flow_rig.h"
#include "ui/exhibits/flow/shared/flow_import.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/shared/points_sampling.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

const Table& points(const Numbers& numbers) {
  REQUIRE_FALSE(numbers.tables.empty());
  REQUIRE(numbers.tables.front().name == "points");
  return numbers.tables.front();
}
std::vector<double> reals(const Table& table, const std::string& column) {
  REQUIRE(table.find(column));
  return std::get<std::vector<double>>(table.find(column)->values);
}

FlowModel canonical(double p, double q) {
  FlowModel model;
  model.field = planeFields(allFields()).front();
  model.chain = {p, q};
  model.parameters = {p, q};
  return model;
}

}  // namespace

TEST_CASE("Grid, ring and cloud give exactly the requested points", "[flow][points]") {
  Sampling ask;
  ask.count = 25;
  ask.radius = 0.5;
  ask.center = {0.1, -0.2, ""};
  const std::vector<FlowPoint> grid = sampledPoints(ask);
  REQUIRE(grid.size() == 25);
  CHECK(grid[0].e == Approx(-0.4));
  CHECK(grid[0].w == Approx(-0.7));
  CHECK(grid[12].e == ask.center.e);
  CHECK(grid[12].w == ask.center.w);
  CHECK(grid[24].e == Approx(0.6));
  CHECK(grid[24].w == Approx(0.3));
  std::set<std::pair<double, double>> places;
  for (const FlowPoint& point : grid)
    places.insert({point.e, point.w});
  CHECK(places.size() == 25);
  for (const int count : {1, 2, 3, 7, 24, 26, 1000}) {
    for (const SampleShape shape : {SampleShape::Grid, SampleShape::Ring, SampleShape::Gauss}) {
      Sampling one = ask;
      one.count = count;
      one.shape = shape;
      CHECK(sampledPoints(one).size() == static_cast<std::size_t>(count));
    }
  }

  ask.shape = SampleShape::Ring;
  ask.center = {};
  ask.count = 4;
  const std::vector<FlowPoint> ring = sampledPoints(ask);
  CHECK((ring[0].e == 0.5 && ring[0].w == 0));
  CHECK((ring[1].e == 0 && ring[1].w == 0.5));  // on the axis, not beside it
  CHECK((ring[2].e == -0.5 && ring[2].w == 0));
  ask.count = 37;
  for (const FlowPoint& point : sampledPoints(ask))
    CHECK(std::hypot(point.e, point.w) == Approx(0.5));

  ask.shape = SampleShape::Gauss;
  ask.count = 20'000;
  ask.sigma = 0.2;
  ask.threeD = true;
  const std::vector<FlowPoint> cloud = sampledPoints(ask);
  double e = 0, ee = 0, ww = 0, ew = 0, aa = 0, ea = 0;
  for (const FlowPoint& point : cloud) {
    e += point.e;
    ee += point.e * point.e;
    ww += point.w * point.w;
    ew += point.e * point.w;
    aa += point.a * point.a;
    ea += point.e * point.a;
  }
  const double n = 20'000, var = 0.04, deviation = var * std::sqrt(2 / n);
  CHECK(std::abs(e / n) < 5 * 0.2 / std::sqrt(n));
  for (const double square : {ee, ww, aa})
    CHECK(std::abs(square / n - var) < 5 * deviation);
  for (const double mixed : {ew, ea})
    CHECK(std::abs(mixed / n) < 5 * var / std::sqrt(n));

  CHECK(sampledPoints(ask) == cloud);  // the same seed gives the same points
  Sampling plane = ask;
  plane.threeD = false;
  const std::vector<FlowPoint> flat = sampledPoints(plane);
  for (std::size_t i = 0; i < 100; ++i)
    CHECK((flat[i].e == cloud[i].e && flat[i].w == cloud[i].w && flat[i].a == 0));
  Sampling other = ask;
  other.seed = 1;
  CHECK_FALSE(sampledPoints(other) == cloud);
}

TEST_CASE("The commands add or replace points in one undo step", "[flow][points]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  rig.set("flow.sampling.count", 9.0);
  rig.set("flow.sampling.radius", 0.6);
  rig.frame();
  REQUIRE(rig.run("flow.sample-grid"));
  rig.frame();
  CHECK(rig.number("flow.points.count") == 9);
  CHECK(rig.number("flow.points[0].e") == -0.6);
  CHECK(rig.text("flow.points[0].name") == "A");
  CHECK(rig.number("flow.selected") == 0);
  rig.editor.history.undo();
  rig.frame();
  CHECK(rig.number("flow.points.count") == 1);
  CHECK(rig.number("flow.points[0].e") == 0.3);

  rig.set("flow.sampling.mode", std::string("add"));
  rig.set("flow.sampling.center", std::string("selected"));
  rig.set("flow.selected", 0.0);
  rig.frame();
  REQUIRE(rig.run("flow.sample-ring"));
  rig.frame();
  CHECK(rig.number("flow.points.count") == 10);
  CHECK(rig.number("flow.points[1].e") == Approx(0.9));
  CHECK(rig.text("flow.points[1].name") == "B");
  CHECK(rig.number("flow.selected") == 0);

  rig.set("flow.sampling.count", 20'000.0);
  REQUIRE(rig.run("flow.sample-gauss"));
  CHECK(rig.number("flow.points.count") == 10);  // too many points in total
  REQUIRE(rig.editor.said.size() == 1);
  CHECK_THAT(rig.editor.said[0], Catch::Contains("20000"));

  REQUIRE(rig.run("flow.delete-points"));
  rig.frame();
  CHECK(rig.number("flow.points.count") == 0);
  CHECK(rig.number("flow.selected") == -1);
  rig.editor.history.undo();
  rig.frame();
  CHECK(rig.number("flow.points.count") == 10);
}

TEST_CASE("A duplicate is placed beside its original, inside the window, with the same colour and a new name",
          "[flow][points]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  rig.set("flow.points[0].color", std::string("#1F77B4"));
  rig.set("flow.points[0].a", -0.25);
  rig.frame();
  CHECK(rig.text("flow.points[0].color") == "#1f77b4");
  REQUIRE(rig.run("flow.duplicate-point"));
  rig.frame();
  REQUIRE(rig.number("flow.points.count") == 2);
  const render::Rect view = rig.frame().window;
  CHECK(rig.number("flow.points[1].e") == Approx(0.3 + 0.04 * view.width()));
  CHECK(rig.number("flow.points[1].w") == Approx(0.2 - 0.04 * view.height()));
  CHECK(rig.number("flow.points[1].a") == -0.25);
  CHECK(rig.text("flow.points[1].color") == "#1f77b4");
  CHECK(rig.text("flow.points[1].name") == "B");
  CHECK(rig.number("flow.selected") == 1);
  // At an edge of the window it is placed on the other side.
  REQUIRE(rig.add(view.max.x - 0.01, view.min.y + 0.01));
  REQUIRE(rig.run("flow.duplicate-point"));
  rig.frame();
  CHECK(view.contains({rig.number("flow.points[3].e"), rig.number("flow.points[3].w")}));
  CHECK(rig.number("flow.points[3].e") < view.max.x - 0.1);
}

TEST_CASE("An invalid colour is refused", "[flow][points]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));
  for (const char* bad : {"red", "#12345", "#1234567", "#12345g", "123456"}) {
    const Result<void> done = rig.editor.set("flow.points[0].color", std::string(bad), {});
    INFO(bad);
    REQUIRE_FALSE(done);
    CHECK_THAT(done.error().message, Catch::Contains("colour"));
  }
  rig.set("flow.points[0].color", std::string("#00ff7f"));
  const render::Scene& scene = rig.settle();
  const auto& handle = std::get<render::Marker>(Rig::layer(scene, "handles")->items.front());
  CHECK(handle.fill == render::Color{0, 1, 127.0f / 255, 1});
  const std::uint64_t before = Rig::layer(scene, "handles")->revision;
  rig.set("flow.points[0].color", std::string());
  const render::Scene& plain = rig.settle();
  CHECK(Rig::layer(plain, "handles")->revision != before);
  CHECK(std::get<render::Marker>(Rig::layer(plain, "handles")->items.front()).fill == findTheme("dark")->localMin);
}

TEST_CASE("An exported table of points can be imported without changes", "[flow][points]") {
  Rig rig;
  REQUIRE(rig.add(0.1, 0.2));
  REQUIRE(rig.add(-1.25, 1.0 / 3));
  REQUIRE(rig.add(1e-17, -0.7071067811865476));
  rig.set("flow.points[0].name", std::string("first, \"quoted\""));
  rig.set("flow.points[1].color", std::string("#d62728"));
  rig.set("flow.points[1].a", 0.1 + 0.2);
  rig.settle();
  const std::string csv = toCsv(points(rig.exhibit->numbers()));
  INFO(csv);
  Rig other;
  REQUIRE(other.take(csv, "points.csv"));
  other.frame();
  const Json &left = rig.editor.document().at("flow.points"), &came = other.editor.document().at("flow.points");
  REQUIRE(came.size() == left.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    for (const char* member : {"e", "w", "name"})
      CHECK(came[i].at(member) == left[i].at(member));
    CHECK(came[i].value("a", 0.0) == left[i].value("a", 0.0));
    CHECK(came[i].value("color", "") == left[i].value("color", ""));
  }
}

TEST_CASE("Convergence time and rates are known for each point", "[flow][points]") {
  Rig rig;
  REQUIRE(rig.add(0.3, 0.2));   // ends in a local minimum
  REQUIRE(rig.add(1.2, -0.9));  // ends in a global minimum
  REQUIRE(rig.add(0.0, -1.0));  // on a local maximum
  rig.settle();
  const markov::Chain chain{0.5, 0.8};
  CHECK(rig.number("flow.points[0].time99") ==
        markov::convergenceTime(chain, markov::Model::EW, Eigen::Vector2d(0.3, 0.2)));
  CHECK(rig.number("flow.points[1].time99") > 0);
  const double w = rig.number("flow.points[0].limit.w");
  CHECK(rig.number("flow.points[0].rate.theory") == markov::decayRate(chain, w));
  CHECK(rig.number("flow.points[0].rate") == Approx(rig.number("flow.points[0].rate.theory")).epsilon(1e-3));
  CHECK(std::isnan(rig.number("flow.points[1].rate")));
  CHECK(std::isnan(rig.number("flow.points[1].rate.theory")));
  CHECK(std::isnan(rig.number("flow.points[2].rate")));
  CHECK(rig.number("flow.points[2].rate.theory") < 0);  // e = 0 is repelling there
  // At this time, 1 % of the loss above the limit is left.
  const double time = rig.number("flow.points[1].time99");
  const auto there = markov::flowAt(chain, markov::Model::EW, Eigen::Vector2d(1.2, -0.9), {time});
  REQUIRE(there);
  const double now = markov::loss(chain, markov::Model::EW, there->theta.back());
  const double first = rig.number("flow.points[1].loss"), last = rig.number("flow.points[1].limit.loss");
  CHECK((now - last) / (first - last) == Approx(0.01).epsilon(1e-5));
  const Table table = points(rig.exhibit->numbers());
  CHECK(reals(table, "time_to_1_percent")[1] == time);
  CHECK(reals(table, "rate")[0] == rig.number("flow.points[0].rate"));
  CHECK(std::isnan(reals(table, "rate")[1]));
  rig.set("flow.q", 0.5);  // p + q = 1
  rig.settle();
  CHECK(std::isnan(rig.number("flow.points[0].rate.theory")));
}

TEST_CASE("At p + q = 1 a point has no basin and comes to rest where S = 0", "[flow][points]") {
  Rig rig;
  rig.set("flow.p", 0.5);
  rig.set("flow.q", 0.5);
  REQUIRE(rig.add(0.6, -0.9));
  rig.settle();
  CHECK(rig.text("flow.points[0].basin") == "undecided");
  CHECK(rig.text("flow.points[0].limit.kind") == "global-min");
  CHECK(rig.number("flow.points[0].limit.e") == Approx(0.540).margin(5e-4));
  CHECK(rig.number("flow.points[0].limit.w") == Approx(-std::sqrt(0.5)));
  CHECK(rig.number("flow.points[0].limit.loss") == Approx(std::log(2.0)));
  CHECK_THAT(rig.text("flow.points[0].limit.words"), Catch::Contains("comes to rest on w = −1/√2"));
}

TEST_CASE("Backward paths are drawn, named and animated", "[flow][points]") {
  Rig rig;
  REQUIRE(rig.add(0.5, -1.1));  // comes from a local maximum
  REQUIRE(rig.add(0.3, 0.2));   // comes from far away
  rig.set("flow.selected", 0.0);
  CHECK(Rig::layer(rig.settle(), "ways back") == nullptr);
  CHECK(rig.text("flow.points[0].from.words") == "none");
  rig.set("flow.show.backward", true);
  const render::Scene& scene = rig.settle();
  const render::Layer* ways = Rig::layer(scene, "ways back");
  REQUIRE(ways);
  bool dashed = false;
  for (const render::Item& item : ways->items)
    if (const auto* line = std::get_if<render::Polyline>(&item))
      dashed = dashed || line->stroke.dash == render::Dash::Dashed;
  CHECK(dashed);
  CHECK(rig.text("flow.points[0].from.kind") == "local-max");
  CHECK_THAT(rig.text("flow.points[0].from.words"), Catch::Contains("local maximum"));
  CHECK(rig.text("flow.points[1].from.kind") == "none");
  CHECK_THAT(rig.text("flow.points[1].from.words"), Catch::Contains("far away"));
  bool back = false;
  for (const Table& table : rig.exhibit->numbers().tables) {
    if (table.name != "ways_back") continue;
    back = true;
    for (const double t : reals(table, "t"))
      CHECK(t <= 0);
    const std::vector<double> loss = reals(table, "loss");
    CHECK(loss.back() > loss.front());
  }
  CHECK(back);
  // The animation starts before time 0, on the backward path.
  REQUIRE(rig.run("play.toggle"));
  rig.frame();
  CHECK(rig.number("flow.play.time") < 0);
  rig.set("flow.show.backward", false);
  rig.settle();
  CHECK(Rig::layer(rig.frame(), "ways back") == nullptr);
}

TEST_CASE("The moving point passes from the backward path to the path without a jump", "[flow][points]") {
  for (const auto& [e, w] : {std::pair(0.5, -1.1), std::pair(0.3, 0.2)}) {
    const PointResult point = followPoint(canonical(0.5, 0.8), e, w, Extent::Both);
    REQUIRE(point.back);
    const render::Point before = headAt(point, -1e-9), after = headAt(point, 1e-9);
    CHECK(std::hypot(before.x - e, before.y - w) < 1e-6);
    CHECK(std::hypot(after.x - e, after.y - w) < 1e-6);
    const double begin = beginningTime(point);
    CHECK(begin < 0);
    const render::Point at = headAt(point, begin);
    CHECK(std::max(std::abs(at.x), std::abs(at.y)) < 8);
    CHECK(settlingTime(point) > 0);
  }
  const PointResult plain = followPoint(canonical(0.5, 0.8), 0.3, 0.2);
  CHECK(beginningTime(plain) == 0);
}

namespace {

/// The loss of the transformer with softmax with the best bias after long sequences, as in the text: the mean over the
/// past of exp(score) is a mean over ones and zeros with the shares pi_1 and pi_0.
double softmaxLoss(double p, double q, double v, double k, double e, double w) {
  const double pi1 = p / (p + q);
  double logit[2];
  for (const int bit : {0, 1}) {
    const double x = bit - 0.5, one = pi1 * std::exp(k * e * e * x / 2),
                 zero = (1 - pi1) * std::exp(-k * e * e * x / 2);
    const double h = x + v * (one - zero) / (one + zero) / 2;
    logit[bit] = e * e * h + 4 * w * std::abs(w) * e * std::max(e * h, 0.0);
  }
  const double chance[2] = {p, 1 - q}, share[2] = {1 - pi1, pi1};
  double low = -40, high = 40;
  const auto sigmoid = [](double z) { return 1 / (1 + std::exp(-z)); };
  while (high - low > 1e-13) {
    const double b = (low + high) / 2;
    double slope = 0;
    for (const int bit : {0, 1})
      slope += share[bit] * (sigmoid(logit[bit] + b) - chance[bit]);
    (slope > 0 ? high : low) = b;
  }
  double loss = 0;
  for (const int bit : {0, 1}) {
    const double z = logit[bit] + low;
    loss += share[bit] * (chance[bit] * std::log1p(std::exp(-z)) + (1 - chance[bit]) * std::log1p(std::exp(z)));
  }
  return loss;
}

}  // namespace

TEST_CASE("Limits of the field with softmax are found by integration, with their kind and loss", "[flow][points]") {
  const double p = 0.5, q = 0.8, v = 1, k = 2;
  FlowModel model;
  for (const auto& field : planeFields(allFields()))
    if (field->info().key == "softmax") model.field = field;
  REQUIRE(model.field);
  model.canonical = false;
  model.parameters = {p, q, v, k};
  const auto coin = [](double x) { return -x * std::log(x) - (1 - x) * std::log(1 - x); };
  const double pi1 = p / (p + q), marginal = coin(pi1), rate = (1 - pi1) * coin(p) + pi1 * coin(q);
  int global = 0, local = 0;
  for (const auto& [e, w] : {std::pair(0.3, 0.2), std::pair(0.5, -1.1), std::pair(1.2, -0.3), std::pair(-0.6, -0.9)}) {
    INFO(e << ", " << w);
    const PointResult point = followPoint(model, e, w);
    REQUIRE(point.limit);
    CHECK(point.status == markov::FlowStatus::Reached);
    // Gradient descent in small steps with finite differences of the loss.
    double x = e, y = w;
    const auto slope = [&](double a, double b, int of) {
      const double h = 1e-4, da = of == 0 ? h : 0, db = of == 1 ? h : 0;
      return (softmaxLoss(p, q, v, k, a + da, b + db) - softmaxLoss(p, q, v, k, a - da, b - db)) / (2 * h);
    };
    for (int step = 0; step < 6000; ++step) {
      const double a = x - 0.05 * slope(x, y, 0), b = y - 0.05 * slope(x, y, 1);
      x -= 0.1 * slope(a, b, 0), y -= 0.1 * slope(a, b, 1);
    }
    CHECK(point.limit->x == Approx(x).margin(2e-3));
    CHECK(point.limit->y == Approx(y).margin(2e-3));
    const double there = softmaxLoss(p, q, v, k, x, y);
    CHECK(*point.limitLoss == Approx(there).margin(1e-7));
    const bool isGlobal = std::abs(there - rate) < std::abs(there - marginal);
    CHECK(*point.limitLoss == Approx(isGlobal ? rate : marginal).margin(1e-9));
    CHECK(point.kind == (isGlobal ? markov::LimitKind::GlobalMin : markov::LimitKind::LocalMin));
    CHECK_THAT(limitWords(model, point),
               Catch::Contains(isGlobal ? "global minimum" : "local minimum") && Catch::Contains("by integration"));
    (isGlobal ? global : local) += 1;
  }
  CHECK(global > 0);
  CHECK(local > 0);
  // On e = 0 a point does not move.
  const PointResult still = followPoint(model, 0, 0.4);
  CHECK(still.kind == markov::LimitKind::LocalMin);
  CHECK(still.limit->y == 0.4);
  CHECK(followPoint(model, 0, -1.5).kind == markov::LimitKind::LocalMax);
  // At p + q = 1 there are no basins.
  model.parameters = {0.4, 0.6, v, k};
  CHECK(followPoint(model, 0.5, 0.5).kind == markov::LimitKind::Undecided);
}

TEST_CASE("Backward paths are also computed for a textbook field", "[flow][points]") {
  Rig rig;
  rig.set("flow.field", std::string("duffing"));
  rig.set("flow.show.basin", false);
  REQUIRE(rig.add(0.5, 0.1));
  rig.set("flow.show.backward", true);
  rig.settle();
  CHECK_FALSE(rig.text("flow.points[0].from.words").empty());
  CHECK(std::isnan(rig.number("flow.points[0].time99")));
}

TEST_CASE("Special initial points give the reason for their limit", "[flow][points]") {
  Rig rig;
  const double edge = -1 / std::sqrt(2.0);
  REQUIRE(rig.add(0, 0.4));     // on the axis e = 0
  REQUIRE(rig.add(0.3, 0));     // on the axis w = 0
  REQUIRE(rig.add(0, edge));    // the saddle itself
  REQUIRE(rig.add(1e9, -1e9));  // far out
  REQUIRE(rig.add(1e-300, -1.2));
  rig.settle();
  CHECK_THAT(rig.text("flow.points[0].limit.words"), Catch::Contains("gradient vanishes"));
  CHECK_THAT(rig.text("flow.points[1].limit.words"), Catch::Contains("w = 0"));
  CHECK(rig.text("flow.points[2].limit.kind") == "saddle");
  CHECK(rig.text("flow.points[2].status") == "on-separatrix");
  CHECK(rig.text("flow.points[3].limit.kind") != "none");
  CHECK(rig.text("flow.points[4].limit.kind") == "global-min");
  rig.set("flow.q", 0.5);
  rig.settle();
  for (int i = 0; i < 5; ++i) {
    const std::string at = "flow.points[" + std::to_string(i) + "].";
    CHECK(rig.text(at + "status") == "degenerate");
    CHECK_THAT(rig.text(at + "limit.words"), Catch::Contains("p + q = 1"));
  }
  CHECK_THAT(rig.text("flow.points[1].limit.words"), Catch::Contains("comes to rest on e = 0"));
  rig.set("flow.q", 0.5 + 1e-9);
  rig.settle();
  CHECK(rig.text("flow.points[1].status") == "reached");
  CHECK_THAT(rig.text("flow.points[1].limit.words"), Catch::Contains("slowly"));
  CHECK(rig.number("flow.points[1].rate.theory") < 1e-8);
  CHECK(rig.number("flow.points[1].rate") < 1e-6);
  rig.set("flow.show.backward", true);
  for (const double q : {0.8, 0.2, 0.5, 0.5 + 1e-9}) {
    rig.set("flow.q", q);
    rig.settle();
    for (int i = 0; i < 5; ++i)
      CHECK(rig.text("flow.points[" + std::to_string(i) + "].from.words") != "none");
  }
}

TEST_CASE("Following very many points can be cancelled", "[flow][points]") {
  Rig rig;
  rig.scripted = false;
  rig.set("flow.show.basin", false);
  rig.set("flow.show.loss", false);
  rig.set("flow.show.backward", true);
  rig.set("flow.sampling.count", 2000.0);
  rig.frame();
  REQUIRE(rig.run("flow.sample-gauss"));
  rig.frame();
  CHECK_FALSE(rig.exhibit->complete());
  for (const char* lane : {"flow.paths", "flow.loss", "flow.cloud"})
    rig.jobs.cancel(lane);
  rig.jobs.finish();
  rig.frame();
  rig.frame();
  CHECK(rig.jobs.idle());
  CHECK(rig.exhibit->complete());  // no result is expected any more
}

TEST_CASE("In an exported table every point has its time, whatever the number of points", "[flow][points]") {
  Rig rig;
  rig.figure = true;
  rig.set("flow.show.basin", false);
  rig.set("flow.show.loss", false);
  rig.set("flow.sampling.count", 2500.0);  // more points than have drawn paths
  rig.frame();
  REQUIRE(rig.run("flow.sample-gauss"));
  rig.settle();
  const Table table = points(rig.exhibit->numbers());
  const std::vector<double> times = reals(table, "time_to_1_percent"), e = reals(table, "e"), w = reals(table, "w");
  REQUIRE(times.size() == 2500);
  for (std::size_t i = 0; i < times.size(); i += 7)
    CHECK(times[i] == markov::convergenceTime({0.5, 0.8}, markov::Model::EW, Eigen::Vector2d(e[i], w[i])));
}
