// SPDX-License-Identifier: Apache-2.0
// What this process, which the window under test is a part of, holds of the system, and levels of such numbers over a
// long time.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace sepx::tests {

/// A number of /proc/self/status; 0 where there is none.
inline double ownStatus(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field + ":")) return std::stod(line.substr(field.size() + 1));
  return 0;
}
inline double residentMib() {
  return ownStatus("VmRSS") / 1024;
}
inline double openFiles() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<double>(std::distance(begin(files), end(files)));
}

/// How many threads of each name there are.
inline std::map<std::string, int> threadNames() {
  std::map<std::string, int> names;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(thread.path() / "comm"), name);
    ++names[name];
  }
  return names;
}

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}
/// Medians of the second and of the last quarter of what was seen over a long time: after a quarter the level is known.
struct Levels {
  explicit Levels(const std::vector<double>& seen) {
    const auto quarter = static_cast<std::ptrdiff_t>(seen.size() / 4);
    early = median({seen.begin() + quarter, seen.begin() + std::max(2 * quarter, quarter + 1)});
    late = median({seen.end() - std::max<std::ptrdiff_t>(quarter, 1), seen.end()});
  }
  double early = 0, late = 0;
};

}  // namespace sepx::tests
