// SPDX-License-Identifier: Apache-2.0
// A sweep varies the fields of one config, on a grid or at random, over several seeds. A plan is a JSON file,
//   {"schema": "sepx.sweep/1", "config": NAME | PATH | {…}, "grid": {"optimisation.learning_rate": [0.1, 0.01], …},
//    "seeds": [0, 1, 2]}
// or with "random": {"samples": 20, "seed": 0, "ranges": {FIELD: {"low", "high", "log"} | [VALUES]}} instead of the
// grid. A seed is that of the initialisation, the batches and the data. It is not that of the data if the plan sweeps
// data.seed or the config has another data.seed. A plan is read as strictly as a config: an unknown field is reported
// with the nearest name, and every run of the plan has passed check(). The same plan gives the same runs in the same
// order on any machine. Plain data; any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/core/result.h"
#include "engine/train/run_config.h"

namespace sepx::sweep {

struct SweepRun {    ///< one cell
  std::string name;  ///< its folder below "runs": "0007"
  train::RunConfig config;
  std::vector<nlohmann::ordered_json> values;  ///< one per Sweep::fields
};

struct Sweep {                      ///< all cells
  std::string name;                 ///< of the config
  std::vector<std::string> fields;  ///< the swept fields; the last one is "seed"
  std::vector<SweepRun> runs;
};

inline constexpr std::size_t kMostRuns = 100'000;  ///< of one sweep

/// A config that the plan names instead of containing it: its text, and the folder against which its paths are
/// resolved.
struct NamedConfig {
  std::string text, file, folder;
};
using ConfigFinder = std::function<Result<NamedConfig>(const std::string& name)>;

/// `file` names the plan in messages. Fails with BadInput (the field, the reason and the remedy) for: an unknown field
/// of plan or config, an empty grid, more than kMostRuns runs, a value that is not valid in a config, configs of more
/// than 512 MiB together, a name or note of more than 10,000 bytes, more than 1,000 names of parameters, a name that
/// occurs twice.
Result<Sweep> parseSweep(std::string_view text, const std::string& file, const ConfigFinder& find);

}  // namespace sepx::sweep
