// SPDX-License-Identifier: Apache-2.0
// Studio and stage over a real socket: states, keys, either side that ends and returns, and clients that send invalid
// data. No test waits for a fixed time; each waits for the expected event.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "app/presentation/stage_link.h"
#include "app/presentation/studio_link.h"
#include "engine/train/run_store.h"
#include "tests/patience.h"
#include "tests/temporary_folder.h"
#include "ui/document/json_text.h"
#include "ui/document/lesson_file.h"
#include "ui/document/session.h"

using namespace sepx;
using namespace sepx::app;
using tests::eventually;
using ui::Document;
using ui::Json;

namespace {

/// A new socket name for each case.
std::string freshSocket() {
  static const tests::TemporaryFolder folder;
  static int count = 0;
  return folder / ("stage-" + std::to_string(++count) + ".sock");
}

std::unique_ptr<StudioLink> studioAt(const std::string& path) {
  auto link = StudioLink::listen(path, {});
  INFO((link ? std::string() : link.error().message));
  REQUIRE(link);
  return std::move(*link);
}

std::unique_ptr<StageLink> stageAt(const std::string& path) {
  auto link = StageLink::follow(path, HelloMessage{.program = "test", .width = 800, .height = 600}, {});
  REQUIRE(link);
  return link;
}

template <class Link, class Kind>
typename Link::Event waitFor(Link& link, Kind kind) {
  std::optional<typename Link::Event> found;
  REQUIRE(eventually([&] {
    while (auto event = link.next())
      if (event->kind == kind) {
        found = std::move(event);
        return true;
      }
    return false;
  }));
  return *found;
}

/// Waits until the stage's document has this p.
bool arrives(StageLink& stage, double p) {
  return eventually([&] {
    stage.refresh();
    return stage.latest().shown.document.at("flow.p") == Json(p);
  });
}

ui::Presented showing(double p) {
  ui::Presented shown;
  shown.document = Document().with("flow.p", p).with("flow.q", 0.8);
  return shown;
}

/// Connects as a stage and sends `says`.
Descriptor strangerAt(const std::string& path, const std::string& says) {
  std::optional<Descriptor> socket;
  REQUIRE(eventually([&] { return (socket = connectTo(path)).has_value(); }));
  REQUIRE(::send(socket->get(), says.data(), says.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(says.size()));
  return std::move(*socket);
}

using Studio = StudioLink::Event::Kind;
using Stage = StageLink::Event::Kind;

}  // namespace

TEST_CASE("The stage gets the whole document, then its changes, and reports what it has drawn", "[presentation]") {
  const std::string path = freshSocket();
  const auto studio = studioAt(path);
  studio->show(showing(0.25), 1000);
  const auto stage = stageAt(path);
  CHECK(waitFor(*studio, Studio::Connected).hello.width == 800);
  REQUIRE(arrives(*stage, 0.25));
  const std::uint64_t first = stage->latest().number;
  stage->send(DrawnMessage{first, 3'000'001'000});
  const auto drawn = waitFor(*studio, Studio::Drawn);
  CHECK(drawn.number == first);
  CHECK(drawn.latency == Approx(3.0));
  for (int i = 1; i <= 50; ++i)
    studio->show(showing(0.01 * i), i);
  REQUIRE(arrives(*stage, 0.5));  // the newest state, even if states between were skipped
  CHECK(stage->latest().shown.document.at("flow.q") == Json(0.8));
  stage->send(KeyMessage{RemoteKey::Previous});
  CHECK(waitFor(*studio, Studio::Key).key == RemoteKey::Previous);
}

TEST_CASE("The socket and its folder belong to the user alone", "[presentation]") {
  const std::string path = freshSocket();
  const auto studio = studioAt(path);
  struct stat info {};
  REQUIRE(::stat(path.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
  // A second window of the same user gets an error.
  const auto second = StudioLink::listen(path, {});
  REQUIRE_FALSE(second);
  CHECK(second.error().message.find("another window") != std::string::npos);
  const auto where = presentationSocket();
  REQUIRE(where);
  REQUIRE(::stat(std::filesystem::path(*where).parent_path().c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0700);
}

TEST_CASE("A studio whose files were removed does not remove those of the next one", "[presentation]") {
  const std::string path = freshSocket();
  auto first = studioAt(path);
  REQUIRE(std::filesystem::remove(path));
  REQUIRE(std::filesystem::remove(studioLock(path)));
  const auto second = studioAt(path);
  first.reset();
  auto stage = stageAt(path);
  second->show(showing(0.25), 1);
  CHECK(arrives(*stage, 0.25));
}

TEST_CASE("Either side can end and return without affecting the other", "[presentation]") {
  const std::string path = freshSocket();
  auto stage = stageAt(path);  // started before the studio
  auto studio = studioAt(path);
  studio->show(showing(0.25), 1);
  REQUIRE(arrives(*stage, 0.25));
  CHECK(StudioLink::stageWaits(path));
  SECTION("the studio ends") {
    studio.reset();
    CHECK(waitFor(*stage, Stage::Disconnected).sentence.empty());
    CHECK(stage->latest().shown.document.at("flow.p") == Json(0.25));
    studio = studioAt(path);
    studio->show(showing(0.75), 1);
    REQUIRE(arrives(*stage, 0.75));
  }
  SECTION("the stage ends") {
    stage.reset();
    CHECK(waitFor(*studio, Studio::Disconnected).sentence.empty());
    CHECK(eventually([&] { return !StudioLink::stageWaits(path); }));
    studio->show(showing(0.75), 1);
    stage = stageAt(path);
    REQUIRE(arrives(*stage, 0.75));
  }
  SECTION("the studio asks the stage to end") {
    studio->endStage();
    studio.reset();
    waitFor(*stage, Stage::EndRequested);
  }
}

TEST_CASE("The stale socket of a killed program is taken over", "[presentation]") {
  const std::string path = freshSocket();
  { const auto left = listenAt(path); }
  CHECK(std::filesystem::exists(path));
  const auto studio = studioAt(path);
  const auto stage = stageAt(path);
  waitFor(*studio, Studio::Connected);
  CHECK_FALSE(listenAt(std::string(200, 'x')));
}

TEST_CASE("An invalid stage is disconnected with one message, and the next one is served", "[presentation]") {
  const std::string path = freshSocket();
  const auto studio = studioAt(path);
  studio->show(showing(0.25), 1);
  const std::string hello = framed(encode(HelloMessage{.program = "x"}));
  const auto [says, word] = GENERATE_COPY(table<std::string, std::string>(
      {{"GET / HTTP/1.1\r\n\r\n", "protocol"},
       {framed("{"), "JSON"},
       {framed(R"({"kind":"hello","version":1})"), "version 1"},
       {framed(R"({"kind":"drawn","number":1,"time":1})"), "protocol version"},
       {hello + framed(R"({"kind":"reboot"})"), "reboot"},
       {hello + std::string("sepx\xFF\xFF\xFF\x7F", 8), "limit"},
       {hello + framed(encode(StateMessage{.document = Json::object()})), "only a studio"}}));
  {
    const Descriptor stranger = strangerAt(path, says);
    const auto gone = waitFor(*studio, Studio::Disconnected);
    INFO(gone.sentence);
    if (word != "JSON") CHECK(gone.sentence.find(word) != std::string::npos);
    CHECK_FALSE(gone.sentence.empty());
  }
  const auto stage = stageAt(path);
  REQUIRE(arrives(*stage, 0.25));
}

TEST_CASE("A message that is truncated because the other side ends is reported", "[presentation]") {
  const std::string path = freshSocket();
  const auto studio = studioAt(path);
  const std::string hello = framed(encode(HelloMessage{.program = "x"}));
  {
    const Descriptor stranger = strangerAt(path, hello + framed("{}").substr(0, 9));
    waitFor(*studio, Studio::Connected);
  }
  CHECK(waitFor(*studio, Studio::Disconnected).sentence.find("cut short") != std::string::npos);
}

TEST_CASE("An invalid studio leaves the stage with its last picture and one message", "[presentation]") {
  const std::string path = freshSocket();
  const auto stage = stageAt(path);
  {
    const auto studio = studioAt(path);
    studio->show(showing(0.25), 1);
    REQUIRE(arrives(*stage, 0.25));
  }
  waitFor(*stage, Stage::Disconnected);
  const auto server = listenAt(path);
  REQUIRE(server);
  Descriptor client(::accept(server->get(), nullptr, nullptr));
  const std::string hello = framed(encode(HelloMessage{.program = "x"}));
  StateMessage changes;
  changes.changes = {{"flow.p", Json(0.9)}};
  const std::string says = GENERATE_COPY(std::string("nonsense"), hello + framed(encode(changes)),
                                         hello + framed(R"({"kind":"key","name":"next"})"));
  REQUIRE(::send(client.get(), says.data(), says.size(), MSG_NOSIGNAL) > 0);
  const auto gone = waitFor(*stage, Stage::Disconnected);
  CHECK_FALSE(gone.sentence.empty());
  stage->refresh();
  CHECK(stage->latest().shown.document.at("flow.p") == Json(0.25));
}

TEST_CASE("A document that is too large to be sent leaves the stage's picture, and the next one arrives",
          "[presentation]") {
  const std::string path = freshSocket();
  const auto studio = studioAt(path);
  const auto stage = stageAt(path);
  studio->show(showing(0.25), 1);
  REQUIRE(arrives(*stage, 0.25));
  ui::Presented large = showing(0.5);
  large.document = large.document.with("large", std::string(kMostMessageBytes, 'x'));
  studio->show(large, 1);
  CHECK(waitFor(*studio, Studio::NotSent).sentence.find("too large") != std::string::npos);
  studio->show(showing(0.75), 1);
  REQUIRE(arrives(*stage, 0.75));
  CHECK_FALSE(stage->latest().shown.document.has("large"));
}

namespace {

ui::Presented showingNested(double p, int levels) {
  Json nested = 1;
  for (int level = 0; level < levels; ++level)
    nested = Json::array({nested});
  ui::Presented shown = showing(p);
  shown.document = shown.document.with("nested", std::move(nested));
  return shown;
}

}  // namespace

TEST_CASE("A session with the deepest allowed nesting is shown on the stage", "[presentation]") {
  const std::string path = freshSocket();
  const auto studio = studioAt(path);
  const ui::Presented shown = showingNested(0.25, ui::kDeepestNesting - 1);
  REQUIRE(ui::parseSession(ui::sessionText(shown.document)));
  studio->show(shown, 1);
  const auto stage = stageAt(path);
  REQUIRE(arrives(*stage, 0.25));
  CHECK(stage->latest().shown.document == shown.document);
}

TEST_CASE("A document that a stage would refuse is not sent and is reported once, and the next one arrives",
          "[presentation]") {
  constexpr int kTooDeep = 100;
  const std::string path = freshSocket();
  const auto studio = studioAt(path);
  const bool connected = GENERATE(false, true);  // the whole document, or its changes
  studio->show(connected ? showing(0.25) : showingNested(0.25, kTooDeep), 1);
  const auto stage = stageAt(path);
  if (connected) {
    REQUIRE(arrives(*stage, 0.25));
    studio->show(showingNested(0.5, kTooDeep), 1);
  }
  CHECK(waitFor(*studio, Studio::NotSent).sentence.find("nested deeper") != std::string::npos);
  for (int i = 0; i < 20; ++i)
    studio->show(showingNested(0.01 * i, kTooDeep), 1);
  studio->show(showing(0.75), 1);
  REQUIRE(arrives(*stage, 0.75));
  CHECK_FALSE(stage->latest().shown.document.has("nested"));
  while (const auto event = studio->next())
    CHECK((event->kind != Studio::NotSent && event->kind != Studio::Disconnected));
}

TEST_CASE("A second stage on one socket does not affect the first", "[presentation]") {
  const std::string path = freshSocket();
  const auto studio = studioAt(path);
  const auto first = stageAt(path);
  waitFor(*studio, Studio::Connected);
  const auto second = stageAt(path);
  for (int i = 1; i <= 20; ++i)
    studio->show(showing(0.01 * i), i);
  REQUIRE(arrives(*first, 0.2));
  CHECK_FALSE(second->refresh());
}

namespace {

std::string lessonText(const std::string& title) {
  return "# " + title + "\n\n## One\n\nWords.\n";
}

/// The title of the stage's lesson in the state with this p, or the reason why it has none.
std::pair<std::string, std::string> lessonAt(StageLink& stage, double p) {
  REQUIRE(arrives(stage, p));
  const StageLink::State& latest = stage.latest();
  return {latest.lesson ? latest.lesson->title : std::string(), latest.lessonError};
}

/// Sets the folder in which lesson files are unpacked.
struct Cache {
  explicit Cache(const std::string& folder) {
    if (const char* const now = std::getenv("XDG_CACHE_HOME")) before = now;
    ::setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  }
  ~Cache() { before.empty() ? ::unsetenv("XDG_CACHE_HOME") : ::setenv("XDG_CACHE_HOME", before.c_str(), 1); }
  std::string before;
};

/// Reads the socket to the end.
std::string allOf(int socket) {
  std::string all, part(65536, '\0');
  pollfd end{socket, POLLIN, 0};
  for (;;) {
    ::poll(&end, 1, -1);
    const ssize_t got = ::recv(socket, part.data(), part.size(), 0);
    if (got <= 0) return all;
    all.append(part, 0, static_cast<std::size_t>(got));
  }
}

}  // namespace

TEST_CASE("The stage reads a changed lesson again, and reports why it cannot be read", "[presentation]") {
  const tests::TemporaryFolder folder;
  const std::string path = freshSocket();
  const auto studio = studioAt(path);
  const auto stage = stageAt(path);
  double p = 0;
  const auto show = [&](const std::string& lesson) {
    ui::Presented shown = showing(p += 0.01);
    shown.lesson = lesson;
    studio->show(shown, 1);
    return lessonAt(*stage, p);
  };
  const std::string file = folder.file("l.md", lessonText("First"));
  CHECK(show(file).first == "First");
  folder.file("l.md", lessonText("The second"));
  CHECK(show(file).first == "The second");
  std::filesystem::remove(file);
  CHECK(show(file) == std::pair<std::string, std::string>("The second", ""));  // it was read before and is kept
  const auto [title, why] = show(folder / "none.md");
  CHECK(title.empty());
  CHECK(why.find("none.md") != std::string::npos);
  folder.file("none.md", lessonText("Now it is"));
  CHECK(show(folder / "none.md") == std::pair<std::string, std::string>("Now it is", ""));
  CHECK(show({}) == std::pair<std::string, std::string>());
}

TEST_CASE("The stage reads a packed lesson", "[presentation]") {
  const tests::TemporaryFolder folder;
  const Cache cache(folder / "cache");
  const std::string path = freshSocket(), packed = folder / "l.sepx-lesson";
  REQUIRE(ui::packLesson(folder.file("l.md", lessonText("Packed")), {}, packed, folder / "assets"));
  const auto studio = studioAt(path);
  const auto stage = stageAt(path);
  ui::Presented shown = showing(0.5);
  shown.lesson = packed;
  studio->show(shown, 1);
  CHECK(lessonAt(*stage, 0.5) == std::pair<std::string, std::string>("Packed", ""));
}

TEST_CASE("A client that sends nothing is disconnected", "[presentation]") {
  const std::string path = freshSocket();
  const auto studio = studioAt(path);
  studio->show(showing(0.25), 1);
  const Descriptor silent = strangerAt(path, {});
  CHECK(waitFor(*studio, Studio::Disconnected).sentence.find("handshake") != std::string::npos);
  const auto stage = stageAt(path);
  REQUIRE(arrives(*stage, 0.25));
}

TEST_CASE("A window that was not drawn gets every key of a stage, and then its end", "[presentation]") {
  const std::string path = freshSocket();
  const auto studio = studioAt(path);
  std::string says = framed(encode(HelloMessage{.program = "x"}));
  for (int i = 0; i < 400; ++i)
    says += framed(encode(KeyMessage{RemoteKey::Next}));
  const Descriptor stage = strangerAt(path, says + framed(encode(GoodbyeMessage{})));
  allOf(stage.get());  // until the studio has closed the connection
  int keys = 0;
  REQUIRE(eventually([&] {
    while (const auto event = studio->next()) {
      keys += event->kind == Studio::Key ? 1 : 0;
      if (event->kind == Studio::Disconnected) return true;
    }
    return false;
  }));
  CHECK(keys == 400);
}

TEST_CASE("Reports of trainers arrive on the stage with the state that shows them", "[presentation]") {
  const std::string path = freshSocket();
  const auto studio = studioAt(path);
  const auto stage = stageAt(path);
  waitFor(*studio, Studio::Connected);
  const auto report = [](std::int64_t step) {
    auto made = std::make_shared<train::Snapshot>();
    made->step = step;
    made->steps = 100;
    for (std::int64_t i = 0; i <= step; ++i)
      made->metrics.push_back({i, train::metricId("loss"), -1, -1, 1.0 / static_cast<double>(i + 1)});
    return made;
  };
  ui::Presented shown = showing(0.5);
  shown.language = "zh_CN";
  for (std::int64_t step = 0; step < 50; ++step) {
    shown.live = {{"/runs/a", 1, report(step)}};
    studio->show(shown, step);
  }
  REQUIRE(eventually([&] {
    stage->refresh();
    const auto& live = stage->latest().shown.live;
    return live.size() == 1 && live.front().now->step == 49;
  }));
  CHECK(stage->latest().shown.live.front().now->metrics.size() == 50);  // also those of the skipped states
  CHECK(stage->latest().shown.language == "zh_CN");
  shown.live.clear();
  studio->show(shown, 50);
  REQUIRE(eventually([&] {
    stage->refresh();
    return stage->latest().shown.live.empty();
  }));
}

TEST_CASE("The goodbye arrives after a state that is being sent", "[presentation]") {
  const std::string path = freshSocket();
  auto studio = studioAt(path);
  const Descriptor stage = strangerAt(path, framed(encode(HelloMessage{.program = "x"})));
  waitFor(*studio, Studio::Connected);
  constexpr std::size_t kLarge = std::size_t{1} << 20;  // more than the buffer of a socket
  ui::Presented large = showing(0.5);
  large.document = large.document.with("large", std::string(kLarge, 'x'));
  studio->show(large, 1);
  REQUIRE(eventually([&] {  // the state is being sent
    std::string begun(4096, '\0');
    return ::recv(stage.get(), begun.data(), begun.size(), MSG_PEEK | MSG_DONTWAIT) == ssize_t(begun.size());
  }));
  studio->endStage();
  std::string heard;
  std::thread reader([&] { heard = allOf(stage.get()); });
  studio.reset();
  reader.join();
  const std::string goodbye = framed(encode(GoodbyeMessage{true}));
  REQUIRE(heard.size() > kLarge);
  CHECK(heard.substr(heard.size() - goodbye.size()) == goodbye);
}
