// SPDX-License-Identifier: Apache-2.0
// Measures the cost of the sums of a shared run between the ranks that mpirun starts: the median time of one sum, for
// messages of several sizes. Rank 0 prints JSON: {"ranks", "sums": [{"bytes", "seconds"}]}.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/mpi/mpi_session.h"

int main() {
  const auto session = sepx::mpi::Session::start();
  if (!session) {
    std::cerr << "sepx_rank_messages: " << session.error().message << "\n";
    return 2;
  }
  sepx::train::ProcessGroup& group = (*session)->group();
  nlohmann::ordered_json result{{"ranks", group.size()}, {"sums", nlohmann::ordered_json::array()}};
  for (const std::size_t count : {2U, 64U, 1U << 14U, 1U << 18U, 1U << 20U, 1U << 23U}) {
    constexpr int kRounds = 41;
    std::vector<float> values(count, 1.0F);
    std::vector<double> seconds;
    for (int round = 0; round < kRounds; ++round) {
      std::vector<float> together(1);  // synchronises the ranks
      if (!group.sum(together)) return 1;
      const auto begin = std::chrono::steady_clock::now();
      if (!group.sum(values)) return 1;
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      std::ranges::fill(values, 1.0F);
    }
    std::ranges::nth_element(seconds, seconds.begin() + kRounds / 2);
    result["sums"].push_back({{"bytes", count * sizeof(float)}, {"seconds", seconds[kRounds / 2]}});
  }
  if (group.rank() == 0) std::cout << result.dump() << "\n";
  return 0;
}
