// SPDX-License-Identifier: Apache-2.0
// How ffmpeg is started: its arguments are passed literally, without a shell. A substitute program with this name is
// used.
#include "ui/workbench/film.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "tests/ui/workbench/figure_rig.h"

namespace {

using namespace sepx;
namespace fs = std::filesystem;

// First in PATH during its lifetime; records its arguments, one per line, and writes the film.
class Standin {
 public:
  explicit Standin(const std::string& folder) : noted_(folder + "/arguments") {
    const std::string program = folder + "/ffmpeg";
    REQUIRE(writeFile(program, "#!/bin/sh\nprintf '%s\\n' \"$@\" >'" + noted_ +
                                   "'\nfor last; do :; done\nexec cat >\"${last#file:}\"\n"));
    fs::permissions(program, fs::perms::owner_all);
    ::setenv("PATH", (folder + ":" + before_).c_str(), 1);
  }
  ~Standin() { ::setenv("PATH", before_.c_str(), 1); }
  std::string arguments() const { return readFile(noted_).value_or(""); }

 private:
  std::string noted_, before_ = std::getenv("PATH") ? std::getenv("PATH") : "";
};

}  // namespace

TEST_CASE("The name of a film is passed to ffmpeg as an argument, without a shell", "[figure]") {
  const test::Place place;
  const std::string folder = place.folder.string();
  const Standin ffmpeg(folder);
  const std::string name = "a $(touch hacked) `touch hacked`; touch hacked & \" ' -y.mp4";
  gpu::Pixels picture;
  picture.extent = {4, 2};
  picture.rgba.assign(std::size_t{4} * 4 * 2, 200);
  auto film = ui::Film::create({.path = folder + "/" + name,
                                .extent = picture.extent,
                                .framesPerSecond = 25,
                                .recipe = "{\"program\": \"$(touch hacked)\"}",
                                .waits = true});
  REQUIRE(film);
  REQUIRE((*film)->add(picture));
  REQUIRE((*film)->advance());
  REQUIRE((*film)->finish());
  CHECK(fs::file_size(folder + "/" + name) == picture.rgba.size());
  const std::string arguments = ffmpeg.arguments();
  INFO(arguments);
  CHECK(arguments.find("\nfile:" + folder + "/" + name + ".") != std::string::npos);
  CHECK(arguments.find("\n4x2\n") != std::string::npos);
  for (const std::string& where : {folder, fs::current_path().string()})
    CHECK_FALSE(fs::exists(where + "/hacked"));
}

TEST_CASE("Ending a film does not affect the next film with the same path", "[figure]") {
  const test::Place place;
  const Standin ffmpeg(place.folder.string());
  gpu::Pixels picture;
  picture.extent = {4, 2};
  picture.rgba.assign(std::size_t{4} * 4 * 2, 200);
  for (const std::string name : {"film/", "film.mp4"}) {
    INFO(name);
    const auto begin = [&] {
      auto film = ui::Film::create({.path = place.path(name), .extent = picture.extent, .recipe = "{}", .waits = true});
      REQUIRE(film);
      REQUIRE((*film)->add(picture));
      REQUIRE((*film)->advance());
      return std::move(*film);
    };
    auto first = begin();
    const auto second = begin();
    first.reset();
    REQUIRE(second->finish());
    CHECK(fs::exists(place.path(name == "film/" ? "film/frame-0001.png" : name)));
  }
  CHECK(place.names() == std::vector<std::string>{"arguments", "ffmpeg", "film", "film.mp4"});
}
