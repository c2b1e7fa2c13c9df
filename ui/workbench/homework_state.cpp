// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/homework_state.h"

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

void HomeworkState::open(const Lesson& lesson) {
  close();
  isHomework_ = !variations(lesson).empty();
}

Result<void> HomeworkState::begin(const std::string& name) {
  if (!isHomework_) return fail(ErrorKind::Usage, tr("nothing in this lesson varies, so it is not homework"));
  if (plainName(name).empty() || name.size() > kLongestName)
    return fail(ErrorKind::Usage, trFormat("a name must have 1 to {} bytes", kLongestName));
  name_ = name;
  given_.clear();
  return {};
}

std::string HomeworkState::valuesInWords(const Lesson& lesson) const {
  std::string words;
  for (const auto& [key, value] : variedValues(lesson, name_))
    words += (words.empty() ? "" : ", ") + key + " = " + value;
  return words;
}

void HomeworkState::type(QuestionPlace place, double number, const Document& state) {
  given_[place] = Answer{{}, number, state};
}

std::optional<double> HomeworkState::typed(QuestionPlace place) const {
  const auto found = given_.find(place);
  return found == given_.end() ? std::nullopt : found->second.number;
}

void HomeworkState::note(QuestionPlace place, const Document& state) {
  given_[place] = Answer{{}, {}, state};
}

Answers HomeworkState::answers(const Lesson& lesson,
                               const std::map<std::pair<std::size_t, std::size_t>, std::size_t>& choices) const {
  Answers all{name_, lesson.title, seedOf(name_), fingerprint(lesson), variedValues(lesson, name_), given_};
  for (const auto& [place, choice] : choices)
    all.given[{place.first, place.second}].choice = choice;
  return all;
}

}  // namespace sepx::ui
