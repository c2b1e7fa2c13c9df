// SPDX-License-Identifier: Apache-2.0
// Passing an expected failure on to the caller: the two lines that follow almost every call that can fail. For
// functions and lambdas that return a Result. Any thread.
#pragma once

#include <utility>

#include "engine/core/result.h"
/// Joins two tokens: the first as they stand, the second what they expand to.
#define SEPX_JOIN_TWO(a, b) a##b
#define SEPX_JOIN(a, b) SEPX_JOIN_TWO(a, b)

/// `SEPX_TRY(writeFile(path, text));` returns the error of a Result; its value, if it has one, is not used.
#define SEPX_TRY(...)                                                                       \
  if (auto SEPX_JOIN(sepxTried, __LINE__) = (__VA_ARGS__); !SEPX_JOIN(sepxTried, __LINE__)) \
  return tl::unexpected(std::move(SEPX_JOIN(sepxTried, __LINE__)).error())

/// `SEPX_ASSIGN(const auto text, readFile(path));` declares the value of a Result, or returns its error; in place of a
/// declaration a variable is assigned to: `SEPX_ASSIGN(text_, readFile(path));`. The first argument has no comma
/// (`auto` for a type with one).
#define SEPX_ASSIGN(declaration, ...)                                                                              \
  auto SEPX_JOIN(sepxResult, __LINE__) = (__VA_ARGS__);                                                            \
  if (!SEPX_JOIN(sepxResult, __LINE__)) return tl::unexpected(std::move(SEPX_JOIN(sepxResult, __LINE__)).error()); \
  declaration = *std::move(SEPX_JOIN(sepxResult, __LINE__))
