// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>
#include <string>

#include "engine/core/xdg.h"

namespace {

/// A variable of the environment, set back at the end.
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

TEST_CASE("folders follow the variables of the specification", "[xdg]") {
  const Variable config("XDG_CONFIG_HOME", "/a/config"), state("XDG_STATE_HOME", "/a/state"),
      cache("XDG_CACHE_HOME", "/a/cache"), data("XDG_DATA_HOME", "/a/data"), runtime("XDG_RUNTIME_DIR", "/run/me");
  CHECK(sepx::configFolder() == "/a/config/separatrix");
  CHECK(sepx::stateFolder() == "/a/state/separatrix");
  CHECK(sepx::cacheFolder() == "/a/cache/separatrix");
  CHECK(sepx::dataFolder() == "/a/data/separatrix");
  CHECK(sepx::runtimeFolder() == "/run/me/separatrix");
}

TEST_CASE("without them they are under the home folder, and a relative path counts as none", "[xdg]") {
  const Variable home("HOME", "/home/lea");
  const Variable config("XDG_CONFIG_HOME", "config"), state("XDG_STATE_HOME", ""), cache("XDG_CACHE_HOME", nullptr),
      data("XDG_DATA_HOME", nullptr), runtime("XDG_RUNTIME_DIR", nullptr);
  CHECK(sepx::configFolder() == "/home/lea/.config/separatrix");
  CHECK(sepx::stateFolder() == "/home/lea/.local/state/separatrix");
  CHECK(sepx::cacheFolder() == "/home/lea/.cache/separatrix");
  CHECK(sepx::dataFolder() == "/home/lea/.local/share/separatrix");
  CHECK(sepx::runtimeFolder().empty());
  const Variable none("HOME", nullptr);
  CHECK(sepx::configFolder().front() == '/');
}
