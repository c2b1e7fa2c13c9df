// SPDX-License-Identifier: Apache-2.0
// See instance.h. A message is the paths, each ended by a zero byte, and the end of the stream; the answer is one byte.
#include "app/instance.h"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "app/presentation/channel.h"
#include "engine/core/thread_name.h"
#include "ui/document/state_text.h"

namespace sepx::app {

namespace {

constexpr int kPatienceMs = 2000;
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr char kTaken = '+';

struct Address {
  sockaddr_un name{};
  socklen_t length = 0;
};

Address addressOf(const std::string& place) {
  Address address;
  address.name.sun_family = AF_UNIX;
  const std::size_t room = sizeof(address.name.sun_path) - 1;  // a zero byte in front: no file
  const std::size_t size = std::min(place.size(), room);
  std::memcpy(address.name.sun_path + 1, place.data(), size);
  address.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + size);
  return address;
}

void limitWaiting(int socket) {
  timeval patience{};
  patience.tv_sec = kPatienceMs / 1000;
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

bool sendAll(int socket, const std::string& bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t now = send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (now <= 0) return false;
    sent += static_cast<std::size_t>(now);
  }
  return true;
}

std::vector<std::string> splitAtZero(const std::string& bytes) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\0', from), bytes.size());
    if (end > from) parts.push_back(bytes.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

}  // namespace

std::string Instance::meetingPlace() {
  const char* display = std::getenv("DISPLAY");
  std::string screen = display ? display : "";
  // ":0" and ":0.1" are one server.
  const auto colon = screen.rfind(':');
  const auto dot = screen.rfind('.');
  if (colon != std::string::npos && dot != std::string::npos && dot > colon) screen.erase(dot);
  return "separatrix/" + std::to_string(getuid()) + "/" + screen;
}

bool Instance::handOver(const std::string& place, const std::vector<std::string>& files) {
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) return false;
  limitWaiting(socket.get());
  const Address at = addressOf(place);
  if (connect(socket.get(), reinterpret_cast<const sockaddr*>(&at.name), at.length) != 0) return false;
  if (!isOwnPeer(socket.get())) return false;
  std::string message;
  for (const std::string& file : files) {
    std::error_code ignored;
    const bool isFile = !ui::isStateText(file);
    message += (isFile ? std::filesystem::absolute(file, ignored).lexically_normal().string() : file) + '\0';
  }
  if (message.size() > kMostBytes || !sendAll(socket.get(), message)) return false;
  shutdown(socket.get(), SHUT_WR);
  char answer = 0;
  return recv(socket.get(), &answer, 1, 0) == 1 && answer == kTaken;
}

std::unique_ptr<Instance> Instance::listen(const std::string& place, Receive receive) {
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Descriptor wake = makeWaker();
  if (socket.get() < 0 || wake.get() < 0) return nullptr;
  const Address at = addressOf(place);
  if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&at.name), at.length) != 0) return nullptr;
  if (::listen(socket.get(), 8) != 0) return nullptr;
  return std::unique_ptr<Instance>(new Instance(std::move(socket), std::move(wake), std::move(receive)));
}

Instance::Instance(Descriptor socket, Descriptor wake, Receive receive)
    : socket_(std::move(socket)), wake_(std::move(wake)), receive_(std::move(receive)), thread_([this] { serve(); }) {}

Instance::~Instance() {
  wakeUp(wake_.get());
  thread_.join();
}

void Instance::serve() {
  nameThread("instance");
  for (;;) {
    pollfd both[]{{socket_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    if (poll(both, 2, -1) < 0) continue;  // a signal
    if (both[1].revents != 0) return;
    const Descriptor client(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (client.get() >= 0 && isOwnPeer(client.get())) take(client.get());
  }
}

/// What a starter says to its end. Nothing where it is too slow or says too much, or where this window ends meanwhile:
/// that program goes on alone.
std::optional<std::string> Instance::readAll(int client) const {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(kPatienceMs);
  std::string bytes;
  char part[4096];
  while (bytes.size() <= kMostBytes) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return std::nullopt;
    pollfd both[]{{client, POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    if (poll(both, 2, static_cast<int>(left)) <= 0) continue;  // a signal, or the time is over
    if (both[1].revents != 0) return std::nullopt;             // serve() sees it too
    const ssize_t got = recv(client, part, sizeof part, MSG_DONTWAIT);
    if (got == 0) return bytes;
    if (got < 0 && errno != EAGAIN && errno != EINTR) return std::nullopt;
    if (got > 0) bytes.append(part, static_cast<std::size_t>(got));
  }
  return std::nullopt;
}

void Instance::take(int client) const {
  const std::optional<std::string> bytes = readAll(client);
  limitWaiting(client);
  if (bytes && sendAll(client, std::string(1, kTaken))) receive_(splitAtZero(*bytes));
}

}  // namespace sepx::app
