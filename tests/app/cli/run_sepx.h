// SPDX-License-Identifier: Apache-2.0
// Runs the command line in this process. Small helpers for the tests of all verbs.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace sepx::test {

using Json = nlohmann::ordered_json;

struct Ran {
  int status = -1;
  std::string out, err;
};

/// `sepx <arguments…>`
Ran command(std::vector<std::string> arguments);
/// Runs with --json added. Fails the test unless the status is `status` and standard output is one JSON document.
Json commandJson(std::vector<std::string> arguments, int status = 0);
/// Fails the test unless the command ends with `status` and prints nothing on standard output and one line `sepx: …`
/// that contains `part` on standard error.
void requireRefused(std::vector<std::string> arguments, int status, const std::string& part);

std::vector<std::string> keysOf(const Json& object);

/// A folder that is removed at the end of the scope.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string readText(const std::string& path);
void writeText(const std::string& path, const std::string& text);

/// Sets an environment variable until the end of the scope.
class Environment {
 public:
  Environment(const char* name, const char* value);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::string name_, before_;
  bool wasSet_;
};

/// Hides all Vulkan drivers until the end of the scope.
struct NoVulkanDriver {
  Environment icds{"VK_ICD_FILENAMES", "/dev/null/driver.json"};
  Environment drivers{"VK_DRIVER_FILES", "/dev/null/driver.json"};
  Environment more{"VK_ADD_DRIVER_FILES", ""};
};

}  // namespace sepx::test
