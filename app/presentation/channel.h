// SPDX-License-Identifier: Apache-2.0
// One end of a connected Unix socket that speaks framed messages without ever waiting, but for finish(); where the
// socket is, and who may be at the other end. For the threads of studio_link.h and stage_link.h.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include "app/presentation/framing.h"
#include "app/presentation/messages.h"
#include "engine/core/descriptor.h"
#include "engine/core/result.h"

namespace sepx::app {

/// Where programs of this user meet on the display of $DISPLAY: the socket `name`-DISPLAY.sock in
/// $XDG_RUNTIME_DIR/separatrix; in /tmp/separatrix-UID where that variable is not set, is no folder of the user's, or
/// is too long for the name of a socket. The folder is made with mode 0700; OutputFailed when it belongs to another
/// user or others may enter it.
Result<std::string> ownSocket(const std::string& name);
/// Where programs that were started with another $XDG_RUNTIME_DIR, or without one (su, a job), have the socket `own` of
/// ownSocket(): in those of the session's usual folder and /tmp/separatrix-UID that are there and the user's alone. No
/// folder is made. None for another path.
std::vector<std::string> otherSockets(const std::string& own);
/// Where studio and stage meet.
Result<std::string> presentationSocket();

class Channel {
 public:
  explicit Channel(Descriptor socket);

  int file() const { return socket_.get(); }
  /// Sent as far as there is room now, the rest by flush(). False: the other side is gone.
  bool send(const LinkMessage& message) { return sendText(encode(message)); }
  /// `text`: of encode(), at most kMostMessageBytes.
  bool sendText(const std::string& text);
  bool flush();
  /// Waits until all is sent, the other side is gone or `most` has passed. For the last message of a connection.
  void finish(std::chrono::milliseconds most);
  /// Nothing waits to be sent.
  bool idle() const { return waiting_.empty(); }
  /// What arrived. The error is the sentence with which the connection ends; an empty sentence: the other side closed
  /// it between two messages.
  Result<std::vector<LinkMessage>> receive();

 private:
  Descriptor socket_;
  FrameReader reader_;
  std::string waiting_;
};

/// Whether the other end belongs to the same user, or to `owner`.
bool isOwnPeer(int socket, uid_t owner = ::getuid());
/// How long a send, a receive or a connect on a socket that waits may take.
void limitWaiting(int socket, std::chrono::seconds most);
/// The connected socket of a server at `path`; nothing where nobody listens or it is another user's. It never waits,
/// or, with a `patience`, as long as that.
std::optional<Descriptor> connectTo(const std::string& path, std::chrono::seconds patience = {});
/// A listening socket at `path` with mode 0600, in place of a stale one. OutputFailed with the reason.
Result<Descriptor> listenAt(const std::string& path);
/// A counter that wakes a thread out of poll(); invalid when the system has none left.
Descriptor makeWaker();
void wakeUp(int waker);
void drain(int waker);

}  // namespace sepx::app
