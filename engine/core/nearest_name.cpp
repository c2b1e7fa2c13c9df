// SPDX-License-Identifier: Apache-2.0
#include "engine/core/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace sepx {
namespace {

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

std::string nearestName(std::string_view wrong, std::span<const std::string> names, std::size_t most) {
  const std::string_view start = wrong.substr(0, 60);
  std::string best;
  std::size_t least = most + 1;
  for (const std::string& name : names)
    if (const std::size_t d = distance(start, std::string_view(name).substr(0, 200)); d < least) {
      least = d;
      best = name;
    }
  return best;
}

}  // namespace sepx
