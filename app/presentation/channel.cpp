// SPDX-License-Identifier: Apache-2.0
// See channel.h.
#include "app/presentation/channel.h"

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "engine/core/try.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::app {
namespace {

constexpr mode_t kPrivateFolder = 0700, kPrivateFile = 0600, kOthers = 077;

/// Whether `path` is a folder that only this user may enter.
bool isPrivateFolder(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::getuid() &&
         (info.st_mode & kOthers) == 0;
}

Result<sockaddr_un> socketAddress(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof name.sun_path)
    return fail(ErrorKind::OutputFailed,
                ui::trFormat("{}: the name of a socket has at most {} bytes", path, sizeof name.sun_path - 1));
  std::memcpy(name.sun_path, path.data(), path.size());
  return name;
}

/// The display as a part of a file name. The screen number is dropped, because ":0" and ":0.1" are the same server.
/// Each character other than a letter or digit becomes '-'.
std::string displayName() {
  const char* const display = std::getenv("DISPLAY");
  std::string name = display ? display : "";
  const auto colon = name.rfind(':'), dot = name.rfind('.');
  if (colon != std::string::npos && dot != std::string::npos && dot > colon) name.erase(dot);
  std::string plain;
  for (const char letter : name)
    plain += std::isalnum(static_cast<unsigned char>(letter)) ? letter : '-';
  return plain.substr(0, 40);
}

std::string userFolder() {
  return "/tmp/separatrix-" + std::to_string(::getuid());
}

/// The folder in $XDG_RUNTIME_DIR; empty if that is not a private folder of the user.
std::string sessionFolder() {
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  return runtime && isPrivateFolder(runtime) ? std::string(runtime) + "/separatrix" : std::string();
}

}  // namespace

Result<std::string> ownSocket(const std::string& name) {
  const std::string file = "/" + name + displayName() + ".sock", session = sessionFolder();
  const std::string folder = session.empty() || !socketAddress(session + file) ? userFolder() : session;
  if (::mkdir(folder.c_str(), kPrivateFolder) != 0 && errno != EEXIST) return notWritten(folder, errno);
  if (!isPrivateFolder(folder))
    return fail(
        ErrorKind::OutputFailed,
        folder + ": " + ui::tr("this is not a folder that only you may enter; remove it, or run chmod 700 on it"));
  return folder + file;
}

std::vector<std::string> otherSockets(const std::string& own) {
  const std::size_t slash = own.rfind('/');
  const std::string folder = own.substr(0, slash);
  if (slash == std::string::npos || (folder != userFolder() && folder != sessionFolder())) return {};
  std::vector<std::string> others;
  for (const std::string& other : {"/run/user/" + std::to_string(::getuid()) + "/separatrix", userFolder()})
    if (other != folder && isPrivateFolder(other)) others.push_back(other + own.substr(slash));
  return others;
}

Result<std::string> presentationSocket() {
  return ownSocket("stage");
}

Channel::Channel(Descriptor socket) : socket_(std::move(socket)) {}

bool Channel::sendText(const std::string& text) {
  waiting_ += framed(text);
  return flush();
}

bool Channel::flush() {
  std::size_t sent = 0;
  while (sent < waiting_.size()) {
    const ssize_t now =
        ::send(socket_.get(), waiting_.data() + sent, waiting_.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (now > 0) {
      sent += static_cast<std::size_t>(now);
    } else if (now < 0 && errno == EINTR) {
      continue;
    } else if (now < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      break;
    } else {
      return false;
    }
  }
  waiting_.erase(0, sent);
  return true;
}

void Channel::finish(std::chrono::milliseconds most) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + most;
  while (!idle()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0) return;
    pollfd room{socket_.get(), POLLOUT, 0};
    ::poll(&room, 1, static_cast<int>(left.count()));
    if (!flush()) return;
  }
}

Result<std::vector<LinkMessage>> Channel::receive() {
  constexpr std::size_t kPart = 65536;
  std::vector<LinkMessage> messages;
  std::string part(kPart, '\0');
  for (;;) {
    const ssize_t got = ::recv(socket_.get(), part.data(), part.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return messages;
    if (got <= 0) {
      if (!messages.empty()) return messages;  // the next call reports the end
      if (reader_.withinMessage()) return fail(ErrorKind::BadInput, ui::tr("a message was cut short"));
      return fail(ErrorKind::BadInput, {});
    }
    SEPX_ASSIGN(const auto texts, reader_.take(std::string_view(part.data(), static_cast<std::size_t>(got))));
    for (const std::string& text : texts) {
      SEPX_ASSIGN(LinkMessage message, decode(text));
      messages.push_back(std::move(message));
    }
  }
}

bool peerIsSameUser(int socket, uid_t owner) {
  ucred other{};
  socklen_t size = sizeof other;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 && other.uid == owner;
}

void limitWaiting(int socket, std::chrono::seconds most) {
  timeval patience{};
  patience.tv_sec = most.count();
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

std::optional<Descriptor> connectTo(const std::string& path, std::chrono::seconds patience) {
  const auto name = socketAddress(path);
  const bool waits = patience.count() > 0;
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (waits ? 0 : SOCK_NONBLOCK), 0));
  if (!name || socket.get() < 0) return std::nullopt;
  if (waits) limitWaiting(socket.get(), patience);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&*name), sizeof *name) != 0) return std::nullopt;
  if (!peerIsSameUser(socket.get())) return std::nullopt;
  return socket;
}

Result<Descriptor> listenAt(const std::string& path) {
  SEPX_ASSIGN(const sockaddr_un name, socketAddress(path));
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) return notWritten(path, errno);
  ::unlink(path.c_str());  // left by a killed program: the caller holds its lock file
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) return notWritten(path, errno);
  if (::chmod(path.c_str(), kPrivateFile) != 0 || ::listen(socket.get(), 4) != 0) return notWritten(path, errno);
  return socket;
}

Descriptor makeWaker() {
  return Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

void wakeUp(int waker) {
  const std::uint64_t one = 1;
  // A write to an eventfd fails only if its counter would overflow, and then the thread is woken anyway.
  [[maybe_unused]] const ssize_t told = ::write(waker, &one, sizeof one);
}

void drain(int waker) {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t read = ::read(waker, &count, sizeof count);
}

}  // namespace sepx::app
