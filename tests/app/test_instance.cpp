// SPDX-License-Identifier: Apache-2.0
// Files of a second program reach the first. Invalid messages, programs that send nothing and files left by a crash do
// no harm.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "app/instance.h"
#include "app/presentation/channel.h"
#include "tests/patience.h"
#include "tests/temporary_folder.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using sepx::app::Instance;
using Files = std::vector<std::string>;

sockaddr_un addressOf(const std::string& place) {
  sockaddr_un name{};
  if (place.size() >= sizeof name.sun_path)
    FAIL(place << ": the name of a socket has at most " << sizeof name.sun_path - 1 << " bytes; shorten TMPDIR");
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path, place.data(), place.size());
  return name;
}

std::string freshPlace() {
  static const sepx::tests::TemporaryFolder folder;
  static int count = 0;
  std::string place = folder / ("window-" + std::to_string(++count) + ".sock");
  addressOf(place);  // fails here with a message if the name is too long
  return place;
}

/// Sets an environment variable until the end of the scope.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* const name_;
  std::optional<std::string> before_;
};
constexpr const char* kRuntime = "XDG_RUNTIME_DIR";

/// The messages that arrived, and a function that waits for them.
struct Inbox {
  std::mutex mutex;
  std::condition_variable came;
  std::vector<Files> messages;

  Instance::Receive receive() {
    return [this](Files files) {
      const std::lock_guard lock(mutex);
      messages.push_back(std::move(files));
      came.notify_all();
    };
  }
  bool wait(std::size_t count) {
    std::unique_lock lock(mutex);
    return came.wait_for(lock, sepx::tests::kPatience, [&] { return messages.size() >= count; });
  }
};

/// A connection for arbitrary data; -1 if there is none.
int rawConnection(const std::string& place) {
  const int raw = socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un name = addressOf(place);
  if (connect(raw, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0) return raw;
  close(raw);
  return -1;
}

/// The exit status of `work` in its own process, or 128 + the signal that ended it.
template <typename Work>
int inProcess(Work work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

unsigned modeOf(const std::string& path) {
  struct stat info {};
  REQUIRE(::stat(path.c_str(), &info) == 0);
  return info.st_mode & 0777;
}

/// A program that sends a byte from time to time, for longer than the window waits.
class Slow {
 public:
  explicit Slow(const std::string& place) : socket_(rawConnection(place)), thread_([this] { say(); }) {}
  ~Slow() {
    over_ = true;
    thread_.join();
    close(socket_);
  }
  bool dropped() const { return dropped_; }  ///< the window closed the connection
  bool gaveUp() const { return gaveUp_; }    ///< it has sent everything

 private:
  void say() {
    for (int i = 0; i < 100 && !over_ && !dropped_; ++i) {
      dropped_ = send(socket_, "x", 1, MSG_NOSIGNAL) <= 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    gaveUp_ = !over_ && !dropped_;
    shutdown(socket_, SHUT_WR);
  }

  const int socket_;
  std::atomic<bool> over_{false}, dropped_{false}, gaveUp_{false};
  std::thread thread_;
};

}  // namespace

TEST_CASE("Files go to the running program, as absolute paths") {
  const std::string place = freshPlace();
  CHECK_FALSE(Instance::sendFiles(place, {"a.sepx"}));
  Inbox inbox;
  const auto first = Instance::listen(place, inbox.receive());
  REQUIRE(first);
  CHECK(Instance::sendFiles(place, {"a.sepx", "/tmp/../tmp/b and c.csv", "/tmp/caf\xe9.sepx"}));
  CHECK(Instance::sendFiles(place, {}));
  REQUIRE(inbox.wait(2));
  REQUIRE(inbox.messages[0].size() == 3);
  CHECK(inbox.messages[0][0].front() == '/');
  CHECK(inbox.messages[0][0].find("/a.sepx") != std::string::npos);
  CHECK(inbox.messages[0][1] == "/tmp/b and c.csv");
  CHECK(inbox.messages[0][2] == "/tmp/caf\xe9.sepx");  // not UTF-8
  CHECK(inbox.messages[1].empty());
}

TEST_CASE("There is one first program, and after its end another takes its place") {
  const std::string place = freshPlace();
  Inbox inbox;
  auto first = Instance::listen(place, inbox.receive());
  REQUIRE(first);
  CHECK_FALSE(Instance::listen(place, inbox.receive()));
  first.reset();
  CHECK_FALSE(Instance::sendFiles(place, {"a"}));
  CHECK(Instance::listen(place, inbox.receive()));
}

TEST_CASE("A program that connects and sends nothing or far too much is ignored") {
  const std::string place = freshPlace();
  Inbox inbox;
  const auto first = Instance::listen(place, inbox.receive());
  REQUIRE(first);
  const int silent = rawConnection(place);
  const int loud = rawConnection(place);
  REQUIRE((silent >= 0 && loud >= 0));
  const std::string much(std::size_t{3} << 20, 'x');
  std::size_t sent = 0;
  // Ends with an error after the other side has closed the connection.
  while (sent < much.size()) {
    const ssize_t now = send(loud, much.data() + sent, much.size() - sent, MSG_NOSIGNAL);
    if (now <= 0) break;
    sent += static_cast<std::size_t>(now);
  }
  close(silent);
  close(loud);
  REQUIRE(Instance::sendFiles(place, {"/after"}));
  REQUIRE(inbox.wait(1));
  CHECK(inbox.messages.back() == Files{"/after"});
}

TEST_CASE("A program that does not answer is not waited for") {
  const std::string place = freshPlace();
  const int deaf = socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un name = addressOf(place);
  REQUIRE(bind(deaf, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
  REQUIRE(listen(deaf, 1) == 0);
  CHECK_FALSE(Instance::sendFiles(place, {"/file"}));
  close(deaf);
}

TEST_CASE("A program that sends its files byte by byte is ignored, and does not block others") {
  const std::string place = freshPlace();
  Inbox inbox;
  const auto first = Instance::listen(place, inbox.receive());
  REQUIRE(first);
  const Slow slow(place);
  REQUIRE(sepx::tests::eventually([&] { return slow.dropped() || slow.gaveUp(); }));
  CHECK(slow.dropped());
  REQUIRE(Instance::sendFiles(place, {"/after"}));
  REQUIRE(inbox.wait(1));
  CHECK(inbox.messages == std::vector<Files>{{"/after"}});
}

TEST_CASE("A window can end while a program sends it an incomplete message") {
  const std::string place = freshPlace();
  Inbox inbox;
  auto first = Instance::listen(place, inbox.receive());
  REQUIRE(first);
  const Slow slow(place);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // the window reads its message
  first.reset();
  CHECK_FALSE(slow.gaveUp());
  CHECK(inbox.messages.empty());
}

TEST_CASE(
    "The socket belongs to the user alone, is in the folder of the stage's socket, and is removed with its window") {
  const sepx::tests::TemporaryFolder runtime;
  const Variable session(kRuntime, runtime.path.string());
  const std::string place = freshPlace();
  Inbox inbox;
  auto first = Instance::listen(place, inbox.receive());
  REQUIRE(first);
  CHECK(modeOf(place) == 0600);
  first.reset();
  const std::filesystem::path folder = std::filesystem::path(place).parent_path();
  for (const auto& left : std::filesystem::directory_iterator(folder))
    CHECK(left.path().filename().string().find(std::filesystem::path(place).filename()) == std::string::npos);
  const auto stage = sepx::app::presentationSocket();
  REQUIRE(stage);
  const std::filesystem::path meeting = Instance::defaultSocketPath();
  CHECK(meeting != std::filesystem::path(*stage));
  CHECK(meeting.parent_path() == std::filesystem::path(*stage).parent_path());
  CHECK(meeting.parent_path() == runtime.path / "separatrix");
  CHECK(modeOf(meeting.parent_path().string()) == 0700);
}

TEST_CASE("A window is found by starts with another XDG_RUNTIME_DIR") {
  // In real folders of the current user, but with a display that nobody uses.
  const Variable display("DISPLAY", ":test" + std::to_string(getpid()));
  const sepx::tests::TemporaryFolder runtime;
  const auto placeIn = [](const std::string& folder) {
    const Variable session(kRuntime, folder);
    return Instance::defaultSocketPath();
  };
  const std::string usual = "/run/user/" + std::to_string(getuid());
  const bool fromShell = GENERATE(false, true);  // the later start is the one without XDG_RUNTIME_DIR
  const std::string theirs = fromShell ? usual : "", own = fromShell ? "" : runtime.path.string();
  if (fromShell && !std::filesystem::is_directory(usual + "/separatrix")) {
    WARN("skipped: there is no " << usual << "/separatrix");
    return;
  }
  Inbox inbox;
  auto window = Instance::listen(placeIn(theirs), inbox.receive());
  REQUIRE(window);
  const std::string place = placeIn(own);
  REQUIRE(place != placeIn(theirs));
  const Variable session(kRuntime, own);
  CHECK(Instance::sendFiles(place, {"/later"}));
  REQUIRE(inbox.wait(1));
  CHECK(inbox.messages == std::vector<Files>{{"/later"}});
  window.reset();
  CHECK_FALSE(Instance::sendFiles(place, {"/last"}));
}

TEST_CASE("If XDG_RUNTIME_DIR is too long for the name of a socket, the socket is in /tmp") {
  const sepx::tests::TemporaryFolder runtime;
  const std::string folder = runtime / std::string(100, 'x');
  REQUIRE(::mkdir(folder.c_str(), 0700) == 0);
  const Variable session(kRuntime, folder);
  const std::string other = "/tmp/separatrix-" + std::to_string(getuid()) + "/";
  CHECK(Instance::defaultSocketPath().find(other + "window") == 0);
  CHECK(sepx::app::presentationSocket().value_or(std::string()).find(other + "stage") == 0);
}

TEST_CASE("A window works without a folder for the socket") {
  CHECK_FALSE(Instance::listen({}, [](const Files&) {}));
  CHECK_FALSE(Instance::sendFiles({}, {"a.sepx"}));
  const std::string nowhere = freshPlace() + "/none/window.sock";
  CHECK_FALSE(Instance::listen(nowhere, [](const Files&) {}));
  CHECK_FALSE(Instance::sendFiles(nowhere, {"a.sepx"}));
}

TEST_CASE("If a window cannot listen, the attempt leaves no files") {
  const sepx::tests::TemporaryFolder folder;
  CHECK_FALSE(Instance::listen(folder / std::string(120, 'x'), [](const Files&) {}));
  CHECK(folder.files() == 0);
}

TEST_CASE("A window whose files were removed does not remove those of the next one") {
  const std::string place = freshPlace();
  Inbox old, inbox;
  auto first = Instance::listen(place, old.receive());
  REQUIRE(first);
  REQUIRE(std::filesystem::remove(place));
  REQUIRE(std::filesystem::remove(place + ".lock"));
  const auto second = Instance::listen(place, inbox.receive());
  REQUIRE(second);
  first.reset();
  CHECK_FALSE(Instance::listen(place, old.receive()));
  REQUIRE(Instance::sendFiles(place, {"/later"}));
  REQUIRE(inbox.wait(1));
  CHECK(old.messages.empty());
}

TEST_CASE("The files of a killed window are replaced") {
  const std::string place = freshPlace();
  CHECK(inProcess([&place] {
          const auto killed = Instance::listen(place, [](const Files&) {});
          return killed ? raise(SIGKILL) : 1;
        }) == 128 + SIGKILL);
  REQUIRE(std::filesystem::exists(place));
  CHECK_FALSE(Instance::sendFiles(place, {"/before"}));
  Inbox inbox;
  const auto next = Instance::listen(place, inbox.receive());
  REQUIRE(next);
  REQUIRE(Instance::sendFiles(place, {"/after"}));
  REQUIRE(inbox.wait(1));
  CHECK(inbox.messages == std::vector<Files>{{"/after"}});
}

TEST_CASE("Of several windows that start at once after a killed one, exactly one gets the later messages") {
  constexpr int kWindows = 8;
  for (int round = 0; round < 20; ++round) {
    const std::string place = freshPlace();
    { const auto left = sepx::app::listenAt(place); }
    Inbox inbox;
    std::vector<std::unique_ptr<Instance>> windows(kWindows);
    std::vector<std::thread> starts;
    for (auto& window : windows)
      starts.emplace_back([&window, &place, &inbox] { window = Instance::listen(place, inbox.receive()); });
    for (std::thread& start : starts)
      start.join();
    CHECK(std::count_if(windows.begin(), windows.end(), [](const auto& one) { return one != nullptr; }) == 1);
    REQUIRE(Instance::sendFiles(place, {"/later"}));
    REQUIRE(inbox.wait(1));
  }
}

TEST_CASE("A program that does not belong to the owner of a window is ignored") {
  const std::string place = freshPlace();
  Inbox inbox;
  auto first = Instance::listen(place, inbox.receive(), getuid() + 1);
  REQUIRE(first);
  CHECK_FALSE(Instance::sendFiles(place, {"/file"}));
  first.reset();
  CHECK(inbox.messages.empty());
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  CHECK(sepx::app::peerIsSameUser(ends[0]));
  CHECK_FALSE(sepx::app::peerIsSameUser(ends[0], getuid() + 1));
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("A program of another user is ignored") {
  if (geteuid() != 0) {
    WARN("skipped: only root can be somebody else; the case before this one asks the same of the owner's number");
    return;
  }
  constexpr uid_t kSomebody = 65534;
  const std::string place = freshPlace();
  Inbox inbox;
  const auto first = Instance::listen(place, inbox.receive());
  REQUIRE(first);
  const auto asSomebody = [](auto work) {
    return inProcess([&work] { return setresuid(kSomebody, kSomebody, kSomebody) == 0 && work() ? 0 : 1; });
  };
  const std::filesystem::path folder = std::filesystem::path(place).parent_path();
  if (asSomebody([&folder] { return access(folder.parent_path().c_str(), X_OK) == 0; }) != 0) {
    WARN("skipped: others may not enter " << folder.parent_path());
    return;
  }
  CHECK(asSomebody([&place] { return rawConnection(place) < 0; }) == 0);
  // Even if folder and socket are open to everybody, both sides check the user at the other end.
  std::filesystem::permissions(folder, std::filesystem::perms(0755));
  std::filesystem::permissions(place, std::filesystem::perms(0666));
  CHECK(asSomebody([&place] {
          const int raw = rawConnection(place);
          char answer = 0;
          return raw >= 0 && !(send(raw, "b.sepx", 7, MSG_NOSIGNAL) > 0 && shutdown(raw, SHUT_WR) == 0 &&
                               recv(raw, &answer, 1, 0) == 1);
        }) == 0);
  CHECK(asSomebody([&place] { return !Instance::sendFiles(place, {"a.sepx"}); }) == 0);
  CHECK(Instance::sendFiles(place, {"own.sepx"}));
  REQUIRE(inbox.wait(1));
  CHECK(inbox.messages.size() == 1);
  CHECK(inbox.messages[0].size() == 1);
}
