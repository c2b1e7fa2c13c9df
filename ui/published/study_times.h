// SPDX-License-Identifier: Apache-2.0
// Durations of quick studies, for the cards of the gallery. Pure.
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "engine/studies/study.h"

namespace sepx::ui {

/// Seconds per step of the run `small-encoder` on one thread of the machine on which studies were timed.
inline constexpr double kMeasuredStep = 0.0063;
/// Seconds of quick studies on one thread of that machine, by id.
std::span<const std::pair<std::string_view, double>> studySeconds();
/// Seconds of a quick study on one thread of that machine; 0 if it was not timed.
double quickSeconds(const studies::Study& study);

}  // namespace sepx::ui
