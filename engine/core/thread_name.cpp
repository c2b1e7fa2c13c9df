// SPDX-License-Identifier: Apache-2.0
#include "engine/core/thread_name.h"

#include <pthread.h>

#include <algorithm>
#include <cstddef>

namespace sepx {

namespace {
constexpr std::size_t kMost = 15;  // bytes, limit of Linux
}

std::string_view shownThreadName(std::string_view name) {
  if (name.size() <= kMost) return name;
  const std::string_view end = name.substr(name.size() - kMost);
  // A dot directly before `end` means that `end` begins with a whole part.
  if (name[name.size() - kMost - 1] == '.') return end;
  const std::size_t dot = end.find('.');
  return dot == std::string_view::npos ? end : end.substr(dot + 1);
}

void nameThread(std::string_view name) {
  char shown[kMost + 1] = {};
  const std::string_view text = shownThreadName(name);
  std::ranges::copy(text, shown);
  pthread_setname_np(pthread_self(), shown);
}

}  // namespace sepx
