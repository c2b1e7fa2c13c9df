// SPDX-License-Identifier: Apache-2.0
// Configs by name or path, for the verbs that train. Main thread.
#pragma once

#include <string>
#include <vector>

#include "engine/train/run_config.h"

namespace sepx::app::cli {

std::string configsFolder();
/// Without ".json", sorted.
std::vector<std::string> shippedConfigs();
/// The file that is meant: one that is there, else what ships under that name; otherwise `name` itself.
std::string configFile(const std::string& name);
/// BadInput as train::readRunConfig, with the nearest name of those that ship.
Result<train::RunConfig> readConfig(const std::string& name);

}  // namespace sepx::app::cli
