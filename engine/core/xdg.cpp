// SPDX-License-Identifier: Apache-2.0
// The folders of the XDG base directory specification. A variable that is not an absolute path counts as unset, as the
// specification requires. Without HOME, the home folder is taken from the password database. Creates no folders. Any
// thread, as long as no thread changes the environment meanwhile.
#include "engine/core/xdg.h"

#include <cstdlib>
#include <string_view>

#include <pwd.h>
#include <unistd.h>

namespace sepx {

namespace {

constexpr std::string_view kProgram = "/separatrix";

/// Empty if the variable is not an absolute path.
std::string absoluteOf(const char* variable) {
  const char* const value = std::getenv(variable);
  return value && value[0] == '/' ? std::string(value) : std::string();
}

std::string home() {
  if (std::string named = absoluteOf("HOME"); !named.empty()) return named;
  const passwd* const entry = ::getpwuid(::getuid());
  return entry && entry->pw_dir && entry->pw_dir[0] == '/' ? entry->pw_dir : "/";
}

std::string folder(const char* variable, std::string_view underHome) {
  std::string base = absoluteOf(variable);
  if (base.empty()) base = home() + std::string(underHome);
  return base.append(kProgram);
}

}  // namespace

std::string configFolder() {
  return folder("XDG_CONFIG_HOME", "/.config");
}
std::string stateFolder() {
  return folder("XDG_STATE_HOME", "/.local/state");
}
std::string cacheFolder() {
  return folder("XDG_CACHE_HOME", "/.cache");
}
std::string dataFolder() {
  return folder("XDG_DATA_HOME", "/.local/share");
}

}  // namespace sepx
