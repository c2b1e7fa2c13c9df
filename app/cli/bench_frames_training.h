// SPDX-License-Identifier: Apache-2.0
// Frames of the whole interface while a decoder trains at full speed in the background, and what the frames cost the
// training: a person who moves the pointer 60 times a second. Frame thread.
#pragma once

#include "app/cli/bench.h"

namespace sepx::app::cli {

Result<BenchResult> benchFramesTraining(const Options& common);

}  // namespace sepx::app::cli
