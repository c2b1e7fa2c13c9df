// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run_sepx.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "app/cli/cli.h"

namespace sepx::test {

Ran command(std::vector<std::string> arguments) {
  std::ostringstream out, err;
  Ran ran;
  ran.status = app::cli::run(std::move(arguments), out, err);
  ran.out = out.str();
  ran.err = err.str();
  return ran;
}

Json commandJson(std::vector<std::string> arguments, int status) {
  arguments.emplace_back("--json");
  const Ran ran = command(std::move(arguments));
  INFO(ran.err);
  REQUIRE(ran.status == status);
  return Json::parse(ran.out);  // throws, and so fails the test, if other text is printed
}

void requireRefused(std::vector<std::string> arguments, int status, const std::string& part) {
  const Ran ran = command(std::move(arguments));
  INFO(ran.err);
  CHECK(ran.status == status);
  CHECK(ran.out.empty());
  CHECK(ran.err.rfind("sepx: ", 0) == 0);
  CHECK(std::count(ran.err.begin(), ran.err.end(), '\n') == 1);
  CHECK(ran.err.back() == '\n');
  CHECK(ran.err.find(part) != std::string::npos);
}

std::vector<std::string> keysOf(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items())
    keys.push_back(key);
  return keys;
}

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "sepx-test-XXXXXX").string();
  REQUIRE(mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string readText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

void writeText(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  REQUIRE(file.flush());
}

Environment::Environment(const char* name, const char* value) : name_(name) {
  const char* before = std::getenv(name);
  wasSet_ = before != nullptr;
  if (wasSet_) before_ = before;
  setenv(name, value, 1);
}

Environment::~Environment() {
  if (wasSet_) {
    setenv(name_.c_str(), before_.c_str(), 1);
  } else {
    unsetenv(name_.c_str());
  }
}

}  // namespace sepx::test
