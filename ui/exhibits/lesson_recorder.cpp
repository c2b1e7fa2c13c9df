// SPDX-License-Identifier: Apache-2.0
#include "ui/exhibits/lesson_recorder.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/exhibits/lesson_list.h"

namespace sepx::ui {
namespace {

constexpr std::size_t kMostPairs = 6;  // keys on one line
constexpr const char* kWindow = "panes.";
constexpr const char* kPoints = "flow.points";

std::size_t pointsIn(const Document& document, int pane) {
  return document.list(joinPaneKey(kPoints, pane)).size();
}

/// The line `add point` with the coordinates of a point.
std::string pointLine(const Document& document, const PropertyRegistry& registry, int pane, std::size_t index) {
  std::string line = pane == 1 ? "add point " : fmt::format("on flow@{} add point ", pane);
  const Document own = document.pane(pane);
  for (const char* name : {"e", "w", "a"}) {
    const Value value = registry.get(own, fmt::format("{}[{}].{}", kPoints, index, name));
    const auto* const number = std::get_if<double>(&value);
    if (!number || (*name == 'a' && *number == 0)) continue;
    line += (*name == 'e' ? "" : ",") + fmt::format("{:.6g}", *number);
  }
  return line;
}

class Recording {
 public:
  Recording(const Document& before, const Document& after, const PropertyRegistry& registry)
      : before_(before), after_(after), registry_(registry) {}

  std::vector<std::string> lines() {
    takeWindow();
    takePane(1);
    for (int pane = 2; pane <= kMostPanes; ++pane)
      if (after_.hasPane(pane)) takePane(pane);
    return std::move(lines_);
  }

 private:
  /// The parameters of the window. They come first, so that a pane exists before values are set in it.
  void takeWindow() {
    for (const Property& property : registry_.properties()) {
      if (!property.key.starts_with(kWindow) || !inLessons(property.key)) continue;
      const Value value = registry_.get(after_, property.key);
      if (value != registry_.get(before_, property.key))
        lines_.push_back("set " + property.key + " " + scriptWord(toString(value)));
    }
  }

  void takePane(int pane) {
    const Document was = before_.pane(pane), is = after_.pane(pane);
    const std::string exhibit = toString(registry_.get(is, "exhibit"));
    if (exhibit != toString(registry_.get(was, "exhibit"))) {
      // The script step `exhibit` acts on the active pane, so other panes use `set`.
      lines_.push_back(pane == 1 ? "exhibit " + exhibit
                                 : fmt::format("set {} {}", joinPaneKey("exhibit", pane), exhibit));
    }
    takePoints(pane);
    std::string line;
    std::size_t pairs = 0;
    const auto add = [&](const std::string& key, const Value& value) {
      if (pairs == kMostPairs) {
        lines_.push_back(std::exchange(line, {}));
        pairs = 0;
      }
      line += (line.empty() ? "set " : " ") + joinPaneKey(key, pane) + " " + scriptWord(toString(value));
      ++pairs;
    };
    for (const Property& property : registry_.properties()) {
      if (property.key == "exhibit" || property.key.starts_with(kWindow) || !inLessons(property.key)) continue;
      for (const std::string& key : keysOf(property.key, was, is)) {
        const Value value = registry_.get(is, key);
        if (value != registry_.get(was, key) && !std::holds_alternative<std::monostate>(value)) add(key, value);
      }
    }
    if (!line.empty()) lines_.push_back(line);
  }

  /// The key, or for a list the keys of the elements that both documents have.
  static std::vector<std::string> keysOf(const std::string& declared, const Document& was, const Document& is) {
    const std::size_t list = declared.find("[]");
    if (list == std::string::npos) return {declared};
    const std::string name = declared.substr(0, list);
    const std::size_t count = std::min(was.list(name).size(), is.list(name).size());
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < count; ++i)
      keys.push_back(fmt::format("{}[{}]{}", name, i, declared.substr(list + 2)));
    return keys;
  }

  void takePoints(int pane) {
    const std::size_t was = pointsIn(before_, pane), is = pointsIn(after_, pane);
    if (is < was) lines_.push_back("# points were removed, which lines of a lesson cannot do");
    for (std::size_t i = was; i < is; ++i)
      lines_.push_back(pointLine(after_, registry_, pane, i));
  }

  const Document& before_;
  const Document& after_;
  const PropertyRegistry& registry_;
  std::vector<std::string> lines_;
};

}  // namespace

std::string scriptWord(const std::string& text) {
  const bool plain = !text.empty() && text != "in" && text.find_first_of(" \t\n\"\\#") == std::string::npos;
  if (plain) return text;
  std::string word = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') word += '\\';
    word += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  }
  return word + '"';
}

std::vector<std::string> recordedLines(const Document& before, const Document& after,
                                       const PropertyRegistry& registry) {
  return Recording(before, after, registry).lines();
}

std::string expectationLine(const std::string& key, const Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return {};
  const auto* const number = std::get_if<double>(&value);
  if (!number) return fmt::format("expect {} == {}", key, scriptWord(toString(value)));
  if (!std::isfinite(*number)) return {};
  if (*number == std::round(*number) && std::abs(*number) < 1e15) return fmt::format("expect {} == {}", key, *number);
  // Relative tolerance 1e-4: a number in a text has no more than four digits.
  return fmt::format("expect {} ~ {:.6g} +- {:.1g}", key, *number, std::abs(*number) * 1e-4);
}

}  // namespace sepx::ui
