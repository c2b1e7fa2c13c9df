// SPDX-License-Identifier: Apache-2.0
// The system resources of this process, which contains the window under test, and levels of such numbers over a long
// time.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace sepx::tests {

/// A number from /proc/self/status; 0 if it does not exist.
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

/// The number of threads for each thread name.
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
/// Medians of the second and of the last quarter of the measured values: after the first quarter the level is stable.
struct Levels {
  explicit Levels(const std::vector<double>& seen) {
    const auto quarter = static_cast<std::ptrdiff_t>(seen.size() / 4);
    early = median({seen.begin() + quarter, seen.begin() + std::max(2 * quarter, quarter + 1)});
    late = median({seen.end() - std::max<std::ptrdiff_t>(quarter, 1), seen.end()});
  }
  double early = 0, late = 0;
};

}  // namespace sepx::tests
