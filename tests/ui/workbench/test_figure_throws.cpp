// SPDX-License-Identifier: Apache-2.0
// Any exception while a figure is made ends only that figure, with one message.
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "tests/patience.h"
#include "tests/ui/workbench/figure_rig.h"
#include "tests/ui/workbench/parts.h"
#include "ui/workbench/figures.h"

namespace fs = std::filesystem;
using namespace sepx;
using namespace sepx::test;

namespace {

/// The wake function of a window. It can be copied a given number of times and then throws, like an allocation that
/// fails.
struct ScarceWake {
  std::shared_ptr<std::atomic<int>> left = std::make_shared<std::atomic<int>>(kPlenty);
  static constexpr int kPlenty = 1 << 20;

  ScarceWake() = default;
  ScarceWake(const ScarceWake& from) : left(from.left) {
    if (left->fetch_sub(1) <= 0) throw std::runtime_error("no room for a copy");
  }
  ScarceWake& operator=(const ScarceWake&) = delete;
  void operator()() const {}
};

}  // namespace

TEST_CASE("An exception while a figure is made gives one error message, and the document does not change", "[figure]") {
  const Place place;
  const ScarceWake wake;
  ui::WorkbenchOptions options;
  options.threads = 1;
  options.wake = wake;
  ui::Workbench workbench(options);
  REQUIRE(errorOf(workbench.addPoint({0.3, 0.2})) == "");
  const ui::Document before = workbench.document();
  const std::string path = place.path("a.svg");
  // The failure may come at the start, during the work or at the end.
  int failures = 0;
  for (;; ++failures) {
    *wake.left = failures;
    const auto made = ui::makeFigure(workbench, nullptr, request(path));
    *wake.left = ScarceWake::kPlenty;
    CHECK(workbench.document() == before);
    if (made) break;
    REQUIRE(failures < 100);
    INFO(made.error().message);
    CHECK(made.error().kind == ErrorKind::Internal);
    CHECK(made.error().message.find(path + ": the figure was not made; ") == 0);
    CHECK(made.error().message.find("no room for a copy") != std::string::npos);
    CHECK(made.error().message.find('\n') == std::string::npos);
    CHECK_FALSE(fs::exists(path));
  }
  CHECK(failures >= 3);
  CHECK(fs::exists(path));

  // In a window: an error message, and the next figure is made.
  double seconds = 0;
  const auto framesUntil = [&](const std::function<bool()>& until) {
    for (int i = 0; i < 4000 && !until(); ++i) {
      ui::HostFrame host;
      host.seconds = seconds += 1.0 / 60;
      workbench.tick({640, 400}, host);
    }
    return until();
  };
  *wake.left = failures - 1;
  const auto refused = workbench.exportFigure(request(place.path("b.svg")));
  REQUIRE(framesUntil([&] { return !workbench.messages().empty(); }));
  *wake.left = ScarceWake::kPlenty;
  INFO((refused ? std::string() : refused.error().message));
  CHECK(workbench.messages().size() == 1);
  CHECK(workbench.messages().back().level == ui::Message::Level::Error);
  CHECK(workbench.messages().back().text.find("no room for a copy") != std::string::npos);
  CHECK(workbench.document() == before);
  CHECK_FALSE(fs::exists(place.path("b.svg")));
  REQUIRE(errorOf(workbench.exportFigure(request(place.path("c.svg")))) == "");
  CHECK(framesUntil([&] { return fs::exists(place.path("c.svg")); }));
}

TEST_CASE("Cancelling a film ends it immediately if no job can be started", "[figure]") {
  const Place place;
  const auto context = gpu::Context::create({.validation = true});
  REQUIRE(context);
  const ScarceWake wake;
  ui::WorkbenchOptions options = partOptions();
  options.wake = wake;
  ui::Workbench of(options);
  REQUIRE(of.addPoint({0.3, 0.2}));
  Parts parts;
  parts.window.options.scripted = false;
  parts.window.gpu = context->get();
  ui::Figures figures(of, parts.window);
  ui::FigureRequest film = request(place.path("film/"));
  film.seconds = 60;
  REQUIRE(figures.start(film));
  REQUIRE(tests::eventually([&] {
    figures.step();
    return !place.names().empty() || figures.idle();
  }));
  REQUIRE_FALSE(figures.idle());
  *wake.left = 0;
  CHECK_NOTHROW(figures.cancel(figures.jobs().front().lane));
  *wake.left = ScarceWake::kPlenty;
  CHECK(place.names().empty());
  CHECK(figures.idle());
}
