// SPDX-License-Identifier: Apache-2.0
// Steps of one run on one process and on two ranks (sepx train --mpi), the sums between the ranks, and a model made of
// them for more ranks.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sepx::bench {

/// `bin`: where sepx and sepx_rank_messages are; `folder`: where ranks/ is. A sentence in place of figures where MPI or
/// mpirun is missing.
nlohmann::ordered_json measureRanks(const std::string& bin, const std::string& folder);
/// The same as tables in Markdown, with the model.
std::string ranksTable(const nlohmann::ordered_json& measured);

}  // namespace sepx::bench
