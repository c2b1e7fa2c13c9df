// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/state_words.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

bool isPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

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

std::string runFolderName(const std::string& name) {
  constexpr std::size_t kLongest = 60;
  constexpr std::string_view kSign = "−", kMinus = "minus-";
  const auto digit = [&name](std::size_t i) { return i < name.size() && name[i] >= '0' && name[i] <= '9'; };
  std::string made;
  for (std::size_t i = 0; i < name.size() && made.size() < kLongest; ++i) {
    const bool sign = name[i] == '-' || name.compare(i, kSign.size(), kSign) == 0;
    const std::size_t length = name[i] == '-' ? 1 : kSign.size();
    const bool ofNumber = sign && digit(i + length) && (i == 0 || !isPlain(name[i - 1]));
    if (isPlain(name[i]) || (name[i] == '.' && i > 0 && digit(i - 1) && digit(i + 1))) {
      made += name[i];
    } else if (ofNumber) {
      made += kMinus;
    } else if (!made.empty() && made.back() != '-') {
      made += '-';
    }
    if (sign) i += length - 1;
  }
  while (made.ends_with('-'))
    made.pop_back();
  return made.empty() ? "run" : made;
}

std::string runTitle(const std::string& name, const std::string& folderName) {
  const std::string stem = runFolderName(name);
  if (name.empty() || !folderName.starts_with(stem)) return folderName;
  const std::string rest = folderName.substr(stem.size());
  if (rest.empty()) return name;
  const bool numbered = rest.size() > 1 && rest.front() == '-' &&
                        std::all_of(rest.begin() + 1, rest.end(), [](char c) { return c >= '0' && c <= '9'; });
  return numbered ? name + " " + rest.substr(1) : folderName;
}

}  // namespace sepx::ui
