// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/state_words.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/properties/tr_format.h"

namespace sepx::ui {

std::string stateWords(std::string_view state) {
  static constexpr const char* kWords[] = {N_("preparing"), N_("running"), N_("paused"),
                                           N_("finished"),  N_("stopped"), N_("failed")};
  const auto found = std::find(std::begin(kWords), std::end(kWords), state);
  return found == std::end(kWords) ? std::string(state) : std::string(tr(*found));
}

std::string preparingWords(const train::Snapshot& live) {
  if (!live.prepared) return tr("The data are being prepared…");
  return trFormat("The data are being read: {:.0f} %", 100 * *live.prepared);
}

std::string durationWords(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::max(1.0, std::round(seconds)));
  if (whole < 60) return trFormat("{} s", whole);
  if (whole < 3600 && whole % 60 == 0) return trFormat("{} min", whole / 60);
  if (whole < 3600) return trFormat("{} min {} s", whole / 60, whole % 60);
  if (whole < 48 * 3600 && whole / 60 % 60 == 0) return trFormat("{} h", whole / 3600);
  if (whole < 48 * 3600) return trFormat("{} h {} min", whole / 3600, whole / 60 % 60);
  return trFormat("{} days", whole / 86400);
}

std::string stepText(std::int64_t step) {
  std::string digits = std::to_string(std::max<std::int64_t>(0, step));
  for (std::size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits;
}

}  // namespace sepx::ui
