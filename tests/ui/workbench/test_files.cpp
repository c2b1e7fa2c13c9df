// SPDX-License-Identifier: Apache-2.0
// Opening, saving and recovering, without frames. The kinds of files are tested in test_open_file.cpp.
#include "ui/workbench/files.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "tests/engine/checkpoint/torch_makers.h"
#include "tests/folders.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/parts.h"
#include "ui/workbench/settings.h"

using namespace sepx;
using namespace sepx::ui;
using sepx::tests::TemporaryFolder;
using Live = sepx::test::Parts;

namespace {

WorkbenchOptions live() {
  WorkbenchOptions options = test::partOptions();
  options.scripted = false;
  return options;
}

std::string session(const TemporaryFolder& folder, const std::string& name, double p) {
  REQUIRE(writeSession(Document().with("flow.p", p), folder / name));
  return folder / name;
}

/// Runs frames until no file is being opened; returns their number.
int wait(Live& parts) {
  int frames = 0;
  for (; !parts.files.opening().empty() && !parts.files.openingRead(); ++frames) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    parts.files.update();
  }
  return frames;
}

/// Compressed weights that take some time to unpack.
std::string deflatedModel(const TemporaryFolder& folder) {
  namespace made = checkpoint::made;
  constexpr std::size_t kBytes = std::size_t{16} << 20;
  std::string data(kBytes, '\0');
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < kBytes; ++i)
    data[i] = static_cast<char>((state = state * 1664525u + 1013904223u) >> 26);  // packs quickly
  const auto rows = static_cast<std::int64_t>(kBytes / 4 / 1024);
  const std::string value = made::py::dict(
      {{"q.weight", made::py::tensor({.held = rows * 1024, .shape = {rows, 1024}, .strides = {1024, 1}})}});
  return folder.file("large.pt", made::torchZip(value, {{"0", data}}, true));
}

}  // namespace

TEST_CASE("A file that is opened in a window is read in a job while frames continue", "[files]") {
  const TemporaryFolder folder;
  Live parts(live());
  REQUIRE(parts.panes.set("flow.p", 0.35));
  const Document before = parts.document();
  const std::string model = deflatedModel(folder);
  parts.files.startOpening({model}, ApplyOpened::WhenRead);
  CHECK(parts.files.opening() == "large.pt");
  CHECK(parts.document() == before);
  const auto jobs = parts.jobs.list();
  REQUIRE(jobs.size() == 1);
  CHECK(jobs[0].name == "opening large.pt");
  CHECK(wait(parts) >= 3);
  CHECK(parts.files.opening().empty());
  CHECK(parts.document().at("weights.checkpoint") == model);
  CHECK(parts.window.history.undoSteps() == 2);
}

TEST_CASE("Cancelling the reading of a file changes nothing, and the job ends", "[files]") {
  const TemporaryFolder folder;
  Live parts(live());
  const std::string model = deflatedModel(folder);
  parts.files.startOpening({model}, ApplyOpened::WhenRead);
  SECTION("By cancelOpening()") {
    CHECK(parts.files.cancelOpening());
    CHECK_FALSE(parts.files.cancelOpening());
  }
  SECTION("By its job") {
    parts.jobs.cancel(parts.jobs.list().at(0).lane);
  }
  wait(parts);
  CHECK(parts.files.opening().empty());
  parts.jobs.finish();
  parts.files.update();
  CHECK(parts.document() == Document{});
  CHECK(parts.window.messages.empty());
}

TEST_CASE("The last requested file is the one that opens", "[files]") {
  const TemporaryFolder folder;
  Live parts(live());
  parts.files.startOpening({deflatedModel(folder)}, ApplyOpened::WhenRead);
  parts.files.startOpening({session(folder, "last.sepx", 0.25)}, ApplyOpened::WhenRead);
  CHECK(parts.files.opening() == "last.sepx");
  wait(parts);
  CHECK(parts.document().at("flow.p") == 0.25);
  CHECK(parts.files.path() == folder / "last.sepx");
  CHECK_FALSE(parts.document().has("weights"));
}

TEST_CASE("A file that cannot be opened gives one error message", "[files]") {
  const TemporaryFolder folder;
  Live parts(live());
  REQUIRE(parts.panes.set("flow.p", 0.35));
  const Document before = parts.document();
  parts.files.startOpening({folder / "gone.sepx"}, ApplyOpened::WhenRead);
  wait(parts);
  REQUIRE(parts.window.messages.size() == 1);
  CHECK(parts.window.messages[0].level == Message::Level::Error);
  CHECK_THAT(parts.window.messages[0].text, Catch::Contains("gone.sepx"));
  CHECK(parts.document() == before);
}

TEST_CASE("A host may ask before the document is replaced, but not before something is added to it", "[files]") {
  const TemporaryFolder folder;
  Live parts(live());
  const std::string path = session(folder, "other.sepx", 0.25);
  parts.files.startOpening({path}, ApplyOpened::WhenConfirmed);
  wait(parts);
  CHECK(std::exchange(parts.window.request, HostRequest::None) == HostRequest::ConfirmOpening);
  parts.files.update();  // a host that was busy is asked again
  CHECK(parts.window.request == HostRequest::ConfirmOpening);
  CHECK(parts.document() == Document{});
  SECTION("The user declines") {
    CHECK(parts.files.finishOpening(false));
    CHECK(parts.document() == Document{});
  }
  SECTION("The user agrees") {
    CHECK(parts.files.finishOpening(true));
    CHECK(parts.document().at("flow.p") == 0.25);
  }
  CHECK(parts.files.opening().empty());
  CHECK(parts.files.finishOpening(true).error().kind == ErrorKind::Usage);
  parts.window.request = HostRequest::None;
  parts.files.startOpening({folder.file("points.csv", "e,w\n0.5,-0.5\n")}, ApplyOpened::WhenConfirmed);
  wait(parts);
  CHECK(parts.window.request == HostRequest::None);
  CHECK(parts.document().at("flow.points").size() == 1);
}

TEST_CASE("Of several files one session is opened, then the files that add to it", "[files]") {
  const TemporaryFolder folder;
  Live parts(live());
  const std::string points = folder.file("points.csv", "e,w\n0.5,-0.5\n");
  parts.files.startOpening({points, session(folder, "a.sepx", 0.25), session(folder, "b.sepx", 0.75)},
                           ApplyOpened::WhenRead);
  wait(parts);
  CHECK(parts.document().at("flow.p") == 0.25);
  CHECK(parts.document().at("flow.points").size() == 1);
  REQUIRE(parts.window.messages.size() == 1);
  CHECK_THAT(parts.window.messages[0].text, Catch::Contains("b.sepx was not opened"));
}

TEST_CASE("In a script a file is open when the call returns", "[files]") {
  const TemporaryFolder folder;
  test::Parts parts;
  parts.files.startOpening({session(folder, "a.sepx", 0.25)}, ApplyOpened::WhenConfirmed);
  CHECK(parts.document().at("flow.p") == 0.25);
  CHECK(parts.jobs.list().empty());
}

TEST_CASE("A window knows its file, its title and whether there is unsaved work", "[files]") {
  const TemporaryFolder folder;
  Settings settings{"", ""};
  WorkbenchOptions options = test::partOptions();
  options.settings = &settings;
  test::Parts parts(options);
  CHECK(parts.files.title() == "Untitled");
  CHECK(parts.files.untouched());
  REQUIRE(parts.run("file.save"));
  CHECK(parts.window.request == HostRequest::SaveDialog);
  REQUIRE(parts.panes.set("flow.p", 0.35));
  CHECK(parts.files.modified());
  CHECK_FALSE(parts.files.untouched());
  REQUIRE(parts.files.save(folder / "work.sepx", false));
  CHECK(parts.files.title() == "work.sepx");
  CHECK_FALSE(parts.files.modified());
  CHECK(settings.recent().size() == 1);
  REQUIRE(parts.panes.set("flow.q", 0.65));
  REQUIRE(writeSession(parts.files.recoveryDocument(), folder / "recovery.json"));
  REQUIRE(parts.run("file.new"));
  CHECK(parts.files.untouched());
  REQUIRE(parts.files.restore(folder / "recovery.json"));
  CHECK(parts.document().at("flow.q") == 0.65);
  CHECK(parts.files.path() == folder / "work.sepx");
  CHECK(parts.files.modified());
}

TEST_CASE("Several models that are opened together are shown in one chart, and those beyond the limit are named",
          "[files]") {
  test::Parts parts;
  const std::string models = sepx::tests::sourceFolder() + "/assets/models/";
  const std::vector<std::string> all{models + "encoder", models + "decoder", models + "grouped"};
  (void)parts.files.startOpening(all, ApplyOpened::WhenRead);
  const auto at = [&parts](const char* key) {
    const Json& value = parts.document().at(key);
    return value.is_string() ? value.get<std::string>() : std::string();
  };
  CHECK(at("weights.checkpoint") == all[0]);
  CHECK(at("weights.compare.checkpoint") == all[1]);
  CHECK(at("weights.charts.other1") == all[2]);
  CHECK(at("weights.page") == "charts");
  CHECK(at("weights.charts.show") == "several");
  CHECK(parts.window.messages.empty());
  (void)parts.files.startOpening(std::vector<std::string>(7, models + "arm"), ApplyOpened::WhenRead);
  CHECK(at("weights.charts.other4") == models + "arm");
  REQUIRE(parts.window.messages.size() == 1);
  CHECK(parts.window.messages[0].text == "At most 6 models are shown side by side: arm was not opened.");
  (void)parts.files.startOpening({models + "mdm"}, ApplyOpened::WhenRead);
  CHECK(at("weights.checkpoint") == models + "mdm");
}
