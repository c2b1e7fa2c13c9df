// SPDX-License-Identifier: Apache-2.0
// Two properties that are the ends of one interval, such as the left and right edge of a view. Pure; any thread.
#pragma once

#include <string>

#include "engine/core/result.h"
#include "ui/document/document.h"

namespace sepx::ui {

/// The keys of an interval and its ends where the document has none.
struct Ends {
  std::string low, high;
  double lowFallback = 0, highFallback = 1;
};

/// For Property::follow. `with` is `before` with one of the ends changed; it is the answer where none is. An end that
/// is set beyond the other one moves it along, so that the interval keeps its width: a script may set the ends in any
/// order. Usage where no double lies between the ends, or where the moved end is farther from 0 than `farthest`.
Result<Document> endsFollow(const Ends& ends, double farthest, const Document& before, const Document& with);

}  // namespace sepx::ui
