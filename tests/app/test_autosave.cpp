// SPDX-License-Identifier: Apache-2.0
// Unsaved work after the end of a window: a running window, a closed window, and a window that was killed at any
// moment. The killed program is this program, started again with a hidden case.
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "app/autosave.h"
#include "engine/core/file.h"
#include "engine/core/number.h"
#include "engine/core/random.h"
#include "tests/engine/core/no_threads.h"
#include "tests/temporary_folder.h"
#include "ui/document/session.h"
#include "ui/workbench/settings.h"

using namespace sepx;
using namespace sepx::app;
namespace fs = std::filesystem;

namespace {

constexpr const char* kCounter = "flow.gauss.seed";  // a field that takes whole numbers
constexpr double kDelay = 0.2;                       // seconds

using Clock = std::chrono::steady_clock;

double now() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

using Folder = sepx::tests::TemporaryFolder;

ui::WorkbenchOptions quiet() {
  ui::WorkbenchOptions options;
  options.scripted = true;
  options.threads = 1;
  return options;
}

double counter(const ui::Document& document) {
  const ui::Json& value = document.at(kCounter);
  return value.is_number() ? value.get<double>() : -1;
}

}  // namespace

TEST_CASE("The work of a running window is on disk, and is not offered to other windows", "[autosave]") {
  const Folder folder;
  ui::Workbench workbench(quiet());
  {
    Autosave autosave(folder / "auto");
    autosave.follow(workbench, kDelay);
    autosave.flush();
    CHECK(folder.files("auto") == 0);  // nothing was changed
    REQUIRE(workbench.set("flow.p", 0.25));
    autosave.follow(workbench, kDelay);
    autosave.flush();
    const auto kept = ui::readSessionFile(autosave.file());
    REQUIRE(kept);
    CHECK(kept->document.at("flow.p") == 0.25);
    CHECK(recoveryFiles(folder / "auto").empty());

    REQUIRE(workbench.save(folder / "a.sepx"));
    autosave.follow(workbench, kDelay);
    autosave.flush();
    CHECK_FALSE(fs::exists(autosave.file()));
    REQUIRE(workbench.undo());
    autosave.follow(workbench, kDelay);
    autosave.flush();
    CHECK(fs::exists(autosave.file()));
    // Off and on again.
    autosave.follow(workbench, 0);
    autosave.flush();
    CHECK_FALSE(fs::exists(autosave.file()));
    autosave.follow(workbench, kDelay);
    autosave.flush();
    CHECK(fs::exists(autosave.file()));
  }
  CHECK(folder.files("auto") == 0);  // the window was closed
}

TEST_CASE("A window that the system ends leaves its unsaved work, marked as ended by the system", "[autosave]") {
  const Folder folder;
  ui::Workbench workbench(quiet());
  {
    Autosave autosave(folder / "auto");
    autosave.keep(workbench);  // nothing was changed
  }
  CHECK(folder.files("auto") == 0);
  {
    Autosave autosave(folder / "auto");
    REQUIRE(workbench.set("flow.p", 0.25));
    autosave.keep(workbench);
    CHECK(recoveryFiles(folder / "auto").empty());  // the window still runs
  }
  const std::vector<RecoveryFile> left = recoveryFiles(folder / "auto");
  REQUIRE(left.size() == 1);
  CHECK(left[0].asked);
  ui::Workbench next(quiet());
  {
    Autosave autosave(folder / "auto");
    REQUIRE(next.restore(left[0].file));
    autosave.adopt(left[0].file);
    CHECK(next.document().at("flow.p") == 0.25);
    CHECK_FALSE(next.document().has("autosave"));
    autosave.follow(next, kDelay);
    autosave.flush();
  }
  CHECK(recoveryFiles(folder / "auto").empty());  // the user closed the window
}

TEST_CASE("Many changes cause few writes, and the last change is written", "[autosave]") {
  const Folder folder;
  ui::Workbench workbench(quiet());
  Autosave autosave(folder / "auto");
  std::vector<double> took;
  for (int i = 0; i < 200; ++i) {
    REQUIRE(workbench.set(kCounter, static_cast<double>(i)));
    const double before = now();
    autosave.follow(workbench, kDelay);
    took.push_back(now() - before);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  // A frame does not wait for the disk. The median is checked, because the machine may delay any single frame.
  std::nth_element(took.begin(), took.begin() + 100, took.end());
  CHECK(took[100] < 0.1);
  autosave.flush();
  CHECK(counter(ui::readSessionFile(autosave.file())->document) == 199);
}

TEST_CASE("A write error is reported with one message", "[autosave]") {
  const Folder folder;
  REQUIRE(writeFile(folder / "file", "no folder"));
  ui::Workbench workbench(quiet());
  Autosave autosave(folder / "file/auto");
  for (int i = 0; i < 5; ++i) {
    REQUIRE(workbench.set(kCounter, static_cast<double>(i)));
    autosave.follow(workbench, kDelay);
    autosave.flush();
  }
  autosave.follow(workbench, kDelay);
  REQUIRE(workbench.messages().size() == 1);
  CHECK_THAT(workbench.messages()[0].text, Catch::Contains(folder / "file"));
  CHECK(readFile(folder / "file").value() == "no folder");
}

TEST_CASE("A recovery file that a newer one continues is not offered, neither beside it nor after it", "[autosave]") {
  const Folder folder;
  {
    ui::Workbench workbench(quiet());
    Autosave autosave(folder / "auto");
    REQUIRE(workbench.set("flow.p", 0.25));
    autosave.keep(workbench);
  }
  const std::vector<RecoveryFile> first = recoveryFiles(folder / "auto");
  REQUIRE(first.size() == 1);
  const std::string older = first[0].file, content = readFile(older).value();
  {
    ui::Workbench next(quiet());
    Autosave autosave(folder / "auto");
    REQUIRE(next.restore(older));
    autosave.adopt(older);
    REQUIRE(next.set("flow.p", 0.75));
    autosave.keep(next);
  }
  // As if the program had been killed after it wrote its own file and before it removed the older one, while it was
  // writing a third.
  REQUIRE(writeFile(older, content));
  REQUIRE(writeFile(older + ".1-0.tmp", "{"));
  const std::vector<RecoveryFile> left = recoveryFiles(folder / "auto");
  REQUIRE(left.size() == 1);
  CHECK(ui::readSessionFile(left[0].file)->document.at("flow.p") == 0.75);
  CHECK_FALSE(fs::exists(older));
  CHECK_FALSE(fs::exists(older + ".1-0.tmp"));
  CHECK(folder.files("auto") == 2);  // the file and the lock that was taken
}

TEST_CASE("Other files in the folder are not recovery files", "[autosave]") {
  const Folder folder;
  fs::create_directories(folder.path / "auto/b.json");
  REQUIRE(writeFile(folder / "auto/a.json", "{"));
  REQUIRE(writeFile(folder / "auto/c.json", R"({"version":1,"flow":{"p":0.5}})"));
  REQUIRE(writeFile(folder / "auto/d.lock", ""));
  CHECK(recoveryFiles(folder / "auto").empty());
  CHECK_FALSE(fs::exists(folder.path / "auto/d.lock"));
  CHECK(fs::exists(folder.path / "auto/a.json"));  // not a file of this program, so it stays
  CHECK(recoveryFiles(folder / "nowhere").empty());
}

TEST_CASE("An exception that ends the window leaves its work, and that of an earlier window", "[autosave]") {
  const Folder folder;
  const auto endedBy = [&folder](ui::Workbench& workbench, const std::function<void(Autosave&)>& work) {
    try {
      Autosave autosave(folder / "auto");
      work(autosave);
      REQUIRE(workbench.modified());
      throw std::runtime_error("a frame failed");
    } catch (const std::runtime_error&) {
    }
  };
  ui::Workbench workbench(quiet());
  endedBy(workbench, [&](Autosave& autosave) {
    REQUIRE(workbench.set("flow.p", 0.25));
    autosave.follow(workbench, kDelay);
    autosave.flush();
    REQUIRE(workbench.set("flow.p", 0.75));
    constexpr double kLater = 3600;  // seconds, so it is not written before the exception
    autosave.follow(workbench, kLater);
  });
  const std::vector<RecoveryFile> left = recoveryFiles(folder / "auto");
  REQUIRE(left.size() == 1);
  CHECK(ui::readSessionFile(left[0].file)->document.at("flow.p") == 0.75);
  // The next window has adopted the file and has not written its own.
  ui::Workbench next(quiet());
  endedBy(next, [&](Autosave& autosave) {
    REQUIRE(next.restore(left[0].file));
    autosave.adopt(left[0].file);
  });
  REQUIRE(recoveryFiles(folder / "auto").size() == 1);
  CHECK(recoveryFiles(folder / "auto")[0].file == left[0].file);
  CHECK(fs::exists(left[0].file));
  // A window that closes normally while an exception is handled elsewhere removes its own file.
  ui::Workbench third(quiet());
  REQUIRE(discard(left[0]));
  try {
    throw std::runtime_error("handled");
  } catch (const std::runtime_error&) {
    Autosave autosave(folder / "auto");
    REQUIRE(third.set("flow.p", 0.5));
    autosave.follow(third, kDelay);
    autosave.flush();
  }
  CHECK(recoveryFiles(folder / "auto").empty());
}

TEST_CASE("If no thread can be started, this is reported once, and the work is written as soon as one can",
          "[autosave]") {
  const Folder folder;
  ui::Workbench workbench(quiet());
  Autosave autosave(folder / "auto");
  const auto kept = [&] {
    const auto session = ui::readSessionFile(autosave.file());
    return session ? counter(session->document) : -1;
  };
  {
    const test::NoThreads none;
    if (!none.holds()) {
      WARN("skipped: nothing holds this program to a limit of memory");
      return;
    }
    for (int i = 0; i < 3; ++i) {
      REQUIRE(workbench.set(kCounter, static_cast<double>(i)));
      REQUIRE_NOTHROW(autosave.follow(workbench, kDelay));
    }
    autosave.follow(workbench, kDelay);
    REQUIRE(workbench.messages().size() == 1);
    CHECK_THAT(workbench.messages()[0].text, Catch::Contains("thread"));
    // flush() does not wait forever: it writes the file in this thread.
    autosave.flush();
    CHECK(kept() == 2);
    REQUIRE(workbench.set(kCounter, 3.0));
    autosave.follow(workbench, kDelay);
    CHECK(kept() == 2);
  }
  autosave.follow(workbench, kDelay);
  autosave.flush();
  CHECK(kept() == 3);
}

// The killed process: restores the work of the previous one, then changes the document repeatedly and prints its
// progress.
TEST_CASE("A window works until it is killed", "[.worker]") {
  const char* const place = std::getenv("SEPX_TEST_FOLDER");
  REQUIRE(place);
  const std::string folder = place, session = folder + "/work.sepx";
  Autosave* keeper = nullptr;
  ui::WorkbenchOptions options = quiet();
  options.restored = [&keeper](const std::string& file) { keeper->adopt(file); };
  ui::Workbench workbench(std::move(options));
  Autosave autosave(folder + "/auto");
  keeper = &autosave;
  const auto left = recoveryFiles(folder + "/auto");
  if (!left.empty()) {
    REQUIRE(workbench.restore(left.front().file));
  } else if (fs::exists(session)) {
    REQUIRE(workbench.open(session));
  }
  RandomStream random(static_cast<std::uint64_t>(getpid()));
  double count = std::max(0.0, counter(workbench.document()));
  for (;;) {
    REQUIRE(workbench.set(kCounter, ++count));
    switch (random.below(40)) {
      case 0:
        REQUIRE(workbench.addPoint({random.uniform(-2, 2), random.uniform(-2, 2)}));
        break;
      case 1:
        if (random.below(4) == 0) REQUIRE(workbench.save(session, true));
        break;
      case 2:
        REQUIRE(workbench.set("panes.layout", random.below(2) ? "two" : "one"));
        break;
      default:
        REQUIRE(workbench.set("flow.p", random.uniform(0.1, 0.9), "drag"));
    }
    ui::HostFrame host;
    host.seconds = now();
    workbench.tick({160, 120}, host);
    autosave.follow(workbench, kDelay);
    fmt::print("{} {}\n", count, now());
    std::fflush(stdout);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
}

namespace {

struct Progress {
  double count = 0, time = 0;
};

/// Starts the worker, kills it after `seconds`, and returns its output.
std::vector<Progress> workUntilKilled(const Folder& folder, double seconds) {
  int pipeEnds[2];
  REQUIRE(::pipe(pipeEnds) == 0);
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipeEnds[1], STDOUT_FILENO);
    ::close(pipeEnds[0]);
    ::close(pipeEnds[1]);
    ::setenv("SEPX_TEST_FOLDER", folder.path.c_str(), 1);
    ::execl(program.c_str(), program.c_str(), "[.worker]", nullptr);
    ::_exit(127);
  }
  ::close(pipeEnds[1]);
  std::string said;
  std::thread reader([&said, end = pipeEnds[0]] {
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(end, buffer, sizeof buffer)) > 0;)
      said.append(buffer, static_cast<std::size_t>(got));
  });
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  reader.join();
  ::close(pipeEnds[0]);
  INFO(said);
  REQUIRE(WIFSIGNALED(status));  // it did not end by itself
  std::vector<Progress> progress;
  std::size_t at = said.find('\n') + 1;  // after the test framework's own line
  // The last line may be incomplete.
  for (std::size_t end; (end = said.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::size_t blank = said.find(' ', at);
    progress.push_back(
        {parseNumber(said.substr(at, blank - at)).value(), parseNumber(said.substr(blank, end - blank)).value()});
  }
  return progress;
}

/// The value that a start after the kill would show: that of the recovery file, otherwise that of the session.
double found(const Folder& folder) {
  const auto left = recoveryFiles(folder / "auto");
  const std::string session = folder / "work.sepx";
  if (left.empty()) return fs::exists(session) ? counter(ui::readSessionFile(session)->document) : 0;
  ui::Workbench workbench(quiet());
  REQUIRE(workbench.restore(left.front().file));
  CHECK(workbench.modified());
  return counter(workbench.document());
}

}  // namespace

TEST_CASE("After a kill at any of twenty random moments, a start restores work older than the delay",
          "[autosave][kill]") {
  const Folder folder;
  RandomStream random(2026);
  constexpr double kSlack = 0.4;  // seconds for a write
  // A single write takes longer on a busy disk, so delays in some rounds are not an error.
  constexpr int kMostLate = 10;
  double before = 0;
  int lives = 0, late = 0;
  for (int round = 0; round < 20; ++round) {
    const double seconds = random.uniform(0.05, 1.2);
    const std::vector<Progress> progress = workUntilKilled(folder, seconds);
    double due = before;
    for (const Progress& one : progress) {
      if (one.time < progress.back().time - kDelay - kSlack) due = one.count;
    }
    const double restored = found(folder);
    CAPTURE(round, seconds, before, due, restored, progress.size());
    CHECK(restored >= before);  // earlier work is still there, even after a short life of the window
    lives += progress.empty() ? 0 : 1;
    late += restored < due ? 1 : 0;
    if (!progress.empty()) CHECK(restored <= progress.back().count + 1);
    // At most one recovery file: a restored file is removed after its successor is written, unless the kill was in
    // between.
    CHECK(recoveryFiles(folder / "auto").size() <= 2);
    before = restored;
  }
  CHECK(before > 100);
  CHECK(lives > 0);
  CHECK(late <= kMostLate);
}
