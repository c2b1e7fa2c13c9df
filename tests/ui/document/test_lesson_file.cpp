// SPDX-License-Identifier: Apache-2.0
// A lesson file contains a lesson and the files that its steps open. It is unpacked into the cache of the program.
#include "ui/document/lesson_file.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "engine/core/zip_file.h"
#include "tests/temporary_folder.h"

namespace sepx::ui {
namespace {

namespace fs = std::filesystem;

/// The cache folder of the test.
struct Cache {
  Cache() : before(std::getenv("XDG_CACHE_HOME") ? std::getenv("XDG_CACHE_HOME") : "") {
    setenv("XDG_CACHE_HOME", folder.path.c_str(), 1);
  }
  ~Cache() { before.empty() ? unsetenv("XDG_CACHE_HOME") : setenv("XDG_CACHE_HOME", before.c_str(), 1); }
  tests::TemporaryFolder folder;
  std::string before;
};

std::string lessonOf(const std::string& steps) {
  return "# Packed\n\n## One\n\n```steps\n" + steps + "```\n";
}

}  // namespace

TEST_CASE("A lesson is packed with the files and folders that it opens, and can be read again") {
  const Cache cache;
  const tests::TemporaryFolder folder;
  const std::string markdown =
      folder.file("lesson.md",
                  lessonOf("open model\nset weights.checkpoint other/a.safetensors\nset flow.field ew\nset flow.p 0.5\n"
                           "save own.sepx\nopen own.sepx\n"));
  folder.file("model/config.json", "{}");
  folder.file("model/deep/b.bin", "b");
  folder.file("other/a.safetensors", "a");
  folder.file("other/unused.bin", "c");
  folder.file("more.txt", "d");
  const auto names = packLesson(markdown, {folder / "more.txt"}, folder / "l.sepx-lesson", "");
  if (!names) FAIL(names.error().message);
  CHECK(*names == std::vector<std::string>{"lesson.md", "model/config.json", "model/deep/b.bin", "other/a.safetensors",
                                           "more.txt"});
  const auto lesson = readLessonFile(folder / "l.sepx-lesson");
  if (!lesson) FAIL(lesson.error().message);
  CHECK(lesson->title == "Packed");
  CHECK(isInFolder(lesson->name, cache.folder.path.string()));
  CHECK(fs::exists(fs::path(lesson->name).parent_path() / "model/deep/b.bin"));
  // A lesson file that was unpacked before is read from the cache.
  CHECK(readLessonFile(folder / "l.sepx-lesson")->name == lesson->name);
  CHECK(cache.folder.files("separatrix/lessons") == 1);
}

TEST_CASE("Every file of a line that sets several parameters is packed") {
  const tests::TemporaryFolder folder;
  const std::string markdown = folder.file(
      "lesson.md", lessonOf("set flow.p 0.5 weights.checkpoint a.safetensors weights.compare.checkpoint b/c.npz\n"));
  folder.file("a.safetensors", "a");
  folder.file("b/c.npz", "c");
  const auto names = packLesson(markdown, {}, folder / "l.sepx-lesson", "");
  if (!names) FAIL(names.error().message);
  CHECK(*names == std::vector<std::string>{"lesson.md", "a.safetensors", "b/c.npz"});
}

TEST_CASE("Folders with links to themselves are packed once, and a folder that is too deep or too large is refused") {
  const tests::TemporaryFolder folder;
  const auto packed = [&folder](const std::string& steps) {
    return packLesson(folder.file("lesson.md", lessonOf(steps)), {}, folder / "l.sepx-lesson", "");
  };
  const auto refusal = [&packed](const std::string& steps) {
    const auto names = packed(steps);
    return names ? std::string() : names.error().message;
  };
  folder.file("d/a.bin", "a");
  fs::create_directory_symlink(".", folder.path / "d/again");
  fs::create_directory_symlink("..", folder.path / "d/up");
  const auto names = packed("open d\nopen d\n");
  if (!names) FAIL(names.error().message);
  CHECK(*names == std::vector<std::string>{"lesson.md", "d/a.bin"});
  folder.file("1/2/3/4/5/6/7/8/a.bin", "a");
  CHECK(refusal("open 1\n").empty());
  folder.file("1/2/3/4/5/6/7/8/9/a.bin", "a");
  CHECK_THAT(refusal("open 1\n"), Catch::Contains("1/2/3/4/5/6/7/8/9: ") && Catch::Contains("8 folders"));
  for (int i = 0; i <= 500; ++i)
    folder.file(fmt::format("many/{}", i), "m");
  CHECK_THAT(refusal("open many\n"), Catch::Contains(folder.path.string() + ": ") && Catch::Contains("500 files"));
  for (int i = 0; i <= 500; ++i)
    fs::create_directories(folder.path / fmt::format("empty/{}", i));
  CHECK_THAT(refusal("open empty\n"), Catch::Contains("500 files or folders"));
}

TEST_CASE("The folder of an unpacked lesson file is named by the SHA-256 of its bytes") {
  const Cache cache;
  const tests::TemporaryFolder folder;
  const std::string path = folder / "l.sepx-lesson";
  REQUIRE(packZip({{"l.md", folder.file("l.md", lessonOf("set flow.p 0.5\n"))}}, path));
  const auto unpacked = unpackLesson(path);
  REQUIRE(unpacked);
  const std::string name = fs::path(*unpacked).parent_path().filename().string();
  CHECK(name.size() == 64);
  CHECK(std::ranges::all_of(name, [](unsigned char c) { return std::isxdigit(c) != 0; }));
}

TEST_CASE("A lesson file that is replaced while it is unpacked gives the content that was read") {
  const Cache cache;
  const tests::TemporaryFolder folder;
  const std::string path = folder / "l.sepx-lesson";
  std::map<std::string, std::string> titles;  // titles of the two lessons, by the folder that each is unpacked into
  for (const std::string title : {"First", "Second"}) {
    REQUIRE(packZip({{"l.md", folder.file("l.md", "# " + title + "\n\n## One\n")}}, folder / title));
    fs::copy_file(folder / title, path, fs::copy_options::overwrite_existing);
    const auto lesson = readLessonFile(path);
    REQUIRE(lesson);
    titles[lesson->name] = lesson->title;
  }
  REQUIRE(titles.size() == 2);
  std::atomic<bool> done = false;
  std::thread other([&] {
    for (int i = 0; !done; ++i) {
      fs::copy_file(folder / (i % 2 == 0 ? "First" : "Second"), folder / "next", fs::copy_options::overwrite_existing);
      fs::rename(folder / "next", path);
    }
  });
  std::string wrong;
  for (int i = 0; i < 100 && wrong.empty(); ++i) {
    fs::remove_all(cache.folder / "separatrix/lessons");
    const auto lesson = readLessonFile(path);
    if (!lesson) wrong = lesson.error().message;
    if (lesson && titles[lesson->name] != lesson->title) wrong = lesson->name + " is " + lesson->title;
  }
  done = true;
  other.join();
  CHECK(wrong == std::string());
}

TEST_CASE("Jobs that unpack the same lesson file at the same time all get the same folder") {
  const Cache cache;
  const tests::TemporaryFolder folder;
  std::vector<std::pair<std::string, std::string>> files{{"l.md", folder.file("l.md", lessonOf("set flow.p 0.5\n"))}};
  for (int i = 0; i < 60; ++i)
    files.emplace_back(fmt::format("d/{}", i), folder.file(fmt::format("d/{}", i), std::string(2000, 'd')));
  REQUIRE(packZip(files, folder / "l.sepx-lesson"));
  std::vector<std::string> answers(4);
  std::vector<std::thread> jobs;
  for (std::string& answer : answers)
    jobs.emplace_back([&answer, path = folder / "l.sepx-lesson"] {
      const auto unpacked = unpackLesson(path);
      answer = unpacked ? *unpacked : unpacked.error().message;
    });
  for (std::thread& job : jobs)
    job.join();
  for (const std::string& answer : answers) {
    CHECK(answer == answers.front());
    CHECK(fs::exists(answer));
  }
  CHECK(cache.folder.files("separatrix/lessons") == 1);
}

TEST_CASE("An error is reported if the folder of a lesson file cannot be created, and no temporary folder remains") {
  const Cache cache;
  const tests::TemporaryFolder folder;
  const std::string path = folder / "l.sepx-lesson";
  REQUIRE(packZip({{"l.md", folder.file("l.md", lessonOf("set flow.p 0.5\n"))}}, path));
  const auto unpacked = unpackLesson(path);
  REQUIRE(unpacked);
  // A file has the name of the folder.
  const fs::path place = fs::path(*unpacked).parent_path();
  fs::remove_all(place);
  std::ofstream(place) << "in the way";
  const auto refused = unpackLesson(path);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::OutputFailed);
  CHECK_THAT(refused.error().message, Catch::Contains(place.string()));
  CHECK(cache.folder.files("separatrix/lessons") == 1);
}

TEST_CASE("A lesson that opens a file outside its folder is not packed") {
  const tests::TemporaryFolder folder;
  folder.file("outside.safetensors", "x");
  const auto refused = [&folder](const std::string& steps) {
    const auto names =
        packLesson(folder.file("in/lesson.md", lessonOf(steps)), {}, folder / "l.sepx-lesson", folder / "assets");
    CHECK_FALSE(fs::exists(folder / "l.sepx-lesson"));
    return names ? std::string() : names.error().message;
  };
  CHECK_THAT(refused("open ../outside.safetensors\n"), Catch::Contains("outside the lesson's folder"));
  CHECK_THAT(refused("open /etc/passwd\n"), Catch::Contains("/etc/passwd"));
  CHECK_THAT(refused("open none.sepx\n"), Catch::Contains("no such file"));
  CHECK_THAT(refused("fly\n"), Catch::Contains("\"fly\""));
  // Files that ship with the program exist on every machine, so they are not packed.
  folder.file("assets/model.bin", "m");
  const auto names = packLesson(folder.file("in/lesson.md", lessonOf("open ../assets/model.bin\n")), {},
                                folder / "l.sepx-lesson", folder / "assets");
  REQUIRE(names);
  CHECK(names->size() == 1);
}

TEST_CASE("A file that does not contain exactly one lesson is refused, and nothing is unpacked") {
  const Cache cache;
  const tests::TemporaryFolder folder;
  const std::string path = folder / "l.sepx-lesson", one = folder.file("one.md", "# T\n");
  REQUIRE(packZip({{"one.md", one}, {"two.md", one}}, path));
  CHECK_THAT(readLessonFile(path).error().message, Catch::Contains("one .md"));
  REQUIRE(packZip({{"deep/one.md", one}}, path));
  CHECK_THAT(readLessonFile(path).error().message, Catch::Contains("one .md"));
  folder.file("l.sepx-lesson", "text");
  CHECK_THAT(readLessonFile(path).error().message, Catch::StartsWith(path) && Catch::Contains("not a zip"));
  CHECK_FALSE(readLessonFile(folder / "none.sepx-lesson"));
  CHECK(cache.folder.files("separatrix/lessons") == 0);
}

TEST_CASE("Whether a path lies in a folder is decided after links are followed") {
  const tests::TemporaryFolder folder;
  folder.file("in/a", "a");
  folder.file("inner/b", "b");
  fs::create_symlink(folder / "inner/b", folder / "in/link");
  CHECK(isInFolder(folder / "in/a", folder / "in"));
  CHECK(isInFolder(folder / "in/none", folder / "in"));
  CHECK(isInFolder(folder / "in/", folder / "in"));
  CHECK_FALSE(isInFolder(folder / "inner/b", folder / "in"));
  CHECK_FALSE(isInFolder(folder / "in/../inner/b", folder / "in"));
  CHECK_FALSE(isInFolder(folder / "in/link", folder / "in"));
  CHECK_FALSE(isInFolder(folder / "a", ""));
}

}  // namespace sepx::ui
