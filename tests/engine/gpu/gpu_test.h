// SPDX-License-Identifier: Apache-2.0
// Shared by the GPU tests: a context with validation, and the check that nothing was reported. A test that creates a
// Context ends with requireClean.
#pragma once

#include <memory>

#include <catch2/catch.hpp>

#include "engine/gpu/context.h"

namespace sepx::gpu {

inline std::unique_ptr<Context> makeContext(bool presentation = false) {
  auto context = Context::create({.presentation = presentation, .validation = true});
  if (!context) FAIL(context.error().message);
  REQUIRE((*context)->validating());
  return std::move(*context);
}

/// Fails on the first validation message and reports it.
inline void requireClean(const Context& context) {
  for (const std::string& message : context.validationMessages())
    INFO(message);
  if (!context.validationMessages().empty()) FAIL(context.validationMessages().front());
}

}  // namespace sepx::gpu
