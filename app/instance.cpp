// SPDX-License-Identifier: Apache-2.0
// See instance.h. A message is the paths, each terminated by a zero byte, and then the end of the stream; the answer is
// one byte.
#include "app/instance.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/presentation/channel.h"
#include "engine/core/thread_name.h"
#include "ui/document/state_text.h"

namespace sepx::app {

namespace {

constexpr std::chrono::seconds kPatience{2};
constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr char kTaken = '+';

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

std::string Instance::defaultSocketPath() {
  return ownSocket("window").value_or(std::string());
}

bool Instance::sendFiles(const std::string& place, const std::vector<std::string>& files) {
  if (sendFilesTo(place, files)) return true;
  const std::vector<std::string> others = otherSockets(place);
  return std::ranges::any_of(others, [&](const std::string& other) { return sendFilesTo(other, files); });
}

bool Instance::sendFilesTo(const std::string& place, const std::vector<std::string>& files) {
  const std::optional<Descriptor> socket = connectTo(place, kPatience);
  if (!socket) return false;
  std::string message;
  for (const std::string& file : files) {
    std::error_code ignored;
    const bool isFile = !ui::isStateText(file);
    message += (isFile ? std::filesystem::absolute(file, ignored).lexically_normal().string() : file) + '\0';
  }
  if (message.size() > kMostBytes || !sendAll(socket->get(), message)) return false;
  shutdown(socket->get(), SHUT_WR);
  char answer = 0;
  return recv(socket->get(), &answer, 1, 0) == 1 && answer == kTaken;
}

std::unique_ptr<Instance> Instance::listen(const std::string& place, Receive receive, uid_t owner) {
  std::optional<FileLock> lock = place.empty() ? std::nullopt : FileLock::tryLock(place + ".lock");
  if (!lock) return nullptr;
  Descriptor wake = makeWaker();
  Result<Descriptor> socket = listenAt(place);
  if (!socket || wake.get() < 0) {
    ::unlink(place.c_str());
    lock->remove();
    return nullptr;
  }
  return std::unique_ptr<Instance>(
      new Instance(place, std::move(*lock), std::move(*socket), std::move(wake), std::move(receive), owner));
}

Instance::Instance(std::string place, FileLock lock, Descriptor socket, Descriptor wake, Receive receive, uid_t owner)
    : place_(std::move(place)),
      lock_(std::move(lock)),
      socket_(std::move(socket)),
      wake_(std::move(wake)),
      receive_(std::move(receive)),
      owner_(owner),
      thread_([this] { serve(); }) {}

Instance::~Instance() {
  wakeUp(wake_.get());
  thread_.join();
  // If the lock was lost or its file was removed, the socket may already belong to another window.
  if (lock_.holds()) ::unlink(place_.c_str());
  lock_.remove();
}

void Instance::serve() {
  nameThread("instance");
  for (;;) {
    pollfd both[]{{socket_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    if (poll(both, 2, -1) < 0) continue;  // interrupted by a signal
    if (both[1].revents != 0) return;
    const Descriptor client(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (client.get() >= 0 && peerIsSameUser(client.get(), owner_)) take(client.get());
  }
}

/// Reads the whole message of a client. Empty when the client is too slow or sends too much, or when this window ends
/// meanwhile; the other program then continues on its own.
std::optional<std::string> Instance::readAll(int client) const {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + kPatience;
  std::string bytes;
  char part[4096];
  while (bytes.size() <= kMostBytes) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return std::nullopt;
    pollfd both[]{{client, POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    if (poll(both, 2, static_cast<int>(left)) <= 0) continue;  // interrupted by a signal, or timed out
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
  limitWaiting(client, kPatience);
  if (bytes && sendAll(client, std::string(1, kTaken))) receive_(splitAtZero(*bytes));
}

}  // namespace sepx::app
