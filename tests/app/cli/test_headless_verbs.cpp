// SPDX-License-Identifier: Apache-2.0
// sepx play and sepx render: exit statuses, written files, and operation without a driver.
#include <cstdlib>
#include <filesystem>

#include <catch2/catch.hpp>

#include "engine/render/png.h"
#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::test;

namespace {

const std::string kLesson = tests::sourceFolder() + "/assets/lessons/01-why-small-initialisation-fails.md";

}  // namespace

TEST_CASE("play runs a script, whose expectations decide the status") {
  const Folder folder;
  const std::string script = folder.path("script.sepxs");
  writeText(script,
            "script 1\nset flow.p 0.5\nset flow.q 0.8\nadd point 0.3,0.2\nwait settled\n"
            "expect flow.points[0].basin == \"local-min\"\nshot picture.png\n");
  const Ran ran = command({"play", script, "--size", "640x360", "--out-dir", folder.path("")});
  INFO(ran.err);
  CHECK(ran.status == 0);
  CHECK(ran.out == "6 steps, 1 expectations held\n");
  const Json told = commandJson({"play", script, "--size", "320x240", "--out-dir", folder.path("")});
  CHECK(told["steps"] == 6);
  CHECK(told["expectations"] == 1);
  const auto pixels = render::readPng(folder.path("picture.png"));
  REQUIRE(pixels);
  CHECK(pixels->extent == gpu::Extent{320, 240});

  writeText(script, "script 1\nset flow.p 0.25\nexpect flow.p == 0.5\n");
  requireRefused({"play", script}, 1, "0.25");
  requireRefused({"play", script}, 1, "3");  // the line
  writeText(script, "script 1\nset flow.p 7\n");
  CHECK(command({"play", script}).status != 0);
  writeText(script, "script 1\ndance\n");
  requireRefused({"play", script}, 3, "dance");
  requireRefused({"play", folder.path("missing")}, 3, "missing");
  requireRefused({"play", folder.path("missing.md")}, 3, "missing.md");
  // The name is that of a lesson, but the file contains a session.
  writeText(folder.path("x.md"), R"({"version":1,"exhibit":"flow"})");
  requireRefused({"play", folder.path("x.md")}, 3, "x.md: is not a lesson");
  // Each line would be a step.
  std::string many = "script 1\n";
  while (many.size() <= (std::size_t{1} << 20))
    many += "undo\n";
  writeText(script, many);
  requireRefused({"play", script}, 3, "is longer than the limit of 1048576 bytes");
  requireRefused({"play"}, 2, "required");
}

TEST_CASE("The expectations of the scripts of the pages hold") {
  for (const auto& entry : std::filesystem::directory_iterator(tests::sourceFolder() + "/tests/hosts/scripts")) {
    const Folder folder;  // each script has its own library of runs
    const Ran ran = command({"play", entry.path().string(), "--out-dir", folder.path("")});
    INFO(entry.path() << ": " << ran.err);
    CHECK(ran.status == 0);
    CHECK(ran.out.find("expectations held") != std::string::npos);
  }
}

TEST_CASE("A shot that cannot be written ends with status 6") {
  const Folder folder;
  writeText(folder.path("s"), "script 1\nshot picture.png\n");
  requireRefused({"play", folder.path("s"), "--size", "320x240", "--out-dir", "/dev/null/folder"}, 6, "picture.png");
}

TEST_CASE("render writes the picture of a lesson or session as PNG and SVG") {
  const Folder folder;
  const Ran png = command({"render", kLesson, "--out", folder.path("a.png"), "--size", "800x500"});
  INFO(png.err);
  CHECK(png.status == 0);
  const auto pixels = render::readPng(folder.path("a.png"));
  REQUIRE(pixels);
  CHECK(pixels->extent == gpu::Extent{800, 500});
  CHECK(readText(folder.path("a.png")).find("Separatrix-Recipe") != std::string::npos);

  // The same figure, with the requested size in points and without texts for the user interface.
  CHECK(command({"render", kLesson, "--out", folder.path("a.svg"), "--size", "700x500", "--scale", "2"}).status == 0);
  const std::string svg = readText(folder.path("a.svg"));
  CHECK(svg.find("width=\"700pt\" height=\"500pt\"") != std::string::npos);
  CHECK(svg.find("double-click") == std::string::npos);
  for (const char* verb : {"render", "play"}) {
    const std::string help = command({verb, "--help"}).out;
    for (const char* flag : {"--size", "--scale", "--theme"})
      CHECK(help.find(flag) != std::string::npos);
  }
  requireRefused({"render", kLesson, "--out", folder.path("a.jpg")}, 2, ".svg");
  requireRefused({"render", kLesson, "--out", folder.path("a.svg"), "--preset", "poster"}, 2, "single-column");
  requireRefused({"render", kLesson, "--out", folder.path("a.svg"), "--pane", "5"}, 2, "--pane");
  requireRefused({"render", kLesson, "--out", folder.path("a.svg"), "--text-size", "1,5"}, 2, "--text-size");
  requireRefused({"render", kLesson, "--out", "/dev/null/folder/a.png"}, 6, "/dev/null/folder/a.png");
  requireRefused({"render", folder.path("missing.sepx"), "--out", folder.path("b.png")}, 3, "missing.sepx");
  writeText(folder.path("broken.sepx"), "{\"version\":");
  requireRefused({"render", folder.path("broken.sepx"), "--out", folder.path("b.png")}, 3, "broken.sepx");
  CHECK_FALSE(std::filesystem::exists(folder.path("b.png")));
}

TEST_CASE("The export of a script is the same figure as that of render, byte for byte") {
  const Folder folder;
  writeText(folder.path("s"),
            "script 1\nset flow.p 0.4\nadd point 0.3,0.2\nwait settled\nsave a.sepx\nexport a.png\nexport a.svg\n"
            "export a.pdf\nexport a.csv\nexport a.paths.csv\nexport a.npz\nshot window.png\n");
  REQUIRE(command({"play", folder.path("s"), "--size", "640x400", "--out-dir", folder.path("")}).status == 0);
  for (const char* ending : {".png", ".svg", ".pdf", ".csv", ".paths.csv", ".npz"}) {
    INFO(ending);
    const std::string a = folder.path(std::string("a") + ending), b = folder.path(std::string("b") + ending);
    const Ran ran = command({"render", folder.path("a.sepx"), "--size", "640x400", "--out", b});
    INFO(ran.err);
    REQUIRE(ran.status == 0);
    CHECK((readText(a) == readText(b)));
    if (std::string(ending).find('c') != std::string::npos || std::string(ending) == ".npz") continue;
    // A figure also contains its state and can be rendered again.
    const std::string again = folder.path(std::string("again") + ending);
    REQUIRE(command({"render", a, "--out", again}).status == 0);
    CHECK((readText(again) == readText(a)));
  }
  CHECK(readText(folder.path("a.png")) != readText(folder.path("window.png")));
}

TEST_CASE("render does not replace the session or the files that the session reads") {
  const Folder folder;
  writeText(folder.path("s.sepx"), R"({"version": 1, "weights": {"checkpoint": "model.npz"}})");
  writeText(folder.path("model.npz"), "weights");
  requireRefused({"render", folder.path("s.sepx"), "--out", folder.path("model.npz")}, 2, "would be replaced");
  requireRefused({"render", folder.path("s.sepx"), "--out", folder.path("s.sepx")}, 2, "would be replaced");
  CHECK(readText(folder.path("model.npz")) == "weights");
}

TEST_CASE("A preset has its size on paper, and flags take precedence") {
  const Folder folder;
  const auto rendered = [&](std::vector<std::string> flags) {
    std::vector<std::string> all{"render", kLesson, "--out", folder.path("p.svg")};
    all.insert(all.end(), flags.begin(), flags.end());
    const Ran ran = command(all);
    INFO(ran.err);
    REQUIRE(ran.status == 0);
    return readText(folder.path("p.svg"));
  };
  CHECK(rendered({"--preset", "single-column"}).find("width=\"249.449pt\"") != std::string::npos);
  CHECK(rendered({"--preset", "double-column", "--size", "500x300"}).find("width=\"500pt\"") != std::string::npos);
  CHECK(command({"render", kLesson, "--out", folder.path("p.png"), "--size", "2400x1600", "--scale", "8"}).status == 0);
  const auto fine = render::readPng(folder.path("p.png"));
  REQUIRE(fine);
  CHECK(fine->extent == gpu::Extent{2400, 1600});
  requireRefused({"render", kLesson, "--out", folder.path("p.png"), "--scale", "21"}, 2, "20");
  requireRefused({"play", kLesson, "--scale", "8"}, 2, "4");
  CHECK(rendered({"--no-caption"}).find("data-layer=\"caption\"") == std::string::npos);
  CHECK(rendered({"--title", "Basins"}).find("<title>Basins</title>") != std::string::npos);
}

TEST_CASE("Ctrl-C during the frames of a film leaves no file and ends with status 5") {
  const Folder folder;
  writeText(folder.path("s"), "script 1\nadd point 0.3,0.2\nsave a.sepx\n");
  REQUIRE(command({"play", folder.path("s"), "--size", "320x240", "--out-dir", folder.path("")}).status == 0);
  const std::string out = folder.path("long/");
  const int status =
      std::system(("timeout --preserve-status -s INT 2 '" + tests::binFolder() + "/sepx' render " +
                   folder.path("a.sepx") + " --size 320x240 --seconds 3000 --out " + out + " 2>/dev/null; test $? = 5")
                      .c_str());
  CHECK(status == 0);
  std::size_t left = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("")))
    left += entry.path().filename().string().find("long") != std::string::npos ? 1 : 0;
  CHECK(left == 0);
}

TEST_CASE("The flags of the window programs work without a verb") {
  const Folder folder;
  CHECK(command({"--shot", folder.path("first.png"), "--size", "640x360"}).status == 0);
  CHECK(render::readPng(folder.path("first.png")));
  writeText(folder.path("s"), "script 1\nexpect flow.p == 0.5\n");
  CHECK(command({"--script", folder.path("s")}).status == 0);
}

TEST_CASE("Without a Vulkan driver pictures are refused with a message that says what to install") {
  const Folder folder;
  const NoVulkanDriver none;
  writeText(folder.path("s"), "script 1\n");
  requireRefused({"play", folder.path("s")}, 4, "install");
  requireRefused({"render", kLesson, "--out", folder.path("a.png")}, 4, "install");
  // Vector graphics and numbers need no driver.
  CHECK(command({"render", kLesson, "--out", folder.path("a.svg")}).status == 0);
}
