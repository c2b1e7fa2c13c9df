// SPDX-License-Identifier: Apache-2.0
// How long quick studies take, for the cards of the gallery. Pure.
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "engine/studies/study.h"

namespace sepx::ui {

/// Seconds of a step of the run `small-encoder` on the machine on which studies were timed, on one thread.
inline constexpr double kMeasuredStep = 0.0063;
/// Seconds of quick studies there on one thread, by id.
std::span<const std::pair<std::string_view, double>> studySeconds();
/// 0: it was not timed.
double quickSeconds(const studies::Study& study);

}  // namespace sepx::ui
