// SPDX-License-Identifier: Apache-2.0
// Chooses the next steps of a walk: mostly something on the visible page, sometimes a jump.
#include "tests/monkey/walk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <sstream>

#include <fmt/format.h>

namespace sepx::monkey {

namespace {

using ui::Kind;
using ui::Property;

/// Values for text fields: names, numbers, texts that no field accepts, texts that are not ASCII.
constexpr std::array kTexts{"",
                            "0",
                            "-1",
                            "1e309",
                            "nan",
                            "a b c",
                            "the cat sat",
                            "[MASK]",
                            "2, 5",
                            "[0,",
                            "d_model",
                            "loss < 1",
                            "\xC3\xA9\xE2\x82\xAC",
                            "%s%n{}",
                            "../..",
                            "#ff0000",
                            "#12",
                            "d_model >= 4, state = ended"};
constexpr std::array kFurtherChords{
    "Up",    "Down",   "Left", "Right",  "Home",         "End",    "PageUp", "PageDown", "Tab", "Enter",
    "Space", "Escape", "F6",   "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+A", "1",      "2",        "3",   "Delete",
    ".",     ",",      "+",    "-",      "Ctrl+1",       "Ctrl+2", "Ctrl+4"};
constexpr std::array kSizes{"560x400", "560x400", "320x240", "900x560", "400x700", "120x90", "31x17", "1000x200"};
constexpr std::array kScales{"1", "1", "1", "2", "0.5", "1.25"};

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

class Walker {
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  template <class List>
  const auto& any(const List& list) {
    return list[below(list.size())];
  }

 public:
  Walker(std::uint64_t seed, const Vocabulary& words) : words_(words), random_(seed * 0x9E3779B97F4A7C15ull + 1) {
    page_ = &any(words_.pages);
  }

  std::vector<std::string> walk(int steps) {
    goTo(any(words_.pages));
    while (static_cast<int>(lines_.size()) < steps)
      act();
    lines_.resize(static_cast<std::size_t>(steps));
    return std::move(lines_);
  }

 private:
  bool chance(int percent) { return static_cast<int>(below(100)) < percent; }
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(below(1u << 20)) / static_cast<double>((1u << 20) - 1);
  }
  void say(std::string step) { lines_.push_back("try " + std::move(step)); }

  /// A key in one of the panes, mostly in the first, which always exists.
  std::string inPane(const std::string& key) {
    if (chance(85) || key.starts_with("panes.") || key.starts_with("workbench.")) return key;
    const std::size_t dot = std::min(key.find('.'), key.size());
    return key.substr(0, dot) + fmt::format("@{}", 1 + below(4)) + key.substr(dot);
  }
  /// Replaces every list in a key by one of its elements.
  std::string indexed(std::string key) {
    for (std::size_t at = key.find("[]"); at != std::string::npos; at = key.find("[]"))
      key.replace(at, 2, fmt::format("[{}]", chance(90) ? below(3) : 1000));
    return key;
  }

  void goTo(const PageWords& page) {
    page_ = &page;
    const std::string pane = chance(88) ? "" : fmt::format("@{}", 1 + below(4));
    if (chance(85)) say(fmt::format("set exhibit{} {}", pane, page.exhibit));
    if (!page.page.empty()) say(fmt::format("set {}{}.page {}", page.exhibit, pane, page.page));
  }

  std::string number(const Property& property) {
    double value = 0;
    const auto fallback = std::get_if<double>(&property.fallback);
    switch (below(8)) {
      case 0:
        return fmt::format("{}", property.min);
      case 1:
        return fmt::format("{}", property.max);
      case 2:
        return any(std::array{"-1e308", "1e308", "0", "-1", "0.5", "1e-300", "three", "4294967296"});
      case 3:
        value = fallback ? *fallback : property.min;
        break;
      case 4:
        value = property.min + property.step;
        break;
      default:
        // Most behaviour depends on small numbers, even if the range is large.
        value = chance(50) ? between(property.min, property.max)
                           : std::clamp(property.min + between(0, 12), property.min, property.max);
    }
    return property.kind == Kind::Integer ? fmt::format("{:.0f}", std::round(value)) : fmt::format("{:.6g}", value);
  }

  std::string valueOf(const Property& property) {
    if (chance(4)) return quoted(any(kTexts));
    switch (property.kind) {
      case Kind::Toggle:
        return chance(50) ? "on" : "off";
      case Kind::Choice:
        return property.choices.empty() ? quoted("none") : quoted(any(property.choices));
      case Kind::Text:
        if (property.file) return quoted(any(words_.files));
        if (property.color) return quoted(chance(70) ? "#3366cc" : any(kTexts));
        return quoted(any(kTexts));
      default:
        return number(property);
    }
  }

  /// A parameter of the visible page, of its exhibit, or any parameter.
  const Property& parameter() {
    const std::string near = page_->exhibit + "." + page_->page, of = page_->exhibit + ".";
    const std::string& wanted = chance(45) ? near : chance(75) ? of : kEverything;
    std::vector<const Property*> found;
    for (const Property& property : words_.parameters)
      if (property.key.starts_with(wanted)) found.push_back(&property);
    return found.empty() ? any(words_.parameters) : *any(found);
  }

  std::string pixel() { return fmt::format("@{:.0f},{:.0f}", between(-4, kWidth + 4.0), between(-4, kHeight + 4.0)); }
  /// A place, more often on the picture than on panels.
  std::string place() {
    if (chance(25)) return fmt::format("{:.3g},{:.3g}", between(-2.5, 2.5), between(-2.5, 2.5));
    if (chance(25)) return pixel();
    return fmt::format("@{:.0f},{:.0f}", between(0, 0.62 * kWidth), between(0.06 * kHeight, 0.94 * kHeight));
  }
  std::string onCanvas() {
    if (chance(92)) return {};
    return fmt::format("on {}@{} ", page_->exhibit, 1 + below(4));
  }

  void pointer() {
    switch (below(10)) {
      case 8:
        return say(fmt::format("{}press {}", onCanvas(), place()));
      case 9:
        return say(fmt::format("{}release {}", onCanvas(), place()));
      case 0:
      case 1:
        return say(fmt::format("{}click {}", onCanvas(), place()));
      case 2:
        return say(fmt::format("{}hover {}", onCanvas(), place()));
      case 3:
      case 4:
        return say(fmt::format("{}scroll {} {}", onCanvas(), place(),
                               chance(50) ? 1 + static_cast<int>(below(12)) : -1 - static_cast<int>(below(12))));
      case 5:
        return say(fmt::format("add point {:.3g},{:.3g}{}", between(-2, 2), between(-2, 2),
                               chance(25) ? fmt::format(",{:.3g}", between(-2, 2)) : ""));
      default:
        return say(fmt::format("{}drag {} -> {}{}", onCanvas(), place(), place(), chance(30) ? " in 0.5" : ""));
    }
  }

  void control() {
    if (page_->controls.empty()) return pointer();
    const std::string key = any(page_->controls);
    for (const Property& property : words_.parameters)
      if (property.key == key && chance(50)) return say(fmt::format("set ui:{} {}", key, valueOf(property)));
    say("click ui:" + key);
    if (key.ends_with("#entry") || chance(10)) say("type " + quoted(any(kTexts)));
  }

  void chord() {
    say("key " + (page_->chords.empty() || chance(40) ? std::string(any(kFurtherChords)) : any(page_->chords)));
  }

  /// A file that was saved in this walk, or one of the given files.
  void file() {
    if (chance(25)) {
      saved_.push_back(fmt::format("walk-{}.sepx", saved_.size()));
      return say("save " + saved_.back());
    }
    if (!saved_.empty() && chance(30)) return say("open " + any(saved_));
    say(fmt::format("{} {}", chance(80) ? "open" : "drop", quoted(any(words_.files))));
  }

  void animation() {
    switch (below(4)) {
      case 0:
        return say("play");
      case 1:
        return say("pause");
      case 2:
        return say(fmt::format("step {}", 1 + below(12)));
      default:
        return say(fmt::format("wait frames {}", 1 + below(20)));
    }
  }

  /// A command of the visible page by its control, such as the one that starts, pauses or ends a run.
  void command() {
    std::vector<std::string> buttons;
    for (const std::string& key : page_->controls)
      if (key.find('#') == std::string::npos &&
          std::none_of(words_.parameters.begin(), words_.parameters.end(),
                       [&](const Property& property) { return key == property.key; }))
        buttons.push_back(key);
    if (buttons.empty()) return control();
    say("click ui:" + any(buttons));
    if (chance(30)) say(fmt::format("wait frames {}", 1 + below(8)));
  }

  void window() {
    switch (below(5)) {
      case 0:
        return say(fmt::format("resize {}", any(kSizes)));
      case 1:
        return say(fmt::format("scale {}", any(kScales)));
      case 2:
        return say("theme " + any(words_.themes));
      case 3:
        return say(fmt::format("set panes.layout {}", any(std::array{"one", "two", "four"})));
      default:
        return say(fmt::format("set panes.active {}", 1 + below(5)));
    }
  }

  void act() {
    static const std::array<std::pair<int, void (Walker::*)()>, 10> kDone{{{22, &Walker::setSome},
                                                                           {18, &Walker::pointer},
                                                                           {12, &Walker::control},
                                                                           {10, &Walker::command},
                                                                           {11, &Walker::chord},
                                                                           {7, &Walker::jump},
                                                                           {7, &Walker::file},
                                                                           {5, &Walker::animation},
                                                                           {5, &Walker::window},
                                                                           {3, &Walker::history}}};
    auto at = static_cast<int>(below(100));
    for (const auto& [share, action] : kDone)
      if ((at -= share) < 0) return (this->*action)();
  }

  void setSome() {
    const Property& property = parameter();
    say(fmt::format("set {} {}", inPane(indexed(property.key)), valueOf(property)));
  }
  void jump() { goTo(any(words_.pages)); }
  void history() { say(fmt::format("{} {}", chance(65) ? "undo" : "redo", 1 + below(4))); }

  static inline const std::string kEverything;
  const Vocabulary& words_;
  std::mt19937_64 random_;
  const PageWords* page_;
  std::vector<std::string> lines_, saved_;
};

}  // namespace

std::vector<std::string> makeWalk(std::uint64_t seed, int steps, const Vocabulary& words) {
  return Walker(seed, words).walk(steps);
}

std::string scriptOf(const std::vector<std::string>& lines) {
  std::string text = "script 1\n";
  for (const std::string& line : lines)
    text += line + "\n";
  return text;
}

std::vector<std::string> linesOf(const std::string& script) {
  std::vector<std::string> lines;
  std::istringstream in(script);
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line.front() != '#' && !line.starts_with("script ")) lines.push_back(line);
  return lines;
}

}  // namespace sepx::monkey
