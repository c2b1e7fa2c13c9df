// SPDX-License-Identifier: Apache-2.0
// What sepx bench measures: medians of wall time on this machine, in milliseconds. A measurement that cannot be made
// here has no median but says why. Frame thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "app/options.h"
#include "engine/core/result.h"

namespace sepx::app::cli {

struct Measurement {
  std::string name;  ///< "flow-path"
  std::string what;  ///< one line for people
  std::vector<double> milliseconds;
  double median() const;
};

/// Runs `once` a first time unmeasured, then `times` times.
Result<void> measure(Measurement& measurement, int times, const std::function<Result<void>()>& once);

/// What is not a time: memory, a share.
struct Amount {
  std::string name;  ///< "resident-mib"
  std::string what;  ///< one line for people, with the unit
  double value = 0;
};

/// One benchmark: its measurements, and a ratio of the first two medians where that is the point.
struct BenchResult {
  std::string name;
  std::vector<Measurement> measurements;
  std::string ratioName;  ///< "kernel / cpu"; empty: none
  double ratio = 0;
  std::string device;  ///< of the GPU part, empty: none
  std::vector<Amount> amounts{};
};

struct BenchEntry {
  const char* name;
  const char* description;  ///< N_("…")
  Result<BenchResult> (*run)(const Options& common);
  bool onlyByName = false;  ///< takes long: not part of the whole list
};
std::span<const BenchEntry> benchmarks();

}  // namespace sepx::app::cli
