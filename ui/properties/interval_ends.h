// SPDX-License-Identifier: Apache-2.0
// Two properties that are the ends of one interval, such as the left and right edge of a view. Pure; any thread.
#pragma once

#include <string>

#include "engine/core/result.h"
#include "ui/document/document.h"

namespace sepx::ui {

/// The keys of an interval, and the values of its ends in a document without them.
struct IntervalEnds {
  std::string low, high;
  double lowFallback = 0, highFallback = 1;
};

/// For Property::follow. `with` is `before` with one end changed; if neither has changed, it is returned as it is. If
/// an end is set beyond the other one, the other one moves too and the interval keeps its width, so that a script may
/// set the ends in any order. Usage if no double lies between the ends, or if the moved end is farther from 0 than
/// `farthest`.
Result<Document> withOrderedEnds(const IntervalEnds& ends, double farthest, const Document& before,
                                 const Document& with);

}  // namespace sepx::ui
