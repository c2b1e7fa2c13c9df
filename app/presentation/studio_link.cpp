// SPDX-License-Identifier: Apache-2.0
// See studio_link.h.
#include "app/presentation/studio_link.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/options.h"
#include "engine/core/resource_limits.h"
#include "engine/core/try.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::app {

std::string stageLock(const std::string& socket) {
  return socket + ".stage";
}
std::string studioLock(const std::string& socket) {
  return socket + ".studio";
}

Result<std::unique_ptr<StudioLink>> StudioLink::listen(const std::string& path, std::function<void()> wake) {
  auto lock = FileLock::tryLock(studioLock(path));
  if (!lock)
    return fail(ErrorKind::OutputFailed, ui::trFormat("{}: another window is presenting on this display", path));
  SEPX_ASSIGN(Descriptor socket, listenAt(path));
  Descriptor waker = makeWaker();
  if (waker.get() < 0) return notWritten(path, errno);
  try {
    return std::unique_ptr<StudioLink>(
        new StudioLink(path, std::move(*lock), std::move(socket), std::move(waker), std::move(wake)));
  } catch (const std::system_error& error) {
    if (!isThreadRefused(error)) throw;
    return fail(ErrorKind::Internal, noThread());
  }
}

StudioLink::StudioLink(std::string path, FileLock lock, Descriptor socket, Descriptor waker, std::function<void()> wake)
    : path_(std::move(path)),
      lock_(std::move(lock)),
      socket_(std::move(socket)),
      waker_(std::move(waker)),
      wake_(std::move(wake)) {
  try {
    thread_ = std::thread([this] { serve(); });
  } catch (...) {
    ::unlink(path_.c_str());  // while the lock is held; later it may belong to another window
    throw;
  }
}

StudioLink::~StudioLink() {
  ends_ = true;
  wakeUp(waker_.get());
  thread_.join();
  // If the lock file was removed, the socket may belong to another window.
  if (lock_.holds()) ::unlink(path_.c_str());
}

bool StudioLink::stageWaits(const std::string& path) {
  auto free = FileLock::tryLock(stageLock(path));
  return !free;
}

void StudioLink::show(ui::Presented shown, std::int64_t begun) {
  State& slot = states_.slot();
  slot.shown = std::move(shown);
  slot.number = ++number_;
  slot.time = begun;
  states_.publish();
  wakeUp(waker_.get());
}

/// A frame thread that sleeps for long may miss older events of the other kinds, but no key.
void StudioLink::pushEvent(Event event) {
  const Keep keep = event.kind == Event::Kind::Key ? Keep::All : Keep::Newest;
  if (events_.push(std::move(event), keep) && wake_) wake_();
}

int StudioLink::pollTimeout() const {
  constexpr int kAgain = 100;  // the frame thread does not report when it has made room
  if (events_.hasPending()) return kAgain;
  if (!stage_ || helloReceived_) return -1;
  const auto left = accepted_ + kHelloTimeout - std::chrono::steady_clock::now();
  return static_cast<int>(std::max<std::int64_t>(0, std::chrono::ceil<std::chrono::milliseconds>(left).count()));
}

void StudioLink::serve() {
  while (!ends_) {
    std::array<pollfd, 3> ends{{{waker_.get(), POLLIN, 0}, {socket_.get(), POLLIN, 0}, {-1, POLLIN, 0}}};
    if (stage_ && !events_.full()) {  // keys that are not taken stay in the socket
      ends[2].fd = stage_->file();
      if (!stage_->idle()) ends[2].events = POLLIN | POLLOUT;
    }
    if (::poll(ends.data(), ends.size(), pollTimeout()) < 0) continue;  // a signal
    if (events_.movePendingToRing() && wake_) wake_();
    if (ends[0].revents != 0) drain(waker_.get());
    any_ = states_.refresh() || any_;
    if (ends[1].revents != 0) accept();
    if (stage_ && (ends[2].revents & POLLOUT) != 0 && !stage_->flush()) drop({});
    if (stage_ && (ends[2].revents & (POLLIN | POLLHUP | POLLERR)) != 0) receiveMessages();
    if (stage_ && !helloReceived_ && std::chrono::steady_clock::now() - accepted_ >= kHelloTimeout)
      drop(ui::trFormat("it did not complete the handshake within {} s", kHelloTimeout.count()));
    sendLatest();
  }
  constexpr std::chrono::milliseconds kFarewell{500};  // the rest of a large state may have to be sent first
  if (stage_ && stage_->send(GoodbyeMessage{endsStage_})) stage_->finish(kFarewell);
}

void StudioLink::accept() {
  Descriptor client(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (client.get() < 0 || !peerIsSameUser(client.get())) return;
  if (stage_) return;  // one stage at a time; the second is disconnected and retries
  stage_.emplace(std::move(client));
  accepted_ = std::chrono::steady_clock::now();
  helloReceived_ = false;
  sent_.reset();
  live_.begin();
  HelloMessage hello;
  hello.program = versionNumber();
  if (!stage_->send(hello)) drop({});
}

void StudioLink::receiveMessages() {
  auto messages = stage_->receive();
  if (!messages) return drop(messages.error().message);
  for (const LinkMessage& message : *messages) {
    take(message);
    if (!stage_) return;
  }
}

void StudioLink::take(const LinkMessage& message) {
  if (const auto* const hello = std::get_if<HelloMessage>(&message)) {
    if (hello->version != kPresentationVersion)
      return drop(ui::trFormat("the stage uses version {} of the protocol, this window version {}", hello->version,
                               kPresentationVersion));
    helloReceived_ = true;
    pushEvent({.kind = Event::Kind::Connected, .hello = *hello});
  } else if (!helloReceived_) {
    drop(ui::tr("the stage did not send its protocol version"));
  } else if (const auto* const drawn = std::get_if<DrawnMessage>(&message)) {
    const auto& [number, time] = times_[drawn->number % kTimes];
    if (number != drawn->number) return;
    pushEvent(
        {.kind = Event::Kind::Drawn, .number = number, .latency = 1e-9 * static_cast<double>(drawn->time - time)});
  } else if (const auto* const key = std::get_if<KeyMessage>(&message)) {
    pushEvent({.kind = Event::Kind::Key, .key = key->key});
  } else if (std::holds_alternative<GoodbyeMessage>(message)) {
    drop({});
  } else {
    drop(ui::tr("the stage sent a message that only a studio may send"));
  }
}

void StudioLink::sendLatest() {
  if (!stage_ || !helloReceived_ || !any_ || !stage_->idle()) return;
  const State& latest = states_.latest();
  if (sent_ == latest.number || notSent_ == latest.number) return;
  StateMessage message;
  message.number = latest.number;
  message.time = latest.time;
  message.shown = latest.shown;
  message.shown.document = {};
  message.shown.live.clear();
  message.live = live_.news(latest.shown.live);
  if (sent_) {
    message.changes = changesOf(sentDocument_, latest.shown.document);
    // A list of changes beyond the limits is longer than the whole document.
    if (!canBeSent(message.changes)) message.document = latest.shown.document.toJson();
  } else {
    message.document = latest.shown.document.toJson();
  }
  const std::string text = encode(message);
  if (text.size() > kMostMessageBytes)
    return reportNotSent(ui::trFormat(
        "What is shown is too large for the stage: {} bytes; the limit is {}. The stage keeps its picture.",
        text.size(), kMostMessageBytes));
  // A stage closes the connection on a message that it cannot read, and then requests it again. Content from a file can
  // be unreadable, so such messages are checked here. The numbers of each frame come from this program and need no
  // check.
  if (message.document || !message.changes.empty()) {
    if (const auto read = decode(text); !read)
      return reportNotSent(ui::trFormat("What is shown cannot be sent to the stage: {}. The stage keeps its picture.",
                                        read.error().message));
  }
  notSent_ = 0;
  sent_ = latest.number;
  sentDocument_ = latest.shown.document;
  live_.sent(latest.shown.live);
  times_[latest.number % kTimes] = {latest.number, latest.time};
  if (!stage_->sendText(text)) drop({});
}

/// Reports the failure once, however many of the following states cannot be sent either.
void StudioLink::reportNotSent(const std::string& sentence) {
  if (std::exchange(notSent_, states_.latest().number) == 0)
    pushEvent({.kind = Event::Kind::NotSent, .sentence = sentence});
}

void StudioLink::drop(const std::string& sentence) {
  stage_.reset();
  if (std::exchange(helloReceived_, false) || !sentence.empty())
    pushEvent({.kind = Event::Kind::Disconnected,
               .sentence = sentence.empty() ? sentence : ui::tr("The stage: ") + sentence});
}

}  // namespace sepx::app
