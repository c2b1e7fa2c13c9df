// SPDX-License-Identifier: Apache-2.0
#include "ui/properties/pseudo_language.h"

#include <cmath>
#include <mutex>
#include <unordered_map>

namespace sepx::ui {
namespace {

constexpr double kLonger = 0.4;
constexpr std::string_view kMore[] = {"ë", "n"};

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The end of a value, a formula or code that begins at `at`; `at` itself if a word may begin there.
std::size_t skipped(std::string_view text, std::size_t at) {
  const auto past = [&](char end) {
    const auto found = text.find(end, at + 1);
    return found == std::string_view::npos ? at : found + 1;
  };
  if (text[at] == '{') return past('}');
  if (text[at] == '$' || text[at] == '`') return past(text[at]);
  if (text[at] == '%' && at + 1 < text.size()) return at + 2;
  return at;
}

class Pseudo final : public Translations {
 public:
  const char* find(std::string_view text) const override {
    const std::lock_guard lock(mutex_);
    const auto [entry, fresh] = kept_.try_emplace(std::string(text));
    if (fresh) entry->second = lengthened(text);
    return entry->second.c_str();
  }
  const char* findPlural(std::string_view, std::uint64_t) const override { return nullptr; }
  const std::vector<Entry>& all() const override {
    static const std::vector<Entry> none;
    return none;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string, std::string> kept_;
};

}  // namespace

std::string lengthened(std::string_view text) {
  std::string longer;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t end = skipped(text, at); end > at) {
      longer += text.substr(at, end - at);
      at = end;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && isLetter(text[end]))
      ++end;
    if (end == at) {
      longer += text[at++];
      continue;
    }
    longer += text.substr(at, end - at);
    const auto more = std::lround(kLonger * static_cast<double>(end - at));
    for (long i = 0; i < more; ++i)
      longer += kMore[i % 2];
    at = end;
  }
  return longer;
}

const Translations& pseudoLanguage() {
  static const Pseudo language;
  return language;
}

}  // namespace sepx::ui
