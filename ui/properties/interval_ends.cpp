// SPDX-License-Identifier: Apache-2.0
// See interval_ends.h.
#include "ui/properties/interval_ends.h"

#include <cmath>

#include "ui/properties/tr_format.h"

namespace sepx::ui {

Result<Document> withOrderedEnds(const IntervalEnds& ends, double farthest, const Document& before,
                                 const Document& with) {
  const auto end = [](const Document& of, const std::string& key, double fallback) {
    const Json& json = of.at(key);
    return json.is_number() ? json.get<double>() : fallback;
  };
  const double low = end(with, ends.low, ends.lowFallback), high = end(with, ends.high, ends.highFallback);
  if (low < high) return with;
  const double lowBefore = end(before, ends.low, ends.lowFallback),
               highBefore = end(before, ends.high, ends.highFallback), width = highBefore - lowBefore;
  const bool upwards = low != lowBefore;
  if (!upwards && high == highBefore) return with;
  const double moved = upwards ? low + width : high - width;
  if (!(upwards ? moved > low : moved < high) || std::abs(moved) > farthest)
    return fail(ErrorKind::Usage, trFormat("{} must be below {}; set the other one first", ends.low, ends.high));
  return with.with(upwards ? ends.high : ends.low, moved);
}

}  // namespace sepx::ui
