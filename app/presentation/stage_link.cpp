// SPDX-License-Identifier: Apache-2.0
// See stage_link.h.
#include "app/presentation/stage_link.h"

#include <array>
#include <utility>

#include <poll.h>
#include <sys/stat.h>

#include "app/presentation/studio_link.h"
#include "engine/core/thread_name.h"
#include "ui/document/lesson_file.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::app {
namespace {

constexpr int kAskAgainMs = 200;                  // while there is no studio
constexpr std::chrono::seconds kAfterRefusal{5};  // an immediate retry would most likely fail again

}  // namespace

std::unique_ptr<StageLink> StageLink::follow(const std::string& path, HelloMessage hello, std::function<void()> wake) {
  Descriptor waker = makeWaker();
  if (waker.get() < 0) return nullptr;
  return std::unique_ptr<StageLink>(new StageLink(path, std::move(hello), std::move(waker), std::move(wake)));
}

StageLink::StageLink(std::string path, HelloMessage hello, Descriptor waker, std::function<void()> wake)
    : path_(std::move(path)),
      hello_(std::move(hello)),
      waker_(std::move(waker)),
      wake_(std::move(wake)),
      thread_([this] { serve(); }) {}

StageLink::~StageLink() {
  ends_ = true;
  wakeUp(waker_.get());
  thread_.join();
}

void StageLink::send(const LinkMessage& message) {
  const Keep keep = std::holds_alternative<KeyMessage>(message) ? Keep::All : Keep::Newest;
  if (outgoing_.push(message, keep)) wakeUp(waker_.get());
}

std::optional<StageLink::Event> StageLink::next() {
  if (outgoing_.movePendingToRing()) wakeUp(waker_.get());
  return events_.pop();
}

/// If the queue is full, only the newest waiting event of each kind is kept. A request to end the stage is never
/// dropped.
void StageLink::pushEvent(Event event) {
  const Keep keep = event.kind == Event::Kind::EndRequested ? Keep::All : Keep::Newest;
  if (events_.push(std::move(event), keep) && wake_) wake_();
}

void StageLink::serve() {
  nameThread("stage link");
  while (!ends_) {
    if (!studio_) tryConnect();
    std::array<pollfd, 2> ends{{{waker_.get(), POLLIN, 0}, {-1, POLLIN, 0}}};
    if (studio_) {
      ends[1].fd = studio_->file();
      if (!studio_->idle()) ends[1].events = POLLIN | POLLOUT;
    }
    if (::poll(ends.data(), ends.size(), studio_ && !events_.hasPending() ? -1 : kAskAgainMs) < 0)
      continue;  // a signal
    if (events_.movePendingToRing() && wake_) wake_();
    if (ends[0].revents != 0) drain(waker_.get());
    if (studio_ && (ends[1].revents & POLLOUT) != 0 && !studio_->flush()) drop({});
    if (studio_ && (ends[1].revents & (POLLIN | POLLHUP | POLLERR)) != 0) receiveMessages();
    while (const auto message = outgoing_.pop())
      if (studio_ && helloReceived_ && !studio_->send(*message)) drop({});
  }
  if (studio_) studio_->send(GoodbyeMessage{});
}

void StageLink::tryConnect() {
  const auto now = std::chrono::steady_clock::now();
  if (now - lastAttempt_ < std::chrono::milliseconds(kAskAgainMs)) return;
  lastAttempt_ = now;
  if (!lock_) lock_ = FileLock::tryLock(stageLock(path_));
  auto socket = connectTo(path_);
  if (!socket) return;
  studio_.emplace(std::move(*socket));
  helloReceived_ = any_ = false;
  live_ = {};
  if (!studio_->send(hello_)) drop({});
}

void StageLink::receiveMessages() {
  auto messages = studio_->receive();
  if (!messages) return drop(messages.error().message);
  for (LinkMessage& message : *messages) {
    take(std::move(message));
    if (!studio_) return;
  }
}

void StageLink::take(LinkMessage message) {
  if (const auto* const hello = std::get_if<HelloMessage>(&message)) {
    if (hello->version != kPresentationVersion)
      return drop(ui::trFormat("the studio uses version {} of the protocol, this stage version {}", hello->version,
                               kPresentationVersion));
    helloReceived_ = true;
    reportedError_.clear();
    pushEvent({.kind = Event::Kind::Connected});
  } else if (!helloReceived_) {
    drop(ui::tr("the studio did not send its protocol version"));
  } else if (auto* const state = std::get_if<StateMessage>(&message)) {
    takeState(std::move(*state));
  } else if (const auto* const goodbye = std::get_if<GoodbyeMessage>(&message)) {
    const bool ends = goodbye->ends;
    drop({});
    if (ends) pushEvent({.kind = Event::Kind::EndRequested});
  } else {
    drop(ui::tr("the studio sent a message that only a stage may send"));
  }
}

void StageLink::takeState(StateMessage message) {
  if (!message.document && !any_) return drop(ui::tr("the studio sent changes of a document that it did not send"));
  auto document = message.document ? ui::Document::fromJson(*message.document) : applied(document_, message.changes);
  if (!document) return drop(document.error().message);
  auto live = live_.take(message.live);
  if (!live) return drop(ui::tr("the studio sent values of a run that it had not announced"));
  document_ = std::move(*document);
  any_ = true;
  readLesson(message.shown.lesson);
  State& slot = states_.slot();
  slot.shown = std::move(message.shown);
  slot.shown.document = document_;
  slot.shown.live = std::move(*live);
  slot.lesson = lesson_;
  slot.lessonError = lessonError_;
  slot.number = message.number;
  states_.publish();
  if (wake_) wake_();
}

StageLink::Stamp StageLink::stampOf(const std::string& path) {
  struct stat info {};
  if (path.empty() || ::stat(path.c_str(), &info) != 0) return {};
  return {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_ino};
}

/// Reads the file again if it has changed, because the studio reopens an edited lesson. If the changed file cannot be
/// read, the previous text is kept.
void StageLink::readLesson(const std::string& path) {
  const bool another = std::exchange(lessonPath_, path) != path;
  const Stamp stamp = stampOf(path);
  if (!another && stamp == lessonStamp_) return;
  lessonStamp_ = stamp;
  if (another) {
    lesson_.reset();
    lessonError_.clear();
  }
  if (path.empty()) return;
  if (auto read = ui::readLessonFile(path)) {
    lesson_ = std::make_shared<const ui::Lesson>(std::move(*read));
    lessonError_.clear();
  } else if (!lesson_) {
    lessonError_ = read.error().message;
  }
}

/// A sentence that repeats with each attempt to connect is reported once.
void StageLink::drop(const std::string& sentence) {
  studio_.reset();
  if (!sentence.empty()) lastAttempt_ = std::chrono::steady_clock::now() + kAfterRefusal;
  const bool was = std::exchange(helloReceived_, false);
  if (!was && (sentence.empty() || sentence == reportedError_)) return;
  if (!sentence.empty()) reportedError_ = sentence;
  pushEvent({.kind = Event::Kind::Disconnected, .sentence = sentence});
}

}  // namespace sepx::app
