// SPDX-License-Identifier: Apache-2.0
// Configs by name or path, for the verbs that train. Main thread.
#pragma once

#include <string>
#include <vector>

#include "engine/train/run_config.h"

namespace sepx::app::cli {

std::string configsFolder();
/// Names without ".json", sorted.
std::vector<std::string> shippedConfigs();
/// The file that `name` refers to: an existing file, else the shipped config of this name, else `name` itself.
std::string configFile(const std::string& name);
/// BadInput as in train::readRunConfig, with the most similar name of a shipped config.
Result<train::RunConfig> readConfig(const std::string& name);

}  // namespace sepx::app::cli
