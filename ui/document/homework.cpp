// SPDX-License-Identifier: Apache-2.0
// The varied values of a name, and the text of answer files.
#include "ui/document/homework.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/terminal_text.h"
#include "engine/core/utf8.h"
#include "ui/document/json_text.h"

namespace sepx::ui {
namespace {

constexpr const char* kFormat = "sepx.answers/1";
constexpr std::size_t kMostAnswers = 1000;

std::uint64_t fnv(std::string_view text, std::uint64_t hash = 14695981039346656037ULL) {
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

/// The finalizer of SplitMix64, which makes values of similar hashes unrelated.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

std::string valueFor(const ScriptStep& vary, std::uint64_t seed) {
  const std::uint64_t drawn = mixed(seed ^ fnv(vary.text));
  return varied(vary, static_cast<std::int64_t>(drawn % static_cast<std::uint64_t>(valuesOf(vary))));
}

std::string hex(std::uint64_t number) {
  return fmt::format("{:016x}", number);
}

std::optional<std::uint64_t> fromHex(const std::string& text) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

tl::unexpected<Error> bad(std::string sentence) {
  return fail(ErrorKind::BadInput, std::move(sentence));
}

/// A field that is a text.
Result<std::string> textField(const Json& json, const char* field) {
  const auto found = json.find(field);
  if (found == json.end() || !found->is_string()) return bad(fmt::format("the field \"{}\" is not a string", field));
  return found->get<std::string>();
}

Result<std::uint64_t> hexField(const Json& json, const char* field) {
  const auto text = textField(json, field);
  if (!text) return tl::unexpected(text.error());
  const auto number = fromHex(*text);
  if (!number) return bad(fmt::format("the field \"{}\" is not a hexadecimal number", field));
  return *number;
}

Json toJson(const QuestionPlace& place, const Answer& answer) {
  Json json{{"step", place.step + 1}, {"question", place.question + 1}};
  if (answer.choice) json["choice"] = *answer.choice + 1;
  if (answer.number) json["number"] = *answer.number;
  if (answer.state) json["state"] = answer.state->toJson();
  return json;
}

/// A whole number from 1, converted to an index from 0.
std::optional<std::size_t> ordinal(const Json& json, const char* field) {
  constexpr std::int64_t kMost = 100000;
  const auto found = json.find(field);
  if (found == json.end() || !found->is_number_integer()) return std::nullopt;
  const auto number = found->get<std::int64_t>();
  return number >= 1 && number <= kMost ? std::optional(static_cast<std::size_t>(number - 1)) : std::nullopt;
}

Result<std::pair<QuestionPlace, Answer>> readAnswer(const Json& json) {
  if (!json.is_object()) return bad("an answer is not an object");
  const auto step = ordinal(json, "step"), question = ordinal(json, "question");
  if (!step || !question) return bad("an answer has no valid step and question");
  std::pair<QuestionPlace, Answer> read{{*step, *question}, {}};
  read.second.choice = ordinal(json, "choice");
  if (const auto number = json.find("number"); number != json.end() && number->is_number())
    read.second.number = number->get<double>();
  if (const auto state = json.find("state"); state != json.end()) {
    auto document = Document::fromJson(*state);
    if (!document)
      return bad(
          fmt::format("the state of step {}, question {}: {}", *step + 1, *question + 1, document.error().message));
    read.second.state = *std::move(document);
  }
  return read;
}

Result<void> readVaried(const Json& json, Answers& answers) {
  const auto varied = json.find("varied");
  if (varied == json.end() || !varied->is_object()) return bad("the field \"varied\" is not an object");
  for (const auto& [key, value] : varied->items()) {
    if (!value.is_string()) return bad("a value of the field \"varied\" is not a string");
    answers.varied.emplace_back(key, value.get<std::string>());
  }
  return {};
}

}  // namespace

std::string plainName(std::string_view name) {
  std::string plain;
  for (const char c : name.substr(0, kLongestName)) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (blank && (plain.empty() || plain.back() == ' ')) continue;
    plain += blank ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  if (plain.ends_with(' ')) plain.pop_back();
  return plain;
}

std::uint64_t seedOf(std::string_view name) {
  return fnv(plainName(name));
}

std::vector<std::pair<std::string, std::string>> variedValues(const Lesson& lesson, std::string_view name) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const ScriptStep& vary : variations(lesson))
    values.emplace_back(vary.text, valueFor(vary, seedOf(name)));
  return values;
}

Lesson lessonFor(Lesson lesson, std::string_view name) {
  for (LessonStep& step : lesson.steps)
    for (ScriptStep& line : step.steps)
      if (line.kind == StepKind::Vary) line.value = valueFor(line, seedOf(name));
  return lesson;
}

std::map<std::string, std::string> boundValues(const Lesson& lesson, std::size_t step) {
  std::map<std::string, std::string> values;
  for (std::size_t i = 0; i <= step && i < lesson.steps.size(); ++i)
    for (const ScriptStep& line : lesson.steps[i].steps) {
      if (line.kind == StepKind::Vary) values[line.text] = line.value;
      if (line.kind != StepKind::Set && line.kind != StepKind::SetControl) continue;
      values.erase(line.text);
      for (std::size_t word = 0; word < line.words.size(); word += 2)
        values.erase(line.words[word]);
    }
  return values;
}

std::uint64_t fingerprint(const Lesson& lesson) {
  std::uint64_t hash = fnv(kFormat);
  const auto add = [&hash](const std::string& text) { hash = fnv(text + '\n', hash); };
  for (const LessonStep& step : lesson.steps) {
    for (const ScriptStep& line : step.steps)
      add(line.source);
    for (const Question& question : step.questions) {
      add("ask");
      for (const Choice& choice : question.choices)
        add(choice.correct ? "choice correct" : "choice");
      if (question.answer) add(question.answer->source);
      if (const auto& number = question.number)
        add(fmt::format("{} {} {} {}", number->key, number->value, number->tolerance, number->relative));
    }
    add("##");
  }
  return hash;
}

std::string answersText(const Answers& answers) {
  Json given = Json::array();
  for (const auto& [place, answer] : answers.given)
    given.push_back(toJson(place, answer));
  Json varied = Json::object();
  for (const auto& [key, value] : answers.varied)
    varied[key] = value;
  const Json json{{"format", kFormat},          {"name", answers.name},
                  {"lesson", answers.title},    {"fingerprint", hex(answers.fingerprint)},
                  {"seed", hex(answers.seed)},  {"varied", std::move(varied)},
                  {"answers", std::move(given)}};
  return indentedText(json) + "\n";
}

bool isAnswers(std::string_view text) {
  if (text.find(kFormat) == std::string_view::npos || text.size() > kLargestAnswers) return false;
  const Result<Json> json = parseJson(text);
  return json && json->is_object() && json->value("format", Json()) == kFormat;
}

Result<Answers> parseAnswers(std::string_view text) {
  if (text.size() > kLargestAnswers) return bad(fmt::format("a file of answers has at most {} bytes", kLargestAnswers));
  const Result<Json> json = parseJson(text);
  if (!json) return tl::unexpected(json.error());
  if (!json->is_object() || json->value("format", Json()) != kFormat)
    return bad(fmt::format("this is not a file of answers ({})", kFormat));
  Answers answers;
  const auto name = textField(*json, "name"), title = textField(*json, "lesson");
  const auto seed = hexField(*json, "seed"), fingerprint = hexField(*json, "fingerprint");
  for (const auto* field : {&name, &title})
    if (!*field) return tl::unexpected(field->error());
  for (const auto* field : {&seed, &fingerprint})
    if (!*field) return tl::unexpected(field->error());
  if (name->size() > kLongestName) return bad(fmt::format("a name has at most {} bytes", kLongestName));
  answers.name = *name;
  answers.title = *title;
  answers.seed = *seed;
  answers.fingerprint = *fingerprint;
  if (auto varied = readVaried(*json, answers); !varied) return tl::unexpected(varied.error());
  const auto given = json->find("answers");
  if (given == json->end() || !given->is_array() || given->size() > kMostAnswers)
    return bad(fmt::format("the field \"answers\" is not a list of at most {} answers", kMostAnswers));
  for (const Json& one : *given) {
    auto read = readAnswer(one);
    if (!read) return tl::unexpected(read.error());
    answers.given.insert(*std::move(read));
  }
  return answers;
}

std::string answersMismatch(const Answers& answers, const Lesson& lesson) {
  if (answers.fingerprint != fingerprint(lesson))
    return answers.title == lesson.title
               ? "these are answers to another version of the lesson"
               : fmt::format("these are answers to another lesson, \"{}\"", excerpt(answers.title, 100));
  if (plainName(answers.name).empty()) return "the file does not say whose answers these are";
  if (answers.seed != seedOf(answers.name)) return "the seed is not the one of the name";
  auto values = variedValues(lesson, answers.name);
  auto recorded = answers.varied;
  std::ranges::sort(values);
  std::ranges::sort(recorded);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i >= recorded.size() || recorded[i] != values[i])
      return fmt::format("the name gives {} = {}, but the file does not contain this value", values[i].first,
                         values[i].second);
  return recorded.size() > values.size() ? "the file has values that do not vary in the lesson" : "";
}

bool isRight(const NumberAnswer& asked, double right, double given) {
  const double tolerance = asked.relative ? asked.tolerance * std::abs(right) : asked.tolerance;
  return std::abs(given - right) <= tolerance + 1e-12 * std::abs(right);
}

}  // namespace sepx::ui
