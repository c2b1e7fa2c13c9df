// SPDX-License-Identifier: Apache-2.0
// See desktop.h.
#include "tests/hosts/desktop.h"

#include <chrono>
#include <thread>

#include <catch2/catch.hpp>

namespace sepx::tests {

bool waitFor(const std::function<bool()>& condition) {
  return eventually(condition, std::chrono::milliseconds(50));
}

void sleepFor(int ms) {
  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

std::string xdotool(std::vector<std::string> words) {
  words.insert(words.begin(), "xdotool");
  Process process(words);
  const auto status = process.wait();
  INFO("xdotool " << words[1] << ": " << process.output());
  REQUIRE(status == 0);
  return process.output();
}

int framesOf(const Process& program) {
  const std::string log = program.output();
  int count = 0;
  for (std::size_t at = log.find(" frame "); at != std::string::npos; at = log.find(" frame ", at + 1))
    ++count;
  return count;
}

std::string windowOf(const Process& program, const std::string& title) {
  std::string found;
  REQUIRE(waitFor([&] {
    Process search(
        {"xdotool", "search", "--all", "--onlyvisible", "--pid", std::to_string(program.id()), "--name", title});
    // The search fails if a window closes in the meantime, and is then repeated.
    if (search.wait() != 0) return false;
    found = search.output();
    found = found.substr(0, found.find('\n'));
    return !found.empty() && found.find_first_not_of("0123456789") == std::string::npos;
  }));
  return found;
}

void focusPicture(const std::string& window) {
  xdotool({"windowmove", window, "0", "0"});
  xdotool({"mousemove", "620", "240"});
  sleepFor(300);
  xdotool({"click", "1"});
  xdotool({"windowfocus", window});
  sleepFor(300);
}

}  // namespace sepx::tests
