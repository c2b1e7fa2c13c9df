// SPDX-License-Identifier: Apache-2.0
// Measures the steps of a run on one process and on two ranks (sepx train --mpi) and the sums between the ranks, and
// models the time on more ranks from them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sepx::bench {

/// `bin` contains sepx and sepx_rank_messages, `folder` contains ranks/. Returns a message instead of figures if MPI or
/// mpirun is missing.
nlohmann::ordered_json measureRanks(const std::string& bin, const std::string& folder);
/// The same as tables in Markdown, with the model.
std::string ranksTable(const nlohmann::ordered_json& measured);

}  // namespace sepx::bench
