// SPDX-License-Identifier: Apache-2.0
// Macros that pass an expected failure on to the caller, in place of the two lines that would follow almost every call
// that can fail. For functions and lambdas that return a Result. Any thread.
#pragma once

#include <utility>

#include "engine/core/result.h"
/// Join two tokens: SEPX_JOIN_TWO without expanding them, SEPX_JOIN after expanding them.
#define SEPX_JOIN_TWO(a, b) a##b
#define SEPX_JOIN(a, b) SEPX_JOIN_TWO(a, b)

/// `SEPX_TRY(writeFile(path, text));` returns the error of a Result. Its value, if any, is discarded.
#define SEPX_TRY(...)                                                                       \
  if (auto SEPX_JOIN(sepxTried, __LINE__) = (__VA_ARGS__); !SEPX_JOIN(sepxTried, __LINE__)) \
  return tl::unexpected(std::move(SEPX_JOIN(sepxTried, __LINE__)).error())

/// `SEPX_ASSIGN(const auto text, readFile(path));` declares a variable with the value of a Result, or returns its
/// error. It can also assign to an existing variable: `SEPX_ASSIGN(text_, readFile(path));`. The first argument must
/// not contain a comma (use `auto` for a type that has one).
#define SEPX_ASSIGN(declaration, ...)                                                                              \
  auto SEPX_JOIN(sepxResult, __LINE__) = (__VA_ARGS__);                                                            \
  if (!SEPX_JOIN(sepxResult, __LINE__)) return tl::unexpected(std::move(SEPX_JOIN(sepxResult, __LINE__)).error()); \
  declaration = *std::move(SEPX_JOIN(sepxResult, __LINE__))
