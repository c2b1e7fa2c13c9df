// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>
#include <string>

#include "engine/core/xdg.h"

namespace {

/// Sets an environment variable and restores it at the end.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    value ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~Variable() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

}  // namespace

TEST_CASE("Folders follow the environment variables of the XDG specification", "[xdg]") {
  const Variable config("XDG_CONFIG_HOME", "/a/config"), state("XDG_STATE_HOME", "/a/state");
  CHECK(sepx::configFolder() == "/a/config/separatrix");
  CHECK(sepx::stateFolder() == "/a/state/separatrix");
}

TEST_CASE("Without XDG variables, or with a relative path in them, the folders are under the home folder", "[xdg]") {
  const Variable home("HOME", "/home/lea");
  const Variable config("XDG_CONFIG_HOME", "config"), state("XDG_STATE_HOME", "");
  CHECK(sepx::configFolder() == "/home/lea/.config/separatrix");
  CHECK(sepx::stateFolder() == "/home/lea/.local/state/separatrix");
  const Variable none("HOME", nullptr);
  CHECK(sepx::configFolder().front() == '/');
}
