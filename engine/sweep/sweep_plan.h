// SPDX-License-Identifier: Apache-2.0
// A sweep: one config and the values that its fields take, as a grid or drawn at random, over several seeds. A plan is
// a JSON file,
//   {"schema": "sepx.sweep/1", "config": NAME | PATH | {…}, "grid": {"optimisation.learning_rate": [0.1, 0.01], …},
//    "seeds": [0, 1, 2]}
// or in place of the grid "random": {"samples": 20, "seed": 0, "ranges": {FIELD: {"low", "high", "log"} | [VALUES]}}.
// A seed is that of the start, the batches and the data, unless the plan sweeps data.seed: then it is not that of the
// data. It is read as strictly as a config: a field that no config has is named with the nearest one, and every run
// that it gives has passed check(). The same plan gives the same runs in the same order, whatever computes them. Plain
// data; any thread.
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
  std::vector<nlohmann::ordered_json> values;  ///< of Sweep::fields
};

struct Sweep {                      ///< all cells
  std::string name;                 ///< of the config
  std::vector<std::string> fields;  ///< that are swept, "seed" the last
  std::vector<SweepRun> runs;
};

inline constexpr std::size_t kMostRuns = 100'000;  ///< of one sweep

/// Of a config that is named and not written out: its text and the folder against which its paths are.
struct NamedConfig {
  std::string text, file, folder;
};
using ConfigFinder = std::function<Result<NamedConfig>(const std::string& name)>;

/// `file` names the plan in sentences. BadInput with the field, the reason and the remedy: an unknown field of plan or
/// config, an empty grid, more than kMostRuns, a value that a config may not have, configs of more than 512 MiB
/// together, a name or note of more than 10,000 bytes, more than 1,000 names of parameters, one of them twice.
Result<Sweep> parseSweep(std::string_view text, const std::string& file, const ConfigFinder& find);

}  // namespace sepx::sweep
