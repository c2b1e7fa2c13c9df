// SPDX-License-Identifier: Apache-2.0
// Figures: dropping an exported figure restores its state, and exporting again gives the same bytes; vector formats
// contain vectors; a failed export changes nothing.
#include "engine/core/number.h"
#include "ui/workbench/figure.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

#include "engine/render/recipe.h"
#include "tests/folders.h"
#include "tests/shell.h"
#include "tests/ui/workbench/figure_rig.h"
#include "ui/workbench/clip.h"

namespace fs = std::filesystem;
using namespace sepx;
using namespace sepx::test;
using tests::count;
using tests::outputOf;

namespace {

const std::string kState =
    "set flow.p 0.5\nset flow.q 0.8\nadd point 0.3,0.2\nadd point 1.2,-0.8\nset flow.show.basin true\nwait settled\n";

}  // namespace

TEST_CASE("Exporting, dropping the figure and exporting again gives the same state and the same bytes", "[figure]") {
  const Place place;
  Bench bench;
  bench.play(kState + "set panes.layout two\nset panes.limits shared\nwait settled\n");
  for (const char* ending : {".png", ".svg", ".pdf", ".npz"}) {
    INFO(ending);
    const std::string first = place.path(std::string("first") + ending);
    make(bench, request(first));
    const std::string before = content(first);
    make(bench, request(place.path(std::string("again") + ending)));
    CHECK((content(place.path(std::string("again") + ending)) == before));

    Bench other;
    REQUIRE(errorOf(other.workbench().open(first)) == "");
    CHECK(other.workbench().document() == bench.workbench().document());
    const auto recipe = render::readRecipe(first);
    REQUIRE((recipe && *recipe));
    auto parsed = ui::parseRecipe(**recipe);
    REQUIRE(parsed);
    CHECK(parsed->document == bench.workbench().document());
    parsed->request.path = place.path(std::string("second") + ending);
    make(other, parsed->request);
    CHECK((content(parsed->request.path) == before));
  }
}

TEST_CASE("A vector figure has a text element for every tick, and caption, legend and pane as requested", "[figure]") {
  const Place place;
  Bench bench;
  bench.play(kState);
  make(bench, request(place.path("a.svg")));
  const std::string svg = content(place.path("a.svg"));
  for (const char* tick : {">−2<", ">0<", ">2<", ">\U0001D452<", ">\U0001D464<"}) {
    INFO(tick);
    CHECK(count(svg, tick) >= 1);
  }
  CHECK(svg.find("width=\"420pt\" height=\"320pt\"") != std::string::npos);
  CHECK(count(svg, "data-layer=\"caption\"") == 1);
  ui::FigureRequest plain = request(place.path("plain.svg"));
  plain.width = 720;
  plain.height = 560;
  make(bench, plain);
  CHECK(count(content(plain.path), "data-layer=\"legend\"") == 1);
  plain.caption = plain.legend = false;
  make(bench, plain);
  const std::string bare = content(plain.path);
  CHECK(count(bare, "data-layer=\"caption\"") == 0);
  CHECK(count(bare, "data-layer=\"legend\"") == 0);

  // Text of 7 points on 249 points of paper: the page has more units, each printed smaller.
  ui::FigureRequest small = request(place.path("small.svg"));
  small.textSize = 7;
  make(bench, small);
  CHECK(content(small.path).find("viewBox=\"0 0 780 594.5\"") != std::string::npos);

  bench.play("set panes.layout four\nwait settled\n");
  make(bench, request(place.path("four.svg")));
  CHECK(count(content(place.path("four.svg")), "data-layer=\"axes\"") == 4);
  ui::FigureRequest one = request(place.path("one.svg"));
  one.pane = 3;
  make(bench, one);
  CHECK(count(content(one.path), "data-layer=\"axes\"") == 1);
  one.pane = 2;
  bench.play("set panes.layout one\nwait settled\n");
  CHECK(refusal(bench, one, ErrorKind::Usage).find("2") != std::string::npos);
}

TEST_CASE("A PDF has embedded fonts and its ticks as text", "[figure]") {
  if (std::system("command -v pdffonts >/dev/null 2>&1") != 0) {
    WARN("poppler-utils is not installed: nobody else reads the PDF here");
    return;
  }
  const Place place;
  Bench bench;
  bench.play(kState);
  make(bench, request(place.path("a.pdf")));
  const std::string fonts = outputOf("pdffonts " + place.path("a.pdf"));
  INFO(fonts);
  // DejaVu Sans if Open Sans is not installed; DejaVu Math for the symbols at the axes.
  const std::size_t faces = count(fonts, "+OpenSans") + count(fonts, "+DejaVuSans") + count(fonts, "+DejaVuMath");
  CHECK(faces >= 1);
  CHECK(count(fonts, " yes yes yes") == faces);
  const std::string text = outputOf("pdftotext -layout " + place.path("a.pdf") + " -");
  INFO(text);
  for (const char* tick : {"−2", "loss (nats)", "global minimum"})
    CHECK(text.find(tick) != std::string::npos);
  CHECK(outputOf("pdfinfo " + place.path("a.pdf")).find("420 x 320 pts") != std::string::npos);
}

TEST_CASE("Numbers are exported as named tables and as arrays", "[figure]") {
  const Place place;
  Bench bench;
  bench.play(kState);
  for (const char* name : {"a.csv", "a.paths.csv", "a.npz"})
    make(bench, request(place.path(name)));
  CHECK(content(place.path("a.csv")).find("0.3,0.2") != std::string::npos);
  CHECK(count(content(place.path("a.csv")), "\r\n") == 3);
  CHECK(content(place.path("a.paths.csv")).substr(0, 8) == "point,t,");
  CHECK(count(content(place.path("a.npz")), "points.e.npy") == 2);  // its entry and the list at the end
  CHECK(refusal(bench, request(place.path("a.nothing.csv")), ErrorKind::Usage).find("paths") != std::string::npos);
}

TEST_CASE("The table of a split window has the rows of all panes or of the requested one", "[figure]") {
  const Place place;
  Bench bench;
  bench.play(kState);
  bench.play("set panes.layout two\non flow@2 add point 1.5,1.25\nwait settled\n");
  make(bench, request(place.path("a.csv")));
  const std::string all = content(place.path("a.csv"));
  CHECK(all.substr(0, 12) == "pane,name,e,");
  CHECK(count(all, "\r\n1,") == 2);
  CHECK(count(all, "\r\n2,") == 3);
  ui::FigureRequest second = request(place.path("b.csv"));
  second.pane = 2;
  make(bench, second);
  CHECK(content(place.path("b.csv")).substr(0, 7) == "name,e,");
  CHECK(count(content(place.path("b.csv")), "\r\n") == 4);
}

TEST_CASE("The caption of four panes in a narrow figure names every pane", "[figure]") {
  const Place place;
  Bench bench;
  bench.play(kState);
  bench.play("set panes.layout four\nset flow@3.p 0.1\nset flow@4.q 0.9\nwait settled\n");
  ui::FigureRequest narrow = request(place.path("a.svg"));
  const ui::FigurePreset& preset = ui::figurePresets()[1];
  REQUIRE(preset.key == "single-column");
  narrow.width = preset.width, narrow.height = preset.height, narrow.textSize = preset.textSize;
  make(bench, narrow);
  const std::string svg = content(place.path("a.svg"));
  for (const char* pane : {"(a) ", "(b) ", "(c) ", "(d) "})
    CHECK(count(svg, pane) == 1);
  CHECK(svg.find("p = 0.1, q = 0.8 (p + q &lt; 1).") != std::string::npos);
}

TEST_CASE("A picture larger than a tile is made, and one that does not fit into memory is refused", "[figure]") {
  const Place place;
  Bench bench;
  bench.play("add point 0.3,0.2\nwait settled\n");
  ui::FigureRequest large = request(place.path("large.png"));
  large.width = 300;
  large.height = 50;
  large.scale = 14;
  make(bench, large);
  const auto pixels = render::readPng(large.path);
  REQUIRE(pixels);
  CHECK(pixels->extent == gpu::Extent{4200, 700});
  large.scale = 100;
  large.width = large.height = 1000;
  CHECK(refusal(bench, large, ErrorKind::Usage).find("million") != std::string::npos);
}

TEST_CASE("A film has the frames of a whole animation; without ffmpeg the error names the package", "[figure]") {
  const Place place;
  Bench bench;
  ui::FigureRequest film = request(place.path("frames/"));
  film.width = film.height = 120;
  film.scale = 1;
  film.framesPerSecond = 4;
  film.seconds = 1;
  CHECK(refusal(bench, film, ErrorKind::CheckFailed).find("point") != std::string::npos);
  CHECK(place.names().empty());
  bench.play("add point 0.3,0.2\nwait settled\n");
  make(bench, film);
  CHECK(place.names() == std::vector<std::string>{"frames"});
  CHECK((content(place.path("frames/frame-0001.png")) != content(place.path("frames/frame-0005.png"))));
  CHECK_FALSE(fs::exists(place.path("frames/frame-0006.png")));
  CHECK(refusal(bench, film, ErrorKind::OutputFailed).find("already") != std::string::npos);

  film.path = place.path("film.mp4");
  if (std::system("command -v ffmpeg >/dev/null 2>&1") == 0) {
    make(bench, film);
    const std::string once = content(film.path);
    make(bench, film);
    CHECK((content(film.path) == once));
    Bench other;
    REQUIRE(errorOf(other.workbench().open(film.path)) == "");
    CHECK(other.workbench().document() == bench.workbench().document());
    CHECK(place.names() == std::vector<std::string>{"film.mp4", "frames"});
  }
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "";
  ::setenv("PATH", "/nowhere", 1);
  CHECK(refusal(bench, film, ErrorKind::OutputFailed).find("install the package ffmpeg") != std::string::npos);
  ::setenv("PATH", path.c_str(), 1);
}

TEST_CASE("A full disk leaves the old figure and no other file", "[figure]") {
  const Place place;
  Bench bench;
  bench.play("add point 0.3,0.2\nwait settled\n");
  const bool films = std::system("command -v ffmpeg >/dev/null 2>&1") == 0;
  std::vector<std::string> all{"a.png", "a.svg", "a.pdf", "a.csv", "a.npz"};
  if (films) all.insert(all.end(), {"a.mp4", "a.webm"});
  for (const std::string& name : all)
    std::ofstream(place.path(name)) << "old";
  const auto before = place.names();
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit old {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &old) == 0);
  struct rlimit low = old;
  low.rlim_cur = 64;
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &low) == 0);
  std::vector<std::string> sentences;
  for (const std::string& name : all) {
    ui::FigureRequest wanted = request(place.path(name));
    wanted.seconds = 0.5;
    wanted.framesPerSecond = 4;
    const auto made = ui::makeFigure(bench.workbench(), &bench.host->context(), wanted);
    sentences.push_back(made || made.error().kind != ErrorKind::OutputFailed ? "" : made.error().message);
  }
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &old) == 0);
  std::signal(SIGXFSZ, handler);
  for (const std::string& sentence : sentences) {
    INFO(sentence);
    CHECK(sentence.find(place.folder.string()) != std::string::npos);
  }
  CHECK(place.names() == before);
  for (const std::string& name : before)
    CHECK(content(place.path(name)) == "old");
  if (fs::exists("/dev/full")) {
    ui::FigureRequest full = request(place.path("a.svg"));
    fs::create_symlink("/dev/full", place.path("full.svg"));
    full.path = place.path("full.svg");
    CHECK(refusal(bench, full, ErrorKind::OutputFailed).find("full.svg") != std::string::npos);
  }
  CHECK(refusal(bench, request(place.path("missing/a.png")), ErrorKind::OutputFailed).find("missing") !=
        std::string::npos);
  CHECK(refusal(bench, request(place.path("missing/a.mp4")), ErrorKind::OutputFailed).find("missing") !=
        std::string::npos);
}

TEST_CASE("A window draws frames while its figure is made, and a figure can be cancelled", "[figure]") {
  const Place place;
  ui::WorkbenchOptions options;
  std::vector<ui::Clip> copied;
  options.copy = [&copied](const ui::Clip& clip) { copied.push_back(clip); };
  options.threads = 1;
  Bench device;
  ui::Workbench workbench(options);
  REQUIRE(errorOf(workbench.addPoint({0.3, 0.2})) == "");
  double seconds = 0;
  const auto frames = [&](const std::function<bool()>& until) {
    for (int i = 0; i < 4000 && !until(); ++i) {
      ui::HostFrame host;
      host.seconds = seconds += 1.0 / 60;
      workbench.tick({640, 400}, host);
    }
    return until();
  };
  REQUIRE(errorOf(workbench.exportFigure(request(place.path("a.svg")))) == "");
  REQUIRE(workbench.jobs().size() >= 1);
  CHECK(workbench.needsFrame());
  REQUIRE(frames([&] { return fs::exists(place.path("a.svg")); }));
  REQUIRE(frames([&] { return !workbench.messages().empty(); }));
  CHECK(workbench.messages().back().text.find("a.svg") != std::string::npos);
  CHECK(workbench.messages().back().level == ui::Message::Level::Note);

  REQUIRE(errorOf(workbench.exportFigure(request(place.path("b.svg")))) == "");
  REQUIRE(errorOf(workbench.run("jobs.cancel")) == "");
  int more = 50;
  frames([&more] { return more-- == 0; });
  CHECK_FALSE(fs::exists(place.path("b.svg")));

  const auto bad = workbench.exportFigure(request(place.path("b.jpg")));
  REQUIRE_FALSE(bad);
  CHECK(workbench.messages().back().text.find(".pdf") != std::string::npos);

  REQUIRE(errorOf(workbench.run("flow.select-next")) == "");
  REQUIRE(errorOf(workbench.run("edit.copy-number")) == "");
  REQUIRE(copied.size() == 1);
  CHECK(copied[0].text == "0.3\t0.2");
  REQUIRE(errorOf(workbench.run("edit.copy-table")) == "");
  CHECK(copied[1].text.substr(0, copied[1].text.find('\t')) == "name");
  CHECK(copied[1].text.find("0.3\t0.2") != std::string::npos);
}

TEST_CASE("A figure made step by step has the same bytes as one made at once, and a cancelled film leaves no files",
          "[figure]") {
  const Place place;
  Bench bench;
  bench.play(kState);
  const auto stepped = [&](ui::FigureRequest wanted, std::size_t most) {
    ui::FigureMaker maker(bench.workbench(), &bench.host->context(), std::move(wanted));
    for (std::size_t i = 0; i < most && !maker.step(); ++i) {
      CHECK((maker.share() >= 0 && maker.share() <= 1));
      ::usleep(500);
    }
    if (!maker.step()) maker.cancel();
    return maker.outcome();
  };
  for (const char* name : {"a.png", "a.pdf", "film/"}) {
    INFO(name);
    ui::FigureRequest wanted = request(place.path(name));
    wanted.seconds = 0.5;
    wanted.framesPerSecond = 4;
    make(bench, wanted);
    wanted.path = place.path(std::string("stepped-") + name);
    const auto made = stepped(wanted, 40000);
    INFO((made ? std::string() : made.error().message));
    REQUIRE(made);
    const std::string file = std::string(name).back() == '/' ? "frame-0002.png" : "";
    CHECK((content(place.path(name) + file) == content(wanted.path + file)));
  }
  const auto before = place.names();
  for (const char* name : {"b/", "b.mp4"}) {
    ui::FigureRequest wanted = request(place.path(name));
    wanted.seconds = 600;
    const auto made = stepped(wanted, 300);
    REQUIRE_FALSE(made);
    CHECK(made.error().kind == (std::string(name) == "b/" || std::system("command -v ffmpeg >/dev/null 2>&1") == 0
                                    ? ErrorKind::Interrupted
                                    : ErrorKind::OutputFailed));
  }
  CHECK(place.names() == before);
}

TEST_CASE("The SVG of a hundred trajectories takes less than a second of processor time", "[.][time][figure]") {
  const Place place;
  Bench bench;
  std::string points;
  for (int i = 0; i < 100; ++i)
    points += "add point " + formatShortest(-1.9 + 0.038 * i) + "," + formatShortest(1.8 - 0.37 * (i % 10)) + "\n";
  bench.play(points + "wait settled\n");
  const std::clock_t start = std::clock();  // processor time of all threads, so other programs do not count
  make(bench, request(place.path("a.svg")));
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  CAPTURE(seconds);
  CHECK(seconds < 1);
  CHECK(count(content(place.path("a.svg")), "<path ") > 100);
}

TEST_CASE("An invalid recipe is refused", "[figure]") {
  for (const char* text : {"", "{}", "[1]", "{\"program\":\"other\",\"state\":{\"version\":1}}",
                           "{\"program\":\"separatrix\",\"state\":{\"version\":99999}}",
                           "{\"program\":\"separatrix\",\"state\":{\"version\":1},\"seed\":-1}",
                           "{\"program\":\"separatrix\",\"state\":{\"version\":1},\"figure\":{\"width\":\"wide\"}}"}) {
    INFO(text);
    const auto parsed = ui::parseRecipe(text);
    if (std::string(text).find("99999") != std::string::npos && parsed)
      continue;  // newer versions are read as far as possible
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().kind == ErrorKind::BadInput);
  }
}

TEST_CASE("The title of a figure says what it shows, and a page without anything to draw gives no figure", "[figure]") {
  const Place place;
  Bench bench;
  bench.play(kState);
  make(bench, request(place.path("a.svg")));
  const std::string svg = content(place.path("a.svg"));
  CHECK(svg.find("<title>Flow · p = 0.500, q = 0.800") != std::string::npos);
  CHECK(svg.find("Untitled") == std::string::npos);
  ui::FigureRequest named = request(place.path("b.svg"));
  named.title = "Figure 1";
  make(bench, named);
  CHECK(content(named.path).find("<title>Figure 1</title>") != std::string::npos);
  bench.play("exhibit weights\nset weights.checkpoint /nowhere/at/all.safetensors\nwait settled\n");
  const auto none = ui::makeFigure(bench.workbench(), nullptr, request(place.path("c.svg")));
  REQUIRE_FALSE(none);
  CHECK(none.error().message.find("nothing to draw") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(place.path("c.svg")));
}

TEST_CASE("The recipe of a figure writes ~ for the home folder, and its files are found again", "[figure]") {
  const Place place;
  const char* const before = std::getenv("HOME");
  const std::string kept = before ? before : "";
  REQUIRE(::setenv("HOME", place.folder.c_str(), 1) == 0);
  Bench bench;
  const std::string model = tests::sourceFolder() + "/tests/models/encoder";
  fs::copy(model, place.folder / "encoder", fs::copy_options::recursive);
  bench.play("open " + place.path("encoder") + "\nwait settled\n");
  make(bench, request(place.path("a.svg")));
  const std::string svg = content(place.path("a.svg"));
  CHECK(svg.find(place.folder.string()) == std::string::npos);
  CHECK(svg.find("~/encoder") != std::string::npos);
  const auto recipe = render::readRecipe(place.path("a.svg"));
  REQUIRE((recipe && *recipe));
  const auto parsed = ui::parseRecipe(**recipe);
  REQUIRE(parsed);
  CHECK(parsed->document == bench.workbench().document());
  ::setenv("HOME", kept.c_str(), 1);
}

TEST_CASE("A figure of runs can be made before its window has drawn a frame", "[figure]") {
  const Place place;
  ui::WorkbenchOptions options;
  options.scripted = true;
  options.threads = 1;
  options.assets = tests::sourceFolder() + "/assets";
  options.document = ui::Document().with("exhibit", "reversal").with("reversal.page", "race");
  const ui::Workbench workbench(std::move(options));
  ui::FigureRequest wanted = request(place.path("a.svg"));
  wanted.width = 900;
  wanted.height = 600;
  const auto made = ui::makeFigure(workbench, nullptr, wanted);
  INFO((made ? std::string() : made.error().message));
  REQUIRE(made);
  const std::string svg = content(wanted.path);
  CHECK(svg.find("forward accuracy") != std::string::npos);
  CHECK(svg.find("Press Start") == std::string::npos);  // no instructions for the user
}
