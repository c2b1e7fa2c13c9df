// SPDX-License-Identifier: Apache-2.0
// The second program's files reach the first; strange messages and silent programs do no harm.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "app/instance.h"
#include "tests/patience.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using sepx::app::Instance;
using Files = std::vector<std::string>;

std::string freshPlace() {
  static int count = 0;
  return "separatrix-test/" + std::to_string(getpid()) + "/" + std::to_string(++count);
}

/// What arrived, waited for.
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

/// A connection that may say anything.
int connectTo(const std::string& place) {
  const int raw = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path + 1, place.data(), place.size());
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + place.size());
  REQUIRE(connect(raw, reinterpret_cast<sockaddr*>(&name), length) == 0);
  return raw;
}

/// A program that says a byte now and then, without end for this window.
class Slow {
 public:
  explicit Slow(const std::string& place) : socket_(connectTo(place)), thread_([this] { say(); }) {}
  ~Slow() {
    over_ = true;
    thread_.join();
    close(socket_);
  }
  bool dropped() const { return dropped_; }  ///< the window hung up
  bool gaveUp() const { return gaveUp_; }    ///< it had said all that it had to say

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

TEST_CASE("Files go to the program that runs, as absolute paths") {
  const std::string place = freshPlace();
  CHECK_FALSE(Instance::handOver(place, {"a.sepx"}));
  Inbox inbox;
  const auto first = Instance::listen(place, inbox.receive());
  REQUIRE(first);
  CHECK(Instance::handOver(place, {"a.sepx", "/tmp/../tmp/b and c.csv", "/tmp/caf\xe9.sepx"}));
  CHECK(Instance::handOver(place, {}));
  REQUIRE(inbox.wait(2));
  REQUIRE(inbox.messages[0].size() == 3);
  CHECK(inbox.messages[0][0].front() == '/');
  CHECK(inbox.messages[0][0].find("/a.sepx") != std::string::npos);
  CHECK(inbox.messages[0][1] == "/tmp/b and c.csv");
  CHECK(inbox.messages[0][2] == "/tmp/caf\xe9.sepx");  // not UTF-8
  CHECK(inbox.messages[1].empty());
}

TEST_CASE("There is one first program, and when it is gone another takes its place") {
  const std::string place = freshPlace();
  Inbox inbox;
  auto first = Instance::listen(place, inbox.receive());
  REQUIRE(first);
  CHECK_FALSE(Instance::listen(place, inbox.receive()));
  first.reset();
  CHECK_FALSE(Instance::handOver(place, {"a"}));
  CHECK(Instance::listen(place, inbox.receive()));
}

TEST_CASE("A program that connects and says nothing, or far too much, is left alone") {
  const std::string place = freshPlace();
  Inbox inbox;
  const auto first = Instance::listen(place, inbox.receive());
  REQUIRE(first);
  const int silent = connectTo(place);
  const int loud = connectTo(place);
  const std::string much(std::size_t{3} << 20, 'x');
  std::size_t sent = 0;
  // Ends with an error once the other side has closed.
  while (sent < much.size()) {
    const ssize_t now = send(loud, much.data() + sent, much.size() - sent, MSG_NOSIGNAL);
    if (now <= 0) break;
    sent += static_cast<std::size_t>(now);
  }
  close(silent);
  close(loud);
  REQUIRE(Instance::handOver(place, {"/after"}));
  REQUIRE(inbox.wait(1));
  CHECK(inbox.messages.back() == Files{"/after"});
}

TEST_CASE("Who does not answer is not waited for") {
  const std::string place = freshPlace();
  const int deaf = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path + 1, place.data(), place.size());
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + place.size());
  REQUIRE(bind(deaf, reinterpret_cast<sockaddr*>(&name), length) == 0);
  REQUIRE(listen(deaf, 1) == 0);
  CHECK_FALSE(Instance::handOver(place, {"/file"}));
  close(deaf);
}

TEST_CASE("A program that says its files byte by byte is left alone, and does not keep others from being heard") {
  const std::string place = freshPlace();
  Inbox inbox;
  const auto first = Instance::listen(place, inbox.receive());
  REQUIRE(first);
  const Slow slow(place);
  REQUIRE(sepx::tests::eventually([&] { return slow.dropped() || slow.gaveUp(); }));
  CHECK(slow.dropped());
  REQUIRE(Instance::handOver(place, {"/after"}));
  REQUIRE(inbox.wait(1));
  CHECK(inbox.messages == std::vector<Files>{{"/after"}});
}

TEST_CASE("A window ends while a program that says nothing to its end is being heard") {
  const std::string place = freshPlace();
  Inbox inbox;
  auto first = Instance::listen(place, inbox.receive());
  REQUIRE(first);
  const Slow slow(place);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // it is being heard
  first.reset();
  CHECK_FALSE(slow.gaveUp());
  CHECK(inbox.messages.empty());
}

TEST_CASE("Another person's program is not heard") {
  if (geteuid() != 0) return;  // only root can be somebody else for a test
  constexpr uid_t kSomebody = 65534;
  const std::string place = freshPlace();
  Inbox inbox;
  const auto first = Instance::listen(place, inbox.receive());
  REQUIRE(first);
  const pid_t other = fork();
  if (other == 0) {
    const bool refused = setresuid(kSomebody, kSomebody, kSomebody) == 0 && !Instance::handOver(place, {"a.sepx"});
    // One that does not ask who listens there.
    const int raw = connectTo(place);
    const bool sent = send(raw, "b.sepx", 7, MSG_NOSIGNAL) > 0 && shutdown(raw, SHUT_WR) == 0;
    char answer = 0;
    const bool taken = sent && recv(raw, &answer, 1, 0) == 1;
    _exit(refused && !taken ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(other, &status, 0) == other);
  CHECK(status == 0);
  CHECK(Instance::handOver(place, {"own.sepx"}));
  REQUIRE(inbox.wait(1));
  CHECK(inbox.messages.size() == 1);
  CHECK(inbox.messages[0].size() == 1);
}
