// SPDX-License-Identifier: Apache-2.0
// A folder for the files of one test: new and empty, and removed with its content at the end.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace sepx::tests {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sepx-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot make " + pattern);
    path = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(std::string_view name) const { return (path / name).string(); }
  /// Writes `content` to the file `name`, creates its folders, and returns its path.
  std::string file(const std::string& name, std::string_view content) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << content;
    return (path / name).string();
  }
  /// Number of entries in the folder, or in the folder `in` inside it; 0 if it does not exist.
  std::size_t files(const std::string& in = {}) const {
    std::error_code failed;
    const std::filesystem::directory_iterator all(path / in, failed);
    return failed ? 0 : static_cast<std::size_t>(std::distance(all, std::filesystem::directory_iterator()));
  }

  std::filesystem::path path;
};

}  // namespace sepx::tests
