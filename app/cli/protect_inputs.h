// SPDX-License-Identifier: Apache-2.0
// Prevents the output of a verb from replacing one of its inputs. Main thread.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"

namespace sepx::checkpoint {
struct Model;
}

namespace sepx::app::cli {

/// Usage with a sentence that names both when writing `out` would replace one of `inputs`: a file, or a file in a
/// folder (a run, a checkpoint). In a folder only figures, CSV files (.png .svg .pdf .csv) and event files of
/// TensorBoard may be replaced, because no reader takes them for a part of it. `option`: "--out". An empty `out` and
/// "-" do not name a file.
Result<void> protectInputs(const std::string& option, const std::string& out, const std::vector<std::string>& inputs);

/// The files of a checkpoint that was opened from `path`, and `path` itself.
std::vector<std::string> inputsOf(const checkpoint::Model& model, const std::string& path);
/// A session, and the files and folders that it names.
std::vector<std::string> inputsOfSession(const std::string& session);

}  // namespace sepx::app::cli
