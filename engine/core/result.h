// SPDX-License-Identifier: Apache-2.0
// Expected failures as values. A bug is an assertion. An external failure is a Result, which is shown to the user as
// one sentence with the file, the place and the remedy. Any thread.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace sepx {

/// The kind of a failure; the number is the exit status of the command line (sepx --help lists them).
enum class ErrorKind {
  CheckFailed = 1,   ///< a check or an expectation did not hold
  Usage = 2,         ///< wrong arguments, or a value outside its domain
  BadInput = 3,      ///< an input file is unusable
  NoDevice = 4,      ///< no usable Vulkan device or display
  Interrupted = 5,   ///< stopped by the user, work saved
  OutputFailed = 6,  ///< output could not be written
  Internal = 7,      ///< a defect of the program
};

/// One sentence for the user: file, place, remedy. No trailing newline, no prefix.
struct Error {
  ErrorKind kind = ErrorKind::Internal;  ///< for decisions of the caller, and the exit status
  std::string message;                   ///< the sentence
};

template <class T>
using Result = tl::expected<T, Error>;  ///< a value, or the error of an expected failure

/// `return fail(ErrorKind::BadInput, "…");`
inline tl::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return tl::unexpected<Error>(Error{kind, std::move(message)});
}

inline int exitStatus(ErrorKind kind) {  ///< of the command line
  return static_cast<int>(kind);
}

}  // namespace sepx
