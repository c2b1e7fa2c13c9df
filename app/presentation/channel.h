// SPDX-License-Identifier: Apache-2.0
// One end of a connected Unix socket for framed messages. No member function blocks, except finish(). Also determines
// the path of the socket and checks who is at the other end. For the threads of studio_link.h and stage_link.h.
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

/// Path of the socket at which programs of this user connect on the display $DISPLAY: `name`-DISPLAY.sock in
/// $XDG_RUNTIME_DIR/separatrix, or in /tmp/separatrix-UID if that variable is not set, does not name a private folder
/// of the user, or makes the path too long for a socket. The folder is created with mode 0700. OutputFailed if it
/// belongs to another user or others may enter it.
Result<std::string> ownSocket(const std::string& name);
/// Paths at which programs that were started with another $XDG_RUNTIME_DIR or without one (su, a job) have the socket
/// `own` of ownSocket(): in the usual folder of the session and in /tmp/separatrix-UID, if these exist and are private
/// to the user. No folder is created. Empty if `own` is not a path of ownSocket().
std::vector<std::string> otherSockets(const std::string& own);
/// Path of the socket that connects studio and stage.
Result<std::string> presentationSocket();

class Channel {
 public:
  explicit Channel(Descriptor socket);

  int file() const { return socket_.get(); }
  /// Sends as much as the socket accepts now; flush() sends the rest. False if the other side is gone.
  bool send(const LinkMessage& message) { return sendText(encode(message)); }
  /// `text`: a result of encode(), at most kMostMessageBytes.
  bool sendText(const std::string& text);
  bool flush();
  /// Waits until all is sent, the other side is gone or `most` has passed. For the last message of a connection.
  void finish(std::chrono::milliseconds most);
  /// Whether nothing is left to send.
  bool idle() const { return waiting_.empty(); }
  /// The messages that have arrived. The error is the sentence to report when the connection ends. It is empty if the
  /// other side closed the connection between two messages.
  Result<std::vector<LinkMessage>> receive();

 private:
  Descriptor socket_;
  FrameReader reader_;
  std::string waiting_;
};

/// Whether the process at the other end belongs to `owner`, by default this user.
bool peerIsSameUser(int socket, uid_t owner = ::getuid());
/// Limits how long send, receive and connect may take on a blocking socket.
void limitWaiting(int socket, std::chrono::seconds most);
/// Connects to the server at `path`. Empty optional if nobody listens or the server belongs to another user. Does not
/// block if `patience` is 0. Otherwise the socket is blocking with this limit.
std::optional<Descriptor> connectTo(const std::string& path, std::chrono::seconds patience = {});
/// Creates a listening socket at `path` with mode 0600, in place of a stale one. OutputFailed with the reason.
Result<Descriptor> listenAt(const std::string& path);
/// An eventfd that wakes a thread from poll(). Invalid if the system cannot create one.
Descriptor makeWaker();
void wakeUp(int waker);
void drain(int waker);

}  // namespace sepx::app
