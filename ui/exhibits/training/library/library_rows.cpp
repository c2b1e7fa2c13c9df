// SPDX-License-Identifier: Apache-2.0
// See library_rows.h.
#include "ui/exhibits/training/library/library_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

LibraryState readLibraryState(const Document& document, const PropertyRegistry& registry) {
  LibraryState state;
  registry.read(document, state);
  return state;
}

std::string joinedNames(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ", ";
    for (const char c : name) {
      if (c == ',' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text;
}

std::vector<std::string> separateNames(std::string_view text) {
  std::vector<std::string> names;
  std::string name;
  const auto add = [&] {
    const std::size_t from = name.find_first_not_of(' ');
    if (from != std::string::npos) names.push_back(name.substr(from, name.find_last_not_of(' ') - from + 1));
    name.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      name += text[++i];
    } else if (text[i] == ',') {
      add();
    } else {
      name += text[i];
    }
  }
  add();
  return names;
}

Document withChosen(const Document& document, const std::vector<std::string>& names) {
  return document.with("training.library.selected", joinedNames(names));
}

bool hasCondition(const std::string& filter, const std::string& condition) {
  const std::vector<std::string> all = separateNames(filter);
  return std::ranges::find(all, condition) != all.end();
}

std::string withConditionToggled(const std::string& filter, const std::string& condition) {
  std::vector<std::string> all = separateNames(filter);
  if (std::erase(all, condition) == 0) all.push_back(condition);
  std::string text;
  for (const std::string& one : all)
    text += (text.empty() ? "" : ", ") + one;
  return text;
}

bool LibraryRows::update(const train::RunList& runs, std::uint64_t revision, const LibraryFolders& folders,
                         const LibraryState& state, const std::string& today) {
  if (seen_ == revision && state_ == state && folders_ == folders && today_ == today) return false;
  const bool others = seen_ != revision || folders_ != folders || !state_ || state_->lessons != state.lessons;
  seen_ = revision;
  folders_ = folders;
  today_ = today;
  if (others) take(runs, state.lessons);
  find(state);
  group();
  state_ = state;
  ++revision_;
  return true;
}

bool LibraryRows::isOfLesson(const std::string& runFolder) const {
  return !folders_.lessons.empty() && runFolder.starts_with(folders_.lessons + "/");
}

void LibraryRows::take(const train::RunList& runs, bool lessons) {
  all_.clear();
  ofLessons_ = 0;
  for (const auto& run : runs) {
    const bool ofLesson = isOfLesson(run->folder);
    ofLessons_ += ofLesson ? 1 : 0;
    if (!ofLesson || lessons) all_.push_back(run);
  }
  fields_ = train::RunFields(all_);
}

void LibraryRows::find(const LibraryState& state) {
  problems_.clear();
  if (auto filter = train::RunFilter::parse(state.filter, fields_)) {
    filter_ = std::move(*filter);
  } else {
    problems_.push_back(trFormat("Filter: {}", sentenceCase(filter.error().message)));
    // The indices of the fields may have changed, so the previous filter is parsed again.
    filter_ = state_ ? train::RunFilter::parse(state_->filter, fields_).value_or(filter_) : train::RunFilter();
  }
  if (const auto sort = fields_.find(state.sort)) {
    sort_ = *sort;
  } else {
    problems_.push_back(trFormat("Order: {}", sentenceCase(sort.error().message)));
    sort_ = fields_.find("created").value_or(0);
  }
  columns_.clear();
  std::string words = state.columns;
  std::ranges::replace(words, ' ', ',');
  for (const std::string& word : separateNames(words)) {
    const auto field = fields_.find(word);
    if (field)
      columns_.push_back(*field);
    else
      problems_.push_back(trFormat("Columns: {}", sentenceCase(field.error().message)));
  }
  shown_.clear();
  for (const auto& run : all_)
    if (filter_.passes(*run, fields_) && train::isFound(*run, state.search)) shown_.push_back(run);
  shown_ = train::sorted(std::move(shown_), fields_, sort_, state.descending);
  std::stable_partition(shown_.begin(), shown_.end(), [this](const auto& run) { return !isOfLesson(run->folder); });
  chosen_ = named(state.chosen);
}

/// Groups the shown runs: below days if they are ordered by a time, and below Lessons.
void LibraryRows::group() {
  const std::string& order = fields_.keys()[sort_];
  const bool byDay = order == "created" || order == "used";
  const auto dayOf = [&](const train::RunSummary& run) -> std::string {
    const train::RunValue value = fields_.of(run, sort_);
    const auto* const time = std::get_if<std::string>(&value);
    if (!time) return tr("Without a date");
    const std::string day = train::shownDay(*time);
    return day == "today" ? tr("Today") : day == "yesterday" ? tr("Yesterday") : day;
  };
  groups_.clear();
  rows_.clear();
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    std::string title = isOfLesson(shown_[i]->folder) ? tr("Lessons") : byDay ? dayOf(*shown_[i]) : std::string();
    if (groups_.empty() || groups_.back().title != title) {
      groups_.push_back({std::move(title)});
      if (!groups_.back().title.empty()) rows_.push_back({groups_.size() - 1, std::nullopt});
    }
    ++groups_.back().count;
    rows_.push_back({groups_.size() - 1, i});
  }
}

train::RunList LibraryRows::named(const std::vector<std::string>& names) const {
  train::RunList found;
  for (const std::string& name : names) {
    const auto at = std::ranges::find_if(shown_, [&](const auto& run) { return nameOf(*run) == name; });
    if (at != shown_.end()) found.push_back(*at);
  }
  return found;
}

bool LibraryRows::isChosen(const train::RunSummary& run) const {
  return std::ranges::any_of(chosen_, [&run](const auto& one) { return one.get() == &run; });
}

std::string LibraryRows::nameOf(const std::string& runFolder) const {
  const std::string& own = folders_.own;
  const std::string last = runFolder.substr(runFolder.find_last_of('/') + 1);
  if (isOfLesson(runFolder)) return "lessons/" + last;
  const bool below = runFolder.size() > own.size() + 1 && runFolder.starts_with(own + "/");
  return below ? runFolder.substr(own.size() + 1) : last;
}

std::string LibraryRows::titleOf(const train::RunSummary& run) const {
  const std::string name = nameOf(run);
  const std::size_t slash = name.find_last_of('/');
  if (slash == std::string::npos || isOfLesson(run.folder)) return runTitle(run.record.name, name.substr(slash + 1));
  return name.substr(0, slash + 1) + runTitle(run.record.name, name.substr(slash + 1));
}

std::string sharedTags(const train::RunList& runs) {
  std::string text;
  if (runs.empty()) return text;
  for (const std::string& tag : runs.front()->own.tags) {
    const bool all = std::ranges::all_of(
        runs, [&tag](const auto& run) { return std::ranges::find(run->own.tags, tag) != run->own.tags.end(); });
    if (all) text += (text.empty() ? "" : ", ") + tag;
  }
  return text;
}

std::string sharedNotes(const train::RunList& runs) {
  const bool alike = !runs.empty() && std::ranges::all_of(runs, [&runs](const auto& run) {
    return run->own.notes == runs.front()->own.notes;
  });
  return alike ? runs.front()->own.notes : std::string();
}

Column exportColumn(const std::string& name, bool number, const std::vector<train::RunValue>& values) {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  for (const train::RunValue& value : values) {
    const auto* const one = std::get_if<double>(&value);
    const auto* const text = std::get_if<std::string>(&value);
    if (number)
      numbers.push_back(one ? *one : std::nan(""));
    else
      texts.push_back(text ? *text : "");
  }
  return number ? Column{name, "", std::move(numbers)} : Column{name, "", std::move(texts)};
}

std::string headOf(const std::string& key) {
  if (key == "folder") return tr("run");
  if (key == "used") return tr("last used");
  const std::size_t dot = key.find_last_of('.');
  if (dot == std::string::npos) return key;
  const std::string last = key.substr(dot + 1);
  return last == "kind" ? key.substr(0, dot) : last;
}

std::string valueWords(const std::string& key, const train::RunValue& value) {
  if (const auto* const text = std::get_if<std::string>(&value)) {
    if (key == "state") {
      if (*text == "killed") return tr("interrupted");
      return *text == "unreadable" ? std::string(tr("unreadable")) : stateWords(*text);
    }
    constexpr std::size_t kToMinutes = 16;
    std::string words = *text;
    if (key == "created" || key == "used") words = train::shownTime(words).substr(0, kToMinutes);
    std::ranges::replace(words, '\n', ' ');
    if (key.ends_with(".kind")) std::ranges::replace(words, '_', ' ');
    return words;
  }
  const auto* const number = std::get_if<double>(&value);
  if (!number) return "–";
  if (std::floor(*number) != *number || std::abs(*number) >= 1e15) return formatReading(*number);
  const std::string digits = key == "seed" ? std::to_string(static_cast<std::int64_t>(*number))
                                           : stepText(static_cast<std::int64_t>(std::abs(*number)));
  return *number < 0 ? "−" + digits : digits;
}

}  // namespace sepx::ui
