// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "engine/core/file.h"
#include "tests/engine/core/no_threads.h"
#include "tests/patience.h"
#include "tests/ui/workbench/parts.h"
#include "ui/document/json_text.h"
#include "ui/workbench/settings.h"

using namespace sepx;
using namespace sepx::ui;
namespace fs = std::filesystem;

namespace {

/// Temporary folders that are removed at the end.
struct Folders {
  fs::path root = fs::temp_directory_path() / ("sepx_settings_" + std::to_string(getpid()));
  Folders() { fs::remove_all(root); }
  ~Folders() { fs::remove_all(root); }
  std::string config() const { return (root / "a/config").string(); }
  std::string state() const { return (root / "b/state").string(); }
  std::string settingsFile() const { return config() + "/settings.json"; }
  std::string recentFile() const { return state() + "/recent.json"; }
  Settings settings() const { return {config(), state()}; }
  void write(const std::string& path, const std::string& content) const {
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << content;
  }
};

Json read(const std::string& path) {
  return parseJson(readFile(path).value()).value();
}

}  // namespace

TEST_CASE("Settings are stored and read back", "[settings]") {
  const Folders folders;
  {
    Settings settings = folders.settings();
    CHECK(settings.problem().empty());
    CHECK(settings.get("settings.theme") == Value("dark"));
    CHECK(settings.get("settings.autosave") == Value(1.0));
    const auto before = settings.revision();
    REQUIRE(settings.set("settings.theme", Value("light")));
    REQUIRE(settings.set("settings.scale", Value("1.5")));
    CHECK(settings.revision() == before + 2);
    REQUIRE(settings.set("settings.scale", Value(1.5)));
    CHECK(settings.revision() == before + 2);  // nothing changed
    CHECK(settings.set("settings.scale", Value(7.0)).error().kind == ErrorKind::Usage);
    CHECK(settings.set("settings.colour", Value("red")).error().kind == ErrorKind::Usage);
    settings.keep("window", "1280x720");
  }
  const Settings again = folders.settings();
  CHECK(again.problem().empty());
  CHECK(again.get("settings.theme") == Value("light"));
  CHECK(again.get("settings.scale") == Value(1.5));
  CHECK(again.kept("window") == "1280x720");
  CHECK(again.kept("other").empty());
}

TEST_CASE("Fields of other versions are kept", "[settings]") {
  const Folders folders;
  folders.write(folders.settingsFile(),
                R"({"version":7,"settings":{"theme":"solarized","scale":2,"voice":"low"},"future":{"a":[1]}})");
  Settings settings = folders.settings();
  CHECK(settings.get("settings.theme") == Value("dark"));
  CHECK(settings.get("settings.scale") == Value(2.0));
  CHECK_THAT(settings.problem(), Catch::Contains("solarized"));
  REQUIRE(settings.set("settings.autosave", Value(5.0)));
  settings.flush();
  CHECK(read(folders.settingsFile()) == Json::parse(R"({"version":7,"future":{"a":[1]},
    "settings":{"theme":"solarized","scale":2,"voice":"low","autosave":5.0}})"));
}

TEST_CASE("An unreadable settings file gives a message and is kept under another name", "[settings]") {
  const Folders folders;
  const std::string whole = R"({"version":1,"settings":{"theme":"light"}})";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    folders.write(folders.settingsFile(), whole.substr(0, length));
    Settings settings = folders.settings();
    CHECK_THAT(settings.problem(), Catch::Contains(folders.settingsFile()));
    CHECK(settings.problem().find('\n') == std::string::npos);
    CHECK(readFile(folders.settingsFile() + ".unreadable").value() == whole.substr(0, length));
    CHECK(settings.get("settings.theme") == Value("dark"));
    REQUIRE(settings.set("settings.theme", Value("light")));
    settings.flush();
    CHECK(folders.settings().get("settings.theme") == Value("light"));
  }
  for (const char* strange : {"[1]", "7", R"({"settings":3})", R"({"settings":{"theme":4,"scale":"NaN"}})",
                              R"({"settings":{"scale":1e999}})", R"({"version":"x"})"}) {
    CAPTURE(strange);
    folders.write(folders.settingsFile(), strange);
    Settings settings = folders.settings();
    CHECK(settings.get("settings.theme") == Value("dark"));
    CHECK(settings.get("settings.scale") == Value(1.0));
    REQUIRE(settings.set("settings.theme", Value("light")));
    settings.flush();
    CHECK(folders.settings().get("settings.theme") == Value("light"));
  }
}

TEST_CASE("Two programs do not overwrite each other's settings", "[settings]") {
  const Folders folders;
  Settings one = folders.settings(), other = folders.settings();
  REQUIRE(one.set("settings.theme", Value("light")));
  one.flush();
  REQUIRE(other.set("settings.scale", Value(2.0)));
  other.flush();
  const Settings third = folders.settings();
  CHECK(third.get("settings.theme") == Value("light"));
  CHECK(third.get("settings.scale") == Value(2.0));
}

TEST_CASE("Changes do not wait for the disk, and all of them are written at the end", "[settings]") {
  const Folders folders;
  std::atomic<int> woken{0};
  test::Hold hold;
  hold.on = true;
  {
    Settings settings(folders.config(), folders.state(), [&] {
      ++woken;
      hold.wait();
    });
    REQUIRE(settings.set("settings.theme", Value("light")));
    settings.keep("window", "1280x720");
    CHECK(tests::eventually([&woken] { return woken == 2; }));  // both files are written; the threads are blocked
    REQUIRE(settings.set("settings.scale", Value(2.0)));
    REQUIRE(settings.set("settings.autosave", Value(5.0)));
    settings.keep("other", "7");
    CHECK(folders.settings().get("settings.theme") == Value("light"));
    CHECK(folders.settings().get("settings.scale") == Value(1.0));
    CHECK(folders.settings().kept("window") == "1280x720");
    CHECK(folders.settings().kept("other").empty());
    CHECK(hold.on);
    hold.on = false;
  }
  const Settings again = folders.settings();
  CHECK(again.get("settings.theme") == Value("light"));
  CHECK(again.get("settings.scale") == Value(2.0));
  CHECK(again.get("settings.autosave") == Value(5.0));
  CHECK(again.kept("window") == "1280x720");
  CHECK(again.kept("other") == "7");
}

TEST_CASE("Changes that another program makes before a write begins are kept", "[settings]") {
  const Folders folders;
  std::atomic<int> woken{0};
  test::Hold hold;
  hold.on = true;
  Settings settings(folders.config(), folders.state(), [&] {
    ++woken;
    hold.wait();
  });
  REQUIRE(settings.set("settings.theme", Value("light")));
  settings.keep("window", "1280x720");
  REQUIRE(tests::eventually([&woken] { return woken == 2; }));
  REQUIRE(settings.set("settings.scale", Value(2.0)));  // both wait for the blocked threads
  settings.keep("window", "1920x1080");
  Settings other = folders.settings();
  REQUIRE(other.set("settings.autosave", Value(5.0)));
  REQUIRE(other.set("settings.theme", Value("dark")));
  other.keep("other", "7");
  other.flush();
  CHECK(hold.on);
  hold.on = false;
  settings.flush();
  const Settings again = folders.settings();
  CHECK(again.get("settings.autosave") == Value(5.0));
  CHECK(again.get("settings.theme") == Value("dark"));
  CHECK(again.get("settings.scale") == Value(2.0));
  CHECK(again.kept("other") == "7");
  CHECK(again.kept("window") == "1920x1080");
  CHECK(settings.kept("other") == "7");  // the file is shared by all programs
}

TEST_CASE("If the system refuses to start a thread, a change is written at once", "[settings]") {
  const Folders folders;
  Settings settings = folders.settings();
  {
    const test::NoThreads none;
    if (!none.holds()) {
      WARN("skipped: nothing holds this program to a limit of memory");
      return;
    }
    REQUIRE(settings.set("settings.theme", Value("light")));
    settings.keep("window", "1280x720");
    CHECK(settings.takeSaveFailure().empty());
  }
  CHECK(folders.settings().get("settings.theme") == Value("light"));
  CHECK(folders.settings().kept("window") == "1280x720");
}

TEST_CASE("If settings cannot be written, they last until the program ends", "[settings]") {
  const Folders folders;
  const fs::path obstacle = folders.root / "a";
  folders.write(obstacle.string(), "a file where a folder should be");
  Settings settings = folders.settings();
  CHECK(settings.problem().empty());
  REQUIRE(settings.set("settings.theme", Value("light")));
  settings.flush();
  CHECK_THAT(settings.takeSaveFailure(),
             Catch::Contains(obstacle.string()) && Catch::Contains("until the program ends"));
  CHECK(settings.takeSaveFailure().empty());  // reported once
  CHECK_THAT(settings.saveFailure(), Catch::Contains("until the program ends"));
  CHECK(settings.get("settings.theme") == Value("light"));
  REQUIRE(settings.set("settings.figure.theme", Value("dark"), OnFailure::Ignore));
  settings.flush();
  CHECK(settings.takeSaveFailure().empty());  // the user did not ask to store this value
  REQUIRE(settings.set("settings.autosave", Value(5.0)));
  settings.flush();
  REQUIRE(settings.set("settings.figure.caption", Value(false), OnFailure::Ignore));
  settings.flush();
  CHECK_THAT(settings.takeSaveFailure(), Catch::Contains(obstacle.string()));  // for the earlier change
  // As soon as the folder can be created, all values are written.
  fs::remove(obstacle);
  REQUIRE(settings.set("settings.scale", Value(2.0)));
  settings.flush();
  CHECK(settings.takeSaveFailure().empty());
  CHECK(settings.saveFailure().empty());
  const Settings again = folders.settings();
  CHECK(again.get("settings.theme") == Value("light"));
  CHECK(again.get("settings.figure.theme") == Value("dark"));
  CHECK(again.get("settings.autosave") == Value(5.0));
  CHECK(again.get("settings.scale") == Value(2.0));

  Settings nowhere{"", ""};
  REQUIRE(nowhere.set("settings.theme", Value("light")));
  nowhere.opened({"/tmp", "t", "folder"});
  CHECK(nowhere.get("settings.theme") == Value("light"));
  CHECK(nowhere.recent().size() == 1);
}

TEST_CASE("If recent files cannot be written, the list lasts until the program ends", "[settings]") {
  const Folders folders;
  const fs::path obstacle = folders.root / "b";
  folders.write(obstacle.string(), "a file where a folder should be");
  Settings settings = folders.settings();
  const auto open = [&](const std::string& name) {
    const std::string path = (folders.root / name).string();
    folders.write(path, "x");
    settings.opened({path, name, "session"});
    settings.flush();
  };
  open("a.sepx");
  settings.keep("window", "1280x720");
  settings.flush();
  open("b.sepx");
  REQUIRE(settings.recent().size() == 2);
  CHECK(settings.recent()[0].title == "b.sepx");
  CHECK(settings.recent()[1].title == "a.sepx");
  CHECK(settings.kept("window") == "1280x720");
  CHECK(settings.takeSaveFailure().empty());  // the user did not ask to store these values
  settings.clearRecent();
  open("c.sepx");
  CHECK_THAT(settings.takeSaveFailure(), Catch::Contains(obstacle.string()));  // the list could not be cleared
  CHECK(settings.takeSaveFailure().empty());
  REQUIRE(settings.recent().size() == 1);
  CHECK(settings.recent()[0].title == "c.sepx");
  fs::remove(obstacle);
  open("d.sepx");
  CHECK(folders.settings().recent().size() == 2);
  CHECK(folders.settings().kept("window") == "1280x720");
  // A file that was damaged in the meantime is written again with all known values.
  folders.write(folders.recentFile(), "{");
  open("e.sepx");
  CHECK(folders.settings().recent().size() == 3);
  CHECK(folders.settings().kept("window") == "1280x720");
}

TEST_CASE("The list of recent files has the latest first, each once, at most ten, without missing files",
          "[settings]") {
  const Folders folders;
  Settings settings = folders.settings();
  for (int i = 0; i < 14; ++i) {
    const std::string path = (folders.root / ("s" + std::to_string(i) + ".sepx")).string();
    folders.write(path, "x");
    settings.opened({path, "S" + std::to_string(i), "session"});
  }
  REQUIRE(settings.recent().size() == Settings::kRecent);
  CHECK(settings.recent().front().title == "S13");
  settings.opened({(folders.root / "x/../s7.sepx").string(), "seven", "session"});
  CHECK(settings.recent().front().title == "seven");
  CHECK(settings.recent().front().path == (folders.root / "s7.sepx").string());
  CHECK(settings.recent().size() == Settings::kRecent);
  fs::remove(folders.root / "s7.sepx");
  const auto latest = [](Settings& of) { return of.recent().front().title; };
  CHECK(tests::eventually([&] { return latest(settings) == "S13"; }));
  CHECK(settings.recent().size() == Settings::kRecent);
  settings.flush();
  Settings next = folders.settings();
  CHECK(tests::eventually([&] { return latest(next) == "S13"; }));
  const auto seen = settings.revision();
  folders.write((folders.root / "s7.sepx").string(), "x");
  CHECK(latest(settings) == "S13");  // this call starts a job
  CHECK(tests::eventually([&] { return settings.takeSaveFailure().empty() && settings.revision() == seen + 1; }));
  CHECK(latest(settings) == "seven");
  fs::remove(folders.root / "s7.sepx");
  CHECK(tests::eventually([&] { return latest(settings) == "S13"; }));

  // Files of another window are in the list too.
  Settings other = folders.settings();
  other.opened({(folders.root / "s0.sepx").string(), "zero", "session"});
  other.flush();
  const auto before = settings.revision();
  settings.opened({(folders.root / "s1.sepx").string(), "one", "session"});
  settings.flush();
  CHECK(settings.recent()[1].title == "zero");
  CHECK(settings.revision() == before + 2);  // its own change, and the change found in the file

  // A model opened by its folder and by its file has one entry; another file in the folder has its own.
  const std::string folder = (folders.root / "gpt2").string(), file = folder + "/model.safetensors";
  folders.write(file, "x");
  folders.write(folder + "/other.safetensors", "x");
  settings.opened({file, "gpt2", "checkpoint"});
  settings.opened({folder + "/other.safetensors", "other", "checkpoint"});
  settings.opened({folder, "gpt2", "checkpoint"});
  CHECK(settings.recent()[0].path == folder);
  CHECK(settings.recent()[1].title == "other");
  CHECK(settings.recent()[2].kind == "session");

  settings.clearRecent();
  CHECK(settings.recent().empty());
  settings.flush();
  CHECK(folders.settings().recent().empty());
  folders.write(folders.recentFile(), R"({"recent":[1,{"path":7},{"path":"relative"},{}],"kept":[2]})");
  Settings strange = folders.settings();
  CHECK(strange.recent().empty());
  strange.keep("a", "b");
  strange.flush();
  CHECK(folders.settings().kept("a") == "b");
}
