// SPDX-License-Identifier: Apache-2.0
// Results: the Gaussian cloud compared with its exact probability, theory compared with integration pixel by pixel,
// many points, animation.
#include <cmath>
#include <ctime>

#include <catch2/catch.hpp>

#include "engine/markov/energy.h"
#include "engine/markov/gaussian.h"
#include "tests/ui/exhibits/flow/flow_rig.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// Processor time of this thread, ms; other programs do not count.
double threadMs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

}  // namespace

TEST_CASE("The measured share of the cloud is close to its exact probability", "[flow][results]") {
  for (const auto& [p, q] : {std::pair{0.5, 0.8}, std::pair{0.2, 0.3}}) {
    for (const double sigma : {0.3, 0.5, 1.0}) {
      Rig rig;
      rig.set("flow.p", p);
      rig.set("flow.q", q);
      rig.set("flow.show.cloud", true);
      rig.set("flow.gauss.sigma", sigma);
      rig.set("flow.gauss.samples", 10000.0);
      rig.settle();
      const double exact = rig.number("flow.gauss.probability");
      CHECK(exact == Approx(markov::probabilityLocalMinimum(sigma, p + q > 1)));
      const double deviation = std::sqrt(exact * (1 - exact) / 10000);
      CHECK(std::abs(rig.number("flow.gauss.measured") - exact) < 4 * deviation + 1e-12);
    }
  }
}

TEST_CASE("The same seed gives the same cloud, and another seed another cloud", "[flow][results]") {
  const auto cloud = [](double seed) {
    Rig rig;
    rig.set("flow.show.cloud", true);
    rig.set("flow.gauss.sigma", 0.8);
    rig.set("flow.gauss.seed", seed);
    const render::Scene& scene = rig.settle();
    std::vector<render::Point> points;
    for (const render::Item& item : Rig::layer(scene, "cloud")->items)
      points.push_back(std::get<render::Marker>(item).at);
    return points;
  };
  const std::vector<render::Point> first = cloud(0);
  CHECK(first.size() > 900);
  CHECK(first == cloud(0));
  CHECK_FALSE(first == cloud(1));
}

TEST_CASE("Another seed of the program gives another cloud", "[flow][results]") {
  const auto first = [](std::uint64_t seed) {
    Rig rig;
    rig.seed = seed;
    rig.set("flow.show.cloud", true);
    const render::Scene& scene = rig.settle();
    return std::get<render::Marker>(Rig::layer(scene, "cloud")->items.front()).at;
  };
  CHECK(first(1) == first(1));
  CHECK_FALSE(first(1) == first(2));
}

TEST_CASE("Theory and integration are compared pixel by pixel", "[flow][results]") {
  Rig rig;
  rig.area = {{0, 0}, {300, 240}};
  rig.set("flow.basin.method", std::string("both"));
  rig.settle();
  REQUIRE(rig.exhibit->complete());
  const double pixels = rig.number("flow.basin.disagreements"), share = rig.number("flow.basin.disagreement");
  REQUIRE(pixels >= 0);
  CHECK(share < 0.002);  // of the whole window; only pixels on the separatrix can differ
  CHECK((share == 0) == (pixels == 0));

  // Away from the separatrix and from e = 0 there are no differences.
  rig.set("flow.view.xMin", 0.3);
  rig.set("flow.view.xMax", 1.3);
  rig.set("flow.view.yMin", 0.2);
  rig.set("flow.view.yMax", 1.2);
  rig.settle();
  CHECK(rig.number("flow.basin.disagreements") == 0);
  CHECK(rig.number("flow.basin.disagreement") == 0);
  // With theory alone there is no comparison.
  rig.set("flow.basin.method", std::string("exact"));
  rig.settle();
  CHECK(std::isnan(rig.number("flow.basin.disagreements")));
}

TEST_CASE("Shares and disagreement do not depend on the size of the picture", "[flow][results]") {
  const std::string method = GENERATE("exact", "integrate", "both");
  std::vector<std::vector<double>> numbers;
  for (const double width : {300.0, 517.0}) {
    Rig rig;
    rig.area = {{0, 0}, {width, 240}};
    rig.set("flow.basin.method", method);
    rig.settle();
    numbers.push_back({rig.number("flow.basin.share.global-min"), rig.number("flow.basin.share.local-min"),
                       rig.number("flow.basin.share.undecided")});
    if (method == "both") numbers.back().push_back(rig.number("flow.basin.disagreements"));
  }
  CHECK(numbers[0][0] > 0.1);
  CHECK(numbers[0] == numbers[1]);
}

TEST_CASE("A picture by integration is refined, and replaced when a parameter changes", "[flow][results]") {
  Rig rig;
  rig.area = {{0, 0}, {300, 240}};
  rig.set("flow.basin.method", std::string("integrate"));
  std::vector<int> widths;
  rig.jobs.waitForPublications();  // paced before the job begins, so that no publication is missed
  for (int i = 0; i < 200 && !(rig.exhibit->complete() && !widths.empty()); ++i) {
    const render::Scene& scene = rig.frame();
    rig.jobs.waitForPublications();
    if (const render::Layer* basin = Rig::layer(scene, "basin")) {
      const int width = std::get<render::LabelMap>(basin->items.front()).width;
      if (widths.empty() || widths.back() != width) widths.push_back(width);
    }
  }
  REQUIRE(widths.size() >= 3);
  CHECK(std::is_sorted(widths.begin(), widths.end()));
  rig.set("flow.p", 0.1);
  rig.frame();
  CHECK_FALSE(rig.exhibit->complete());
  rig.set("flow.q", 0.2);
  rig.settle();
  CHECK(rig.exhibit->complete());
  CHECK(rig.number("flow.basin.share.global-min") > rig.number("flow.basin.share.local-min"));
}

TEST_CASE("A hundred points are followed by a job, and all limits are found", "[flow][results]") {
  Rig rig;
  for (int i = 0; i < 100; ++i)
    REQUIRE(rig.add(-1.5 + 0.03 * i, 0.5 - 0.015 * i));
  rig.settle();
  rig.set("flow.p", 0.2);
  rig.set("flow.q", 0.3);
  rig.frame();
  rig.settle();
  REQUIRE(rig.exhibit->complete());
  for (int i = 0; i < 100; ++i) {
    const std::string point = "flow.points[" + std::to_string(i) + "].";
    const double e = rig.number(point + "e"), w = rig.number(point + "w");
    CHECK(rig.text(point + "basin") == std::string(markov::limitName(markov::basinLabel({0.2, 0.3}, e, w))));
  }
}

TEST_CASE("Changing a parameter keeps frames short, whatever the number of points", "[flow][results]") {
  Rig rig;
  rig.scripted = false;
  rig.set("flow.show.basin", false);
  rig.set("flow.show.loss", false);
  rig.set("flow.field", std::string("duffing"));
  for (int i = 0; i < 150; ++i)
    REQUIRE(rig.add(-1.4 + 0.02 * i, 0.9 - 0.01 * i));
  rig.settle();
  const auto timeOf = [&rig](double delta) {
    rig.set("flow.duffing.delta", delta);
    ExhibitContext context = rig.context();
    const double begin = threadMs();
    rig.exhibit->update(context);
    return threadMs() - begin;
  };
  std::vector<double> spent;
  for (int i = 0; i < 9; ++i)
    spent.push_back(timeOf(0.1 + 0.01 * i));
  std::nth_element(spent.begin(), spent.begin() + 4, spent.end());
  CHECK(spent[4] < 33);  // ms, median of nine; following all points takes several times as long
  // The selected point has the limit for the present parameter at once, the others when the job is done.
  const Document present = rig.editor.document();
  const double selected = rig.number("flow.points[149].limit.e");
  rig.settle();
  CHECK(rig.number("flow.points[149].limit.e") == selected);
  Rig fresh;
  fresh.editor.history.reset(present);
  fresh.settle();
  for (int i = 0; i < 150; i += 7) {
    const std::string key = "flow.points[" + std::to_string(i) + "].limit.e";
    CHECK(rig.read(key) == fresh.read(key));
  }
}

TEST_CASE("A point on the separatrix is reported as such", "[flow][results]") {
  Rig rig;
  REQUIRE(rig.add(0, -1 / std::sqrt(2.0)));
  rig.settle();
  CHECK(rig.text("flow.points[0].basin") == "saddle");
  CHECK(rig.text("flow.points[0].limit.words").find("saddle") != std::string::npos);
}

TEST_CASE("Play moves the points in the time of the flow and stops at the end", "[flow][results]") {
  Rig rig;
  REQUIRE(rig.add(0.6, 0.4));
  REQUIRE(rig.add(1.0, -0.9));
  rig.settle();
  CHECK_FALSE(rig.exhibit->animating());
  REQUIRE(rig.run("play.toggle"));
  rig.frame();
  CHECK(rig.exhibit->animating());
  double last = rig.number("flow.play.time");
  render::Point lastHead{};
  double moved = 0;
  for (int i = 0; i < 60; ++i) {
    const render::Scene& scene = rig.frame();
    CHECK(rig.number("flow.play.time") > last);
    last = rig.number("flow.play.time");
    const auto& head = std::get<render::Marker>(Rig::layer(scene, "heads")->items.front());
    if (i > 0) moved += std::hypot(head.at.x - lastHead.x, head.at.y - lastHead.y);
    lastHead = head.at;
  }
  CHECK(moved > 0);
  REQUIRE(rig.run("play.toggle"));  // pause
  rig.frame();
  const double paused = rig.number("flow.play.time");
  for (int i = 0; i < 10; ++i)
    rig.frame();
  CHECK(rig.number("flow.play.time") == paused);
  CHECK(Rig::layer(rig.frame(), "heads") != nullptr);
  REQUIRE(rig.run("play.toggle"));
  int frames = 0;
  while (rig.exhibit->animating() && frames < 600) {
    rig.frame();
    ++frames;
  }
  CHECK(frames > 300);
  CHECK(frames < 480);  // eight seconds in total, one of them before the pause
  CHECK_FALSE(isTrue(rig.read("flow.play.active")));
}

TEST_CASE("Every declared read-out can be read in every state", "[flow][results]") {
  Rig rig;
  const auto readAll = [&rig] {
    for (const ReadOut& readOut : rig.editor.registry.readOuts())
      for (const int index : {-1, 0, 5}) {
        const Value value = readOut.get(index);
        if (std::holds_alternative<double>(value)) CHECK(std::isfinite(std::get<double>(value)));
        CHECK_FALSE(readOut.help.empty());
        CHECK_FALSE(readOut.label.empty());
      }
  };
  readAll();
  REQUIRE(rig.add(0.3, 0.2));
  rig.settle();
  readAll();
  rig.area = {{0, 0}, {200, 150}};
  rig.set("flow.field", std::string("duffing"));
  rig.settle();
  readAll();
  for (const Property& property : rig.editor.registry.properties())
    CHECK_FALSE(property.help.empty());
}
