// SPDX-License-Identifier: Apache-2.0
// Running shell commands in tests, and counting a part of a text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include <sys/wait.h>
#include <catch2/catch.hpp>

namespace sepx::tests {

/// Runs a shell command. Returns its exit status and its output. Fails the test if a signal ended the command.
inline std::pair<int, std::string> shell(const std::string& command) {
  FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), got);
  const int status = ::pclose(pipe);
  REQUIRE(WIFEXITED(status));
  return {WEXITSTATUS(status), text};
}

/// The output of a command that must succeed.
inline std::string outputOf(const std::string& command) {
  auto [status, text] = shell(command);
  REQUIRE(status == 0);
  return std::move(text);
}

/// Whether a program is installed.
inline bool have(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

/// How often `part`, which is not empty, occurs in `text` without overlaps.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++found;
  return found;
}

}  // namespace sepx::tests
