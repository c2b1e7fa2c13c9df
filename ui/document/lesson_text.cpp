// SPDX-License-Identifier: Apache-2.0
#include "ui/document/lesson_text.h"

#include <algorithm>
#include <utility>

namespace sepx::ui {
namespace {

constexpr std::string_view kFence = "```";

/// The text with one empty line at its end; an empty text stays empty.
std::string closed(std::string text) {
  while (text.ends_with('\n') || text.ends_with(' '))
    text.pop_back();
  return text.empty() ? text : text + "\n\n";
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line + "\n";
  return text;
}

/// Offset of the closing fence of the last `steps` block of a step; npos if it has none.
std::size_t lastFence(std::string_view step) {
  std::size_t found = std::string_view::npos;
  std::string_view open;  // name of the block that is open
  bool inside = false;
  for (std::size_t at = 0; at < step.size();) {
    const std::size_t end = std::min(step.find('\n', at), step.size());
    const std::string_view line = step.substr(at, end - at);
    if (line.starts_with(kFence)) {
      if (inside && open == "steps") found = at;
      open = line.substr(kFence.size());
      inside = !inside;
    }
    at = end + 1;
  }
  return found;
}

}  // namespace

std::vector<StepText> stepsIn(std::string_view text) {
  std::vector<StepText> steps;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.starts_with(kFence)) inside = !inside;
    if (!inside && line.starts_with("## ")) {
      if (!steps.empty()) steps.back().end = at;
      steps.push_back({at, text.size(), std::string(line.substr(3))});
    }
    at = end + 1;
  }
  return steps;
}

std::size_t stepAt(const std::vector<StepText>& steps, std::size_t place) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].begin <= place) found = i;
  return found;
}

EditedText withMovedStep(const std::string& text, std::size_t step, int by) {
  const std::vector<StepText> steps = stepsIn(text);
  const std::size_t first = by < 0 ? step - 1 : step;
  if (step >= steps.size() || (by < 0 && step == 0) || first + 1 >= steps.size())
    return {text, step < steps.size() ? steps[step].begin : 0};
  const StepText &upper = steps[first], &lower = steps[first + 1];
  const std::string above = closed(text.substr(upper.begin, upper.end - upper.begin));
  const std::string below = closed(text.substr(lower.begin, lower.end - lower.begin));
  const std::string rest = text.substr(lower.end);
  const std::size_t place = by < 0 ? upper.begin : upper.begin + below.size();
  return {text.substr(0, upper.begin) + below + (rest.empty() ? above.substr(0, above.size() - 1) : above) + rest,
          place};
}

EditedText withLines(const std::string& text, std::size_t step, const std::vector<std::string>& lines) {
  const std::vector<StepText> steps = stepsIn(text);
  if (steps.empty()) {
    const EditedText begun = withNewStep(text, 0, "Step");
    return withLines(begun.text, 0, lines);
  }
  const StepText& at = steps[std::min(step, steps.size() - 1)];
  const std::string own = text.substr(at.begin, at.end - at.begin);
  const std::string added = joined(lines);
  if (const std::size_t fence = lastFence(own); fence != std::string::npos) {
    const std::size_t place = at.begin + fence;
    return {text.substr(0, place) + added + text.substr(place), place + added.size()};
  }
  const std::string before = text.substr(0, at.begin) + closed(own) + "```steps\n" + added;
  const std::string rest = text.substr(at.end);
  return {before + "```\n" + (rest.empty() ? "" : "\n" + rest), before.size()};
}

EditedText withNewStep(const std::string& text, std::size_t step, const std::string& title) {
  const std::vector<StepText> steps = stepsIn(text);
  const std::size_t end = steps.empty() ? text.size() : steps[std::min(step, steps.size() - 1)].end;
  const std::string before = closed(text.empty() ? "# Title" : text.substr(0, end)) + "## " + title + "\n\n";
  return {before + "\n" + text.substr(end), before.size()};
}

}  // namespace sepx::ui
