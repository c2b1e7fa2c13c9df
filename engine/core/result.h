// SPDX-License-Identifier: Apache-2.0
// Expected failures as values. A bug is an assert; what the world does wrong is a Result that reaches the person as one
// sentence naming the file, the place and the remedy. Any thread.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace sepx {

/// What kind of failure it is; the number is the exit status of the command line (sepx --help lists them).
enum class ErrorKind {
  CheckFailed = 1,   ///< a check or an expectation did not hold
  Usage = 2,         ///< wrong arguments, or a value outside its domain
  BadInput = 3,      ///< an input file is unusable
  NoDevice = 4,      ///< no usable Vulkan device or display
  Interrupted = 5,   ///< stopped by the person, work saved
  OutputFailed = 6,  ///< output could not be written
  Internal = 7,      ///< a defect of the program
};

/// One sentence for the person: file, place, remedy. No trailing newline, no prefix.
struct Error {
  ErrorKind kind = ErrorKind::Internal;  ///< what the caller decides by, and the exit status
  std::string message;                   ///< the sentence
};

template <class T>
using Result = tl::expected<T, Error>;  ///< a value, or the message of an expected failure

/// `return fail(ErrorKind::BadInput, "…");`
inline tl::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return tl::unexpected<Error>(Error{kind, std::move(message)});
}

inline int exitStatus(ErrorKind kind) {  ///< of the command line
  return static_cast<int>(kind);
}

}  // namespace sepx
