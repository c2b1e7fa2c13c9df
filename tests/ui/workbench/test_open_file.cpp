// SPDX-License-Identifier: Apache-2.0
// Any file may be dropped: how its kind is recognised, what opening it does, and that a file that cannot be opened
// gives one message and does not change the document.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "engine/render/png.h"
#include "engine/train/run_store.h"
#include "tests/engine/train/other_program.h"
#include "tests/folders.h"
#include "tests/open_watch.h"
#include "tests/temporary_folder.h"
#include "tests/ui/workbench/bench.h"
#include "tests/ui/workbench/file_desk.h"
#include "ui/document/json_text.h"
#include "ui/document/session.h"
#include "ui/workbench/file_kind.h"
#include "ui/workbench/open_file.h"
#include "ui/workbench/settings.h"
#include "ui/workbench/workbench.h"

using namespace sepx;
using namespace sepx::ui;
namespace fs = std::filesystem;

namespace {

using Folder = sepx::tests::TemporaryFolder;
using sepx::test::FileDesk;
using sepx::test::quietOptions;

std::string safetensors(const std::string& header) {
  std::string bytes(8, '\0');
  for (std::size_t i = 0; i < 8; ++i)
    bytes[i] = static_cast<char>((header.size() >> (8 * i)) & 0xff);
  return bytes + header + std::string(64, 'x');
}

const std::string kLessonText = "# A lesson\n\n## One\n\nText.\n\n```steps\nset flow.p 0.3\n```\n";
const std::string kTwoTensors =
    R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{}})";

FileKind kind(const std::string& path) {
  const auto found = kindOf(path);
  if (!found) FAIL(found.error().message);
  return *found;
}

}  // namespace

TEST_CASE("Files are recognised by their content, and by their name if the content is ambiguous", "[open]") {
  const Folder folder;
  CHECK(kind(folder.file("a.sepx", R"({"version":1})")) == FileKind::Session);
  CHECK(kind(folder.file("b.json", R"({"version":1,"flow":{}})")) == FileKind::Session);
  CHECK(kind(folder.file("c.json", R"({"version":1,"dependencies":{}})")) == FileKind::ForeignJson);
  CHECK(kind(folder.file("d.json", R"({"name":"x","version":"1.0.0","flow":1})")) == FileKind::ForeignJson);
  CHECK(kind(folder.file("e.json", R"([1,2)")) == FileKind::ForeignJson);
  CHECK(kind(folder.file("f.md", "words")) == FileKind::Lesson);
  CHECK(kind(folder.file("g.txt", kLessonText)) == FileKind::Lesson);
  CHECK(kind(folder.file("h.txt", "script 1\nset flow.p 0.5\n")) == FileKind::Script);
  CHECK(kind(folder.file("i.csv", "e,w\n1,2\n")) == FileKind::Numbers);
  CHECK(kind(folder.file("j.tsv", "")) == FileKind::Numbers);
  CHECK(kind(folder.file("k.dat", "0.1\t0.2\n0.3\t0.4\n")) == FileKind::Numbers);
  CHECK(kind(folder.file("l.txt", "Dear all,\nhow are you?\n")) == FileKind::Unknown);
  CHECK(kind(folder.file("m.safetensors", safetensors(kTwoTensors))) == FileKind::Checkpoint);
  CHECK(kind(folder.file("n", safetensors(kTwoTensors))) == FileKind::Checkpoint);
  CHECK(kind(folder.file("o.bin", std::string("PK\x03\x04") + std::string(26, '\0') + "archive/data.pkl")) ==
        FileKind::Checkpoint);
  CHECK(kind(folder.file("p.index.json", R"({"metadata":{},"weight_map":{"a":"1.safetensors"}})")) ==
        FileKind::Checkpoint);
  CHECK(kind(folder.file("q.bin", std::string(100, '\xff'))) == FileKind::Unknown);
  CHECK(kind(folder.file("r", "")) == FileKind::Unknown);
  folder.file("run/run.sqlite", "SQLite format 3");
  CHECK(kind(folder / "run") == FileKind::Run);
  folder.file("bert/config.json", "{}");
  CHECK(kind(folder / "bert") == FileKind::Folder);
  folder.file("bert/model.safetensors", "x");
  CHECK(kind(folder / "bert") == FileKind::Checkpoint);
  CHECK_FALSE(kindOf(folder / "absent"));
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_FALSE(kindOf(folder / "pipe"));  // kindOf() does not wait for a writer
  CHECK_FALSE(kindOf("/dev/zero"));

  gpu::Pixels pixels;
  pixels.extent = {2, 2};
  pixels.rgba.assign(16, 200);
  REQUIRE(render::writePng(pixels, folder / "plain.png", {}));
  CHECK(kind(folder / "plain.png") == FileKind::PlainPicture);
  Workbench workbench(quietOptions());
  REQUIRE(render::writePng(pixels, folder / "figure", {{"Separatrix-Recipe", workbench.recipe()}}));
  CHECK(kind(folder / "figure") == FileKind::Figure);
}

TEST_CASE("A file that a window cannot open gives one message that says what the file is", "[open]") {
  const Folder folder;
  FileDesk desk;
  CHECK_THAT(desk.refused(folder.file("a.script", "script 1\n")), Catch::Contains("sepx play"));
  CHECK_THAT(desk.refused(folder.file("m.safetensors", safetensors(kTwoTensors))), Catch::Contains("\"b\""));
  CHECK_THAT(desk.refused(folder.file("p.index.json", R"({"weight_map":{"a":"absent.safetensors"}})")),
             Catch::Contains("absent.safetensors"));
  folder.file("run/run.sqlite", "SQLite format 3");
  CHECK_THAT(desk.refused(folder / "run"), Catch::Contains("training run"));
  CHECK_THAT(desk.refused(tests::sourceFolder() + "/assets/configs/small-decoder.json"), Catch::Contains("sepx train"));
  folder.file("bert/config.json", "{}");
  folder.file("bert/pytorch_model.bin", "x");
  CHECK_THAT(desk.refused(folder / "bert"), Catch::Contains("pytorch_model.bin"));
  CHECK_THAT(desk.refused(folder.file("c.json", R"({"version":1,"dependencies":{}})")), Catch::Contains("JSON"));
  CHECK_THAT(desk.refused(folder.file("c2.sepx", R"({"version":1,"dependencies":{}})")), Catch::Contains("JSON"));
  CHECK_THAT(desk.refused(folder.file("d.json", "{\"a\":NaN}")), Catch::Contains("byte 5"));
  CHECK_THAT(desk.refused(folder.file("e.bin", std::string(100, '\xff'))), Catch::Contains(".sepx"));
  CHECK_THAT(desk.refused(folder.file("f.csv", "e,w\n1,2,3\n")), Catch::Contains("line 2"));
  CHECK_THAT(desk.refused(folder.file("g.md", "no steps")), Catch::Contains("g.md"));
  CHECK_THAT(desk.refused(folder.file("h.sepx", std::string("\x89PNG\r\n\x1a\n\0\0", 10))), Catch::Contains("h.sepx"));
  CHECK_THAT(desk.refused(folder / "absent"), !Catch::Contains("UTF-8"));
  // A file dialog gives this name for caf\xE9.sepx.
  CHECK_THAT(desk.refused(folder / "caf\xEF\xBF\xBD.sepx"), Catch::Contains("UTF-8"));
  folder.file("as\xEF\xBF\xBDit-is.sepx", "{");
  CHECK_THAT(desk.refused(folder / "as\xEF\xBF\xBDit-is.sepx"), !Catch::Contains("UTF-8"));
  fs::create_directory(folder.path / "empty");
  CHECK_THAT(desk.refused(folder / "empty"), Catch::Contains("no session"));
}

TEST_CASE("A run opens at its newest weights", "[open]") {
  const Folder folder;
  const fs::path model = fs::path(tests::sourceFolder()) / "assets/models/encoder";
  folder.file("run/run.sqlite", "SQLite format 3");
  for (const char* step : {"step-0000009", "step-0000120", "step-0000130.part"}) {
    const fs::path to = folder.path / "run/checkpoints" / step;
    fs::create_directories(to);
    for (const char* name : {"config.json", "model.safetensors"})
      fs::copy_file(model / name, to / name);
    fs::copy_file(model / "model.safetensors", to / "state.safetensors");
  }
  // The store of a run may be chosen in a file dialog.
  for (const char* chosen : {"run", "run/", "run/run.sqlite"}) {
    CAPTURE(chosen);
    Workbench workbench(quietOptions());
    REQUIRE(workbench.open(folder / chosen));
    const std::string session = sessionText(workbench.document());
    CHECK_THAT(session, Catch::Contains("step-0000120"));
    CHECK_THAT(session, Catch::Contains("weights"));
  }
  CHECK(kind(folder.file("other.sqlite", "SQLite format 3")) == FileKind::Unknown);
}

TEST_CASE("The store of a run is recognised without opening it, also while the run is trained here", "[open]") {
  const Folder folder;
  const std::string run = folder / "run", store = run + "/run.sqlite", log = store + "-wal", index = store + "-shm";
  const sepx::test::OtherProgram other([&run] { return sepx::test::stepOfRecord(run); });
  train::RunRecord record;
  record.config = "{}";
  const auto writer = train::RunWriter::create(run, record);
  REQUIRE(writer);
  REQUIRE((*writer)->append(1, {}));
  fs::create_symlink(store, folder / "link");
  FileDesk desk;
  {
    const tests::OpenWatch watch({store, log, index});
    for (const std::string& chosen : {run, store})
      CHECK(kind(chosen) == FileKind::Run);
    for (const std::string& beside : {log, index, folder / "link"})
      CHECK(kind(beside) == FileKind::Unknown);
    const auto opened = desk.workbench.open(store);
    REQUIRE_FALSE(opened);
    CHECK_THAT(opened.error().message, Catch::Contains("no weights yet"));
    CHECK_THAT(desk.refused(index), Catch::Contains("that can be opened here"));
    CHECK_FALSE(watch.opened());
  }
  // Opening and closing it here would release the locks; another program would then delete the log as the last user.
  CHECK(other.run() == 1);
  REQUIRE((*writer)->append(2, {}));
  CHECK(other.run() == 2);
}

TEST_CASE("A file that only has the name of a run's store gives a message that says what it is", "[open]") {
  const Folder folder;
  FileDesk desk;
  fs::create_directories(folder.path / "a");
  REQUIRE(::mkfifo((folder / "a/run.sqlite").c_str(), 0600) == 0);
  CHECK_THAT(desk.refused(folder / "a/run.sqlite"), Catch::Contains("not a regular file"));
  CHECK_THAT(desk.refused(folder / "b/run.sqlite"), Catch::Contains("No such file"));
}

TEST_CASE("An invalid session is refused as a whole", "[open]") {
  const Folder folder;
  FileDesk desk;
  const std::string name = "s.sepx";
  for (const char* text :
       {"", "null", "[]", R"({"version":0})", R"({"version":1,"flow":{"p":2}})", R"({"version":1,"flow":{"p":null}})",
        R"({"version":1,"flow":{"p":NaN}})", R"({"version":1,"flow":{"p":1e999}})", R"({"version":1,"flow":[]})",
        R"({"version":1,"flow":{"points":[{"e":"1"}]}})", R"({"version":1,"flow":{"points":{"e":1}}})",
        R"({"version":1,"flow":{"p":0.5,"p":0.6}})", R"({"version":1,"flow@2":{"q":-1}})",
        R"({"version":1,"exhibit":"no such"})", R"({"version":1,"panes":{"layout":"nine"}})"}) {
    CAPTURE(text);
    desk.refused(folder.file(name, text));
  }
  desk.refused(folder.file(name, "{\"version\":1,\"flow\":" + std::string(100'000, '[')));
  const std::string whole = sessionText(desk.workbench.document());
  // A session cut off anywhere before its last line break is refused.
  for (std::size_t length = 0; length + 2 < whole.size(); ++length)
    desk.refused(folder.file(name, whole.substr(0, length)));
  CHECK(desk.workbench.open(folder.file(name, whole)));
}

TEST_CASE("A session is saved with the same content, including unknown fields", "[open]") {
  const Folder folder;
  Workbench workbench(quietOptions());
  const std::string text = R"({"version":1,"exhibit":"flow","flow":{"p":0.4,"colour":"red","points":[{"e":1.5,"w":-2,
    "note":[1]}]},"flow@2":{"q":0.3,"mood":7},"later":{"x":null}})";
  REQUIRE(workbench.open(folder.file("a.sepx", text)));
  CHECK_FALSE(workbench.modified());
  REQUIRE(workbench.save(folder / "b.sepx"));
  REQUIRE(workbench.open(folder / "b.sepx"));
  REQUIRE(workbench.save(folder / "c.sepx"));
  CHECK(readFile(folder / "b.sepx").value() == readFile(folder / "c.sepx").value());
  const Json saved = parseJson(readFile(folder / "c.sepx").value()).value();
  CHECK(saved["flow"]["colour"] == "red");
  CHECK(saved["flow"]["points"][0]["note"][0] == 1);
  CHECK(saved["flow@2"]["mood"] == 7);
  CHECK(saved["later"].contains("x"));
}

TEST_CASE("A session of a newer version opens as far as possible and is not overwritten", "[open]") {
  const Folder folder;
  Workbench workbench(quietOptions());
  const std::string path = folder.file("n.sepx", R"({"version":9,"exhibit":"flow","flow":{"p":3,"q":0.25,"points":
    [{"e":"far","w":1},{"e":1,"w":2}],"show":7},"flow@2":{"p":[]},"panes":{"layout":"nine"},"later":1})");
  const std::string before = readFile(path).value();
  REQUIRE(workbench.open(path));
  CHECK(workbench.get("flow.p") == Value(0.5));  // out of range, so the default is used
  CHECK(workbench.get("flow.q") == Value(0.25));
  CHECK(workbench.get("flow.points[1].w") == Value(2.0));
  CHECK(workbench.get("panes.layout") == Value("one"));
  CHECK_THAT(workbench.readOnly(), Catch::Contains("newer"));
  REQUIRE_FALSE(workbench.messages().empty());
  const auto refused = workbench.save(path);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::CheckFailed);
  CHECK(readFile(path).value() == before);
  REQUIRE(workbench.save(folder / "copy.sepx"));
  CHECK(workbench.readOnly().empty());
  CHECK(parseJson(readFile(folder / "copy.sepx").value()).value()["later"] == 1);
  REQUIRE(workbench.save(folder / "copy.sepx"));
}

TEST_CASE("Fields that contradict each other get their defaults, and a message says so", "[open]") {
  const Folder folder;
  Workbench workbench(quietOptions());
  REQUIRE(workbench.open(folder.file("v.sepx", R"({"version":1,"flow":{"view":{"xMin":2,"xMax":-2,"yMin":-1,"yMax":1},
    "points":[{"e":1,"w":1}],"selected":99}})")));
  CHECK(workbench.get("flow.view.xMin") == Value(-2.0));
  CHECK(workbench.get("flow.view.xMax") == Value(2.0));
  CHECK(workbench.get("flow.view.yMax") == Value(1.0));
  CHECK(workbench.get("flow.selected") == Value(-1.0));
  REQUIRE(workbench.messages().size() == 1);
  CHECK_THAT(workbench.messages()[0].text, Catch::Contains("xMin"));
  CHECK_FALSE(workbench.modified());
}

TEST_CASE("An invalid cell of a table is reported with its row and column", "[open]") {
  const Folder folder;
  FileDesk desk;
  CHECK_THAT(desk.refused(folder.file("a.csv", "e,w\n0.1,0.2\n0.3,abc\n")),
             Catch::Contains("row 2, column w") && Catch::Contains("abc"));
  CHECK_THAT(desk.refused(folder.file("b.csv", "e,w\n0.1,0.2\n1e999,0.5\n0.1,0.1\n")),
             Catch::Contains("row 2, column e") && Catch::Contains("1e999"));
}

TEST_CASE("If two windows save the same session, the second is warned and may overwrite it", "[open]") {
  const Folder folder;
  const std::string path = folder.file("a.sepx", R"({"version":1,"flow":{"p":0.1}})");
  Workbench one(quietOptions()), other(quietOptions());
  REQUIRE(one.open(path));
  REQUIRE(other.open(path));
  REQUIRE(one.set("flow.p", 0.2));
  REQUIRE(other.set("flow.p", 0.3));
  REQUIRE(one.save(path));
  const auto refused = other.save((folder.path / "." / "a.sepx").string());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::CheckFailed);
  CHECK(other.modified());
  CHECK(readSession(path)->at("flow.p") == 0.2);
  REQUIRE(one.save(path));  // the first window continues
  REQUIRE(other.save(path, true));
  CHECK(readSession(path)->at("flow.p") == 0.3);
  CHECK_FALSE(one.save(path));
  fs::remove(path);
  REQUIRE(one.save(path));  // the file does not exist, so nothing is overwritten
}

TEST_CASE("A full disk gives an error message and leaves the old file", "[open]") {
  const Folder folder;
  Workbench workbench(quietOptions());
  REQUIRE(workbench.save(folder / "a.sepx"));
  const std::string before = readFile(folder / "a.sepx").value();
  for (int i = 0; i < 300; ++i)
    REQUIRE(workbench.addPoint({0.01 * i, -0.01 * i}));
  struct rlimit old {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &old) == 0);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = old;
  small.rlim_cur = 1000;
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const auto saved = workbench.save(folder / "a.sepx");
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, ignored);
  REQUIRE_FALSE(saved);
  CHECK(saved.error().kind == ErrorKind::OutputFailed);
  CHECK_THAT(saved.error().message, Catch::Contains(folder / "a.sepx"));
  CHECK(readFile(folder / "a.sepx").value() == before);
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
  CHECK(workbench.modified());
  REQUIRE(workbench.save(folder / "a.sepx"));
  CHECK_FALSE(workbench.modified());
}

TEST_CASE("A folder with one session or lesson opens it, and several are listed", "[open]") {
  const Folder folder;
  Workbench workbench(quietOptions());
  folder.file("one/a.sepx", R"({"version":1,"flow":{"p":0.15}})");
  folder.file("one/notes.txt", "hello");
  folder.file("one/README.md", "# Words\n\n## About\n\nNo lesson.\n");
  REQUIRE(workbench.open(folder / "one"));
  CHECK(workbench.get("flow.p") == Value(0.15));
  CHECK(workbench.path() == folder / "one/a.sepx");
  folder.file("one/b.md", kLessonText);
  const auto several = workbench.open(folder / "one");
  REQUIRE_FALSE(several);
  CHECK_THAT(several.error().message, Catch::Contains("a.sepx") && Catch::Contains("b.md"));
  CHECK(workbench.path() == folder / "one/a.sepx");
}

TEST_CASE("A text file is refused unless Training is shown, where it becomes training data", "[open]") {
  const Folder folder;
  Workbench workbench(quietOptions());
  const std::string text = folder.file("notes.txt", std::string(400, 'a') + "bc\n");
  const auto refused = workbench.open(text);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Catch::Contains("not one of the files that can be opened here"));
  REQUIRE(workbench.set("exhibit", std::string("training")));
  REQUIRE(workbench.open(text));
  CHECK(workbench.get("training.page") == Value(std::string("own")));
  CHECK(workbench.get("training.own.data.kind") == Value(std::string("text")));
  CHECK(workbench.get("training.own.data.path") == Value(text));
  const std::string table = folder.file("a.csv", "n,said\n1,yes and no\n2,never\n");
  REQUIRE(workbench.open(table));
  CHECK(workbench.get("training.own.data.path") == Value(table));
  CHECK(workbench.get("training.own.data.field") == Value(std::string("said")));
  const auto numbers = workbench.open(folder.file("b.csv", "x,y\n1,2\n3,4\n"));
  REQUIRE_FALSE(numbers);
  CHECK_THAT(numbers.error().message, Catch::Contains("no column contains text (x, y)"));
  CHECK(workbench.get("training.own.data.path") == Value(table));
}

TEST_CASE("A table of numbers is added in one undo step, also in a lesson", "[open]") {
  const Folder folder;
  Workbench workbench(quietOptions());
  REQUIRE(workbench.addPoint({0.1, 0.1}));
  const std::string table = folder.file("p.csv", "e,w\n0.5,0.25\n-0.5,1\n");
  REQUIRE(workbench.open(table));
  CHECK(workbench.get("flow.points[2].w") == Value(1.0));
  REQUIRE(workbench.undo());
  CHECK(workbench.document().at("flow.points").size() == 1);
  REQUIRE(workbench.open(folder.file("l.md", kLessonText)));
  REQUIRE(workbench.lesson());
  REQUIRE(workbench.open(table));
  CHECK(workbench.lesson());
  CHECK(workbench.document().at("flow.points").size() == 2);
  REQUIRE(workbench.undo());
}

TEST_CASE("A figure restores its state and seed as an unsaved session with the name of the figure", "[open]") {
  const Folder folder;
  WorkbenchOptions seeded = quietOptions();
  seeded.seed = 77;
  Workbench maker(seeded);
  REQUIRE(maker.addPoint({0.5, 0.5}));
  REQUIRE(maker.set("flow.q", 0.15));
  gpu::Pixels pixels;
  pixels.extent = {2, 2};
  pixels.rgba.assign(16, 200);
  REQUIRE(render::writePng(pixels, folder / "race.png", {{"Separatrix-Recipe", maker.recipe()}}));
  Workbench workbench(quietOptions());
  REQUIRE(workbench.open(folder / "race.png"));
  CHECK(workbench.document() == maker.document());
  CHECK(workbench.path().empty());
  CHECK_FALSE(workbench.modified());
  CHECK(workbench.recipe() == maker.recipe());
  HostFrame host;
  workbench.tick({320, 200}, host);
  CHECK(host.title == "race");
  // A saved session contains the seed too.
  REQUIRE(workbench.save(folder / "race.sepx"));
  Workbench again(quietOptions());
  REQUIRE(again.open(folder / "race.sepx"));
  CHECK(again.recipe() == maker.recipe());
  CHECK_FALSE(again.document().has("seed"));
  REQUIRE(again.run("file.new"));
  CHECK(parseJson(again.recipe()).value()["seed"] == 0);
}

TEST_CASE("After a kill the session is restored unsaved, with its old name", "[open]") {
  const Folder folder;
  WorkbenchOptions options = quietOptions();
  std::string taken;
  options.restored = [&taken](const std::string& file) { taken = file; };
  Workbench workbench(quietOptions());
  REQUIRE(workbench.set("flow.p", 0.15));
  REQUIRE(workbench.save(folder / "a.sepx"));
  REQUIRE(workbench.set("flow.p", 0.45));
  REQUIRE(writeSession(workbench.recoveryDocument(), folder / "auto.json"));
  Workbench next(options);
  REQUIRE(next.restore(folder / "auto.json"));
  CHECK(taken == folder / "auto.json");
  CHECK(next.get("flow.p") == Value(0.45));
  CHECK(next.path() == folder / "a.sepx");
  CHECK(next.modified());
  CHECK(next.document() == workbench.document());
  REQUIRE(next.save(folder / "a.sepx"));
  CHECK_FALSE(next.modified());
  // The session file was changed between the kill and the restore, so it must not be overwritten.
  REQUIRE(workbench.set("flow.p", 0.55));
  REQUIRE(writeSession(workbench.recoveryDocument(), folder / "auto2.json"));
  Workbench third(quietOptions());
  REQUIRE(third.restore(folder / "auto2.json"));
  CHECK(third.save(folder / "a.sepx").error().kind == ErrorKind::CheckFailed);
  CHECK_FALSE(third.restore(folder.file("broken.json", "{\"version\":1,")));
  CHECK(third.get("flow.p") == Value(0.55));
}

TEST_CASE("Opened and saved files are in the list of recent files, and files that failed to open are not", "[open]") {
  const Folder folder;
  Settings settings(folder / "config", folder / "state");
  Workbench workbench(quietOptions(&settings));
  REQUIRE(workbench.open(folder.file("a.sepx", R"({"version":1})")));
  CHECK_FALSE(workbench.open(folder.file("b.sepx", "{")));
  REQUIRE(workbench.open(folder.file("l.md", kLessonText)));
  REQUIRE(workbench.save(folder / "c.sepx"));
  const auto recent = settings.recent();
  REQUIRE(recent.size() == 3);
  CHECK(recent[0].path == folder / "c.sepx");
  CHECK(recent[1].kind == "lesson");
  CHECK(recent[1].title == "A lesson");
  CHECK(recent[2].kind == "session");
}

TEST_CASE("A session is shown completely in less than 300 ms", "[.][time][open]") {
  const Folder folder;
  {
    Workbench maker(quietOptions());
    for (int i = 0; i < 30; ++i)
      REQUIRE(maker.addPoint({0.05 * i - 0.7, 0.9 - 0.06 * i}));
    REQUIRE(maker.save(folder / "a.sepx"));
  }
  sepx::test::Bench bench({1280, 720});
  bench.settle();
  // Processor time of all threads, including the software renderer, so other programs do not count.
  const std::clock_t start = std::clock();
  REQUIRE(bench.workbench().open(folder / "a.sepx"));
  bench.settle();
  const double milliseconds = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  CAPTURE(milliseconds);
  CHECK(bench.workbench().document().at("flow.points").size() == 30);
  CHECK(milliseconds < 300);
}
