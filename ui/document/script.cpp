// SPDX-License-Identifier: Apache-2.0
// One function per family of steps, chosen by the first word of the line. A function takes words from a LineReader,
// which keeps the first error. A line with words left over is rejected too.
#include "ui/document/script.h"

#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "ui/document/script_words.h"

namespace sepx::ui {
namespace {

constexpr double kDragSeconds = 0.25;
constexpr double kWaitSeconds = 10;
constexpr double kLongestSeconds = 3600;
constexpr int kMostRepeats = 1'000'000;

/// Takes the words of one line one by one.
class LineReader {
 public:
  explicit LineReader(std::vector<Word> words) : words_(std::move(words)) {}

  bool ended() const { return next_ >= words_.size(); }
  bool failed() const { return !complaint_.empty(); }
  const std::string& errorAtLine() const { return complaint_; }
  void complain(std::string sentence) {
    if (complaint_.empty()) complaint_ = std::move(sentence);
  }

  /// Takes the next word if it is `expected` and not quoted.
  bool take(std::string_view expected) {
    if (ended() || words_[next_].quoted || words_[next_].text != expected) return false;
    ++next_;
    return true;
  }
  /// Takes the next word, or reports that `what` is missing.
  Word word(std::string_view what) {
    if (failed()) return {};
    if (ended()) {
      complain(fmt::format("{} is missing", what));
      return {};
    }
    return words_[next_++];
  }
  /// As word(), but an empty text is an error.
  std::string filled(std::string_view what) {
    Word found = word(what);
    if (!failed() && found.text.empty()) complain(fmt::format("{} is empty", what));
    return found.text;
  }
  std::string quoted(std::string_view what) {
    Word found = word(what);
    if (!failed() && !found.quoted)
      complain(fmt::format("\"{}\": {} must be in double quotes", shown(found.text), what));
    return found.text;
  }
  /// Takes the next word if it is a key, not quoted, and not the first of two coordinates ("0.5 , 1"); otherwise
  /// returns an empty text.
  std::string keyIfAny() {
    if (ended() || words_[next_].quoted || !isKey(words_[next_].text)) return {};
    if (const char first = words_[next_].text.front(); first >= '0' && first <= '9') return {};
    return words_[next_++].text;
  }
  /// Coordinates; blanks before and after a comma are allowed.
  std::string coordinates(std::string_view what) {
    std::string text = word(what).text;
    while (!ended() && (text.ends_with(',') || words_[next_].text.starts_with(',')))
      text += words_[next_++].text;
    return text;
  }
  template <class Convert>
  auto as(std::string text, std::string_view what, Convert convert) {
    auto value = convert(text);
    if (!value) complain(fmt::format("\"{}\" is not {}", shown(text), what));
    return value ? *value : typename decltype(value)::value_type{};
  }
  void finish() {
    if (!failed() && !ended())
      complain(fmt::format("\"{}\" is unexpected at the end of the line", shown(words_[next_].text)));
  }

 private:
  std::vector<Word> words_;
  std::size_t next_ = 0;
  std::string complaint_;
};

int repeats(LineReader& line, std::string_view what, int least = 1) {
  return line.as(line.word(what).text, fmt::format("a whole number from {} to {}", least, kMostRepeats),
                 [least](const std::string& text) { return wholeNumber(text, least, kMostRepeats); });
}

double seconds(LineReader& line) {
  const double value = line.as(line.word("the number of seconds").text, "a number of seconds", finiteNumber);
  if (!line.failed() && (value <= 0 || value > kLongestSeconds)) {
    line.complain(fmt::format("seconds must be above 0 and at most {}", kLongestSeconds));
  }
  return value;
}

/// Reads an optional view name before a position: "curves.loss".
void viewIfAny(LineReader& line, ScriptStep& step) {
  const std::string view = line.keyIfAny();
  if (view.empty()) return;
  if (!step.canvas.empty()) return line.complain("a step has a view or on CANVAS, not both");
  step.canvas = view;
}

ScriptPoint position(LineReader& line, std::string_view what) {
  return line.as(line.coordinates(what), "a position; write X,Y in the axes' coordinates or @X,Y in pixels",
                 [](const std::string& text) { return point(text); });
}

std::string checkedKey(LineReader& line, std::string found) {
  if (!line.failed() && !isKey(found)) {
    line.complain(fmt::format("\"{}\" is not a key; a key looks like flow.points[0].e", shown(found)));
  }
  return found;
}

void keyOperatorValue(LineReader& line, ScriptStep& step) {
  step.text = checkedKey(line, line.filled("the key"));
  step.op = line.filled("the comparison (== != < <= > >= ~ has)");
  if (!line.failed() && !isOperator(step.op)) {
    line.complain(fmt::format("\"{}\" is not a comparison; those are == != < <= > >= ~ has", shown(step.op)));
  }
  step.value = line.word("the value to compare with").text;
}

void toleranceIfAny(LineReader& line, ScriptStep& step) {
  if (line.failed() || !line.take("+-")) return;
  step.tolerance = line.as(line.word("the tolerance").text, "a tolerance", finiteNumber);
  if (step.tolerance < 0) line.complain("a tolerance is not negative");
  if (step.op != "==" && step.op != "!=" && step.op != "~") line.complain("a tolerance goes with == != and ~ only");
}

/// Stores "flow.p" of "ui:flow.p" in `step` and returns true. Returns false if `first` does not begin with "ui:".
bool control(LineReader& line, const std::string& first, ScriptStep& step) {
  if (!first.starts_with("ui:")) return false;
  step.text = first.substr(3);
  // A part of a control ("flow.p#entry", "flow.S_star#explain") is named after its key.
  const std::size_t part = step.text.find('#');
  const bool named = part == std::string::npos || isKey(std::string_view(step.text).substr(part + 1));
  if (!named || !isKey(step.text.substr(0, part)))
    line.complain(fmt::format("\"{}\" is not a key; write ui:flow.p", shown(step.text)));
  return true;
}

void readSet(LineReader& line, ScriptStep& step) {
  const std::string first = line.filled("the key");
  if (control(line, first, step)) {
    step.kind = StepKind::SetControl;
    step.value = line.word("the value").text;
    return;
  }
  step.text = checkedKey(line, first);
  step.value = line.word("the value").text;
  while (!line.failed() && !line.ended()) {
    if (line.take("in")) {
      step.seconds = seconds(line);
      return;
    }
    step.words.push_back(checkedKey(line, line.filled("the key")));
    step.words.push_back(line.word("the value").text);
  }
}

/// LOW..HIGH
std::optional<std::vector<double>> range(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return std::nullopt;
  const auto low = finiteNumber(std::string_view(text).substr(0, dots));
  const auto high = finiteNumber(std::string_view(text).substr(dots + 2));
  if (!low || !high || *high < *low) return std::nullopt;
  return std::vector<double>{*low, *high};
}

/// The default distance of two values: a power of ten, which gives 50 to 500 values.
double usualStep(double width) {
  return width > 0 ? std::pow(10, std::floor(std::log10(width / 50))) : 1;
}

void readVary(LineReader& line, ScriptStep& step) {
  step.text = checkedKey(line, line.filled("the key"));
  step.numbers = line.as(line.word("the range").text, "a range; write LOW..HIGH, as in 0.2..0.8", range);
  if (line.failed()) return;
  const double width = step.numbers[1] - step.numbers[0];
  step.numbers.push_back(line.take("by") ? line.as(line.word("the distance").text, "a number", finiteNumber)
                                         : usualStep(width));
  if (line.failed()) return;
  const double by = step.numbers[2];
  if (!(by > 0) || !(width / by <= kMostRepeats)) {
    return line.complain(fmt::format(
        "the distance between two values must be above 0, and there may be at most {} values", kMostRepeats));
  }
  step.value = varied(step, valuesOf(step) / 2);
}

void readCount(LineReader& line, ScriptStep& step) {
  step.numbers = {line.ended() ? 1.0 : repeats(line, "the count")};
}

void readAdd(LineReader& line, ScriptStep& step) {
  if (!line.take("point")) return line.complain("add takes a point: add point E,W");
  step.numbers = line.as(line.coordinates("the point"), "a point; write its coordinates with commas, as in 0.3,0.2",
                         [](const std::string& text) { return numberList(text); });
  if (!line.failed() && (step.numbers.size() < 2 || step.numbers.size() > 4)) {
    line.complain("a point has 2 to 4 coordinates");
  }
}

void readDrag(LineReader& line, ScriptStep& step) {
  viewIfAny(line, step);
  step.from = position(line, "the position to drag from");
  if (!line.failed() && !line.take("->")) line.complain("\"->\" is missing between the two positions");
  step.to = position(line, "the position to drag to");
  step.seconds = !line.failed() && line.take("in") ? seconds(line) : kDragSeconds;
}

void readClick(LineReader& line, ScriptStep& step) {
  viewIfAny(line, step);
  const std::string first = line.coordinates("the position or ui:KEY");
  if (line.failed() || control(line, first, step)) {
    step.kind = StepKind::ClickControl;
    return;
  }
  step.from = line.as(first, "a position or ui:KEY; write X,Y in the axes' coordinates or @X,Y in pixels",
                      [](const std::string& text) { return point(text); });
}

void readPlace(LineReader& line, ScriptStep& step) {
  viewIfAny(line, step);
  step.from = position(line, "the position");
}

void readScroll(LineReader& line, ScriptStep& step) {
  viewIfAny(line, step);
  step.from = position(line, "the position");
  step.numbers = {line.as(line.word("the number of notches").text, "a number of notches", finiteNumber)};
}

void readResize(LineReader& line, ScriptStep& step) {
  const std::string size = line.filled("the size, as in 1280x720");
  if (line.failed()) return;
  const std::size_t cross = size.find('x');
  const auto side = [](std::string_view text) { return wholeNumber(text, 1, kMostSide); };
  const auto width = side(std::string_view(size).substr(0, cross));
  const auto height = cross == std::string::npos ? std::nullopt : side(std::string_view(size).substr(cross + 1));
  if (!width || !height) {
    return line.complain(
        fmt::format("\"{}\" is not a size; write WIDTHxHEIGHT with whole numbers up to {}", shown(size), kMostSide));
  }
  step.numbers = {static_cast<double>(*width), static_cast<double>(*height)};
}

void readScale(LineReader& line, ScriptStep& step) {
  const double scale = line.as(line.word("the scale").text, "a scale", finiteNumber);
  if (!line.failed() && (scale < kLeastScale || scale > kMostScale)) line.complain("a scale lies between 0.5 and 4");
  step.numbers = {scale};
}

void readWait(LineReader& line, ScriptStep& step) {
  if (line.take("settled")) {
    step.kind = StepKind::WaitSettled;
  } else if (line.take("frames")) {
    step.kind = StepKind::WaitFrames;
    step.numbers = {static_cast<double>(repeats(line, "the number of frames"))};
  } else if (line.take("steps")) {
    step.kind = StepKind::WaitTrained;
    step.numbers = {static_cast<double>(repeats(line, "the number of training steps"))};
  } else if (line.take("run")) {
    step.kind = StepKind::WaitRunEnded;
    if (!line.take("ended")) line.complain("wait run takes ended: wait run ended");
  } else {
    if (line.ended()) return line.complain("wait what? settled, frames N, steps N, run ended, or KEY OP VALUE");
    keyOperatorValue(line, step);
    step.seconds = !line.failed() && line.take("within") ? seconds(line) : kWaitSeconds;
  }
}

void readExpect(LineReader& line, ScriptStep& step) {
  if (line.take("error")) {
    step.kind = StepKind::ExpectError;
    step.text = line.quoted("the text of the error");
    return;
  }
  keyOperatorValue(line, step);
  toleranceIfAny(line, step);
}

struct StepReader {
  StepKind kind;
  std::function<void(LineReader&, ScriptStep&)> read = {};  ///< empty: the step has no further words
  bool onCanvas = false;
};

/// Reads a step that writes a file; `wanted` describes the file name in the message.
auto fileNamed(std::vector<std::string_view> endings, const char* wanted) {
  return [endings = std::move(endings), wanted](LineReader& line, ScriptStep& step) {
    step.text = line.filled("the file name");
    if (!line.failed() && !isFileName(step.text, endings))
      line.complain(fmt::format("\"{}\" is not {}", shown(step.text), wanted));
  };
}

/// FILE, then names of views, `as PRESET`, `whole`.
void readExport(LineReader& line, ScriptStep& step) {
  fileNamed({".png", ".svg", ".pdf", ".html", ".csv", ".npz"},
            "a file name without folders that ends in .png, .svg, .pdf, .html, .csv or .npz")(line, step);
  while (!line.failed() && !line.ended()) {
    if (line.take("as"))
      step.preset = line.filled("the preset after as");
    else if (line.take("whole"))
      step.whole = true;
    else
      step.words.push_back(line.filled("the name of a view"));
  }
}

/// Reads a step with one word, which `what` describes.
auto oneWord(const char* what) {
  return [what](LineReader& line, ScriptStep& step) { step.text = line.filled(what); };
}

const std::map<std::string, StepReader, std::less<>>& readers() {
  static const std::map<std::string, StepReader, std::less<>> table = {
      {"open", {StepKind::Open, oneWord("the path")}},
      {"drop", {StepKind::Drop, oneWord("the path")}},
      {"save", {StepKind::Save, fileNamed({""}, "a file name without folders")}},
      {"exhibit", {StepKind::Exhibit, oneWord("the name")}},
      {"set", {StepKind::Set, readSet}},
      {"vary", {StepKind::Vary, readVary}},
      {"type",
       {StepKind::Type, [](LineReader& line, ScriptStep& step) { step.text = line.quoted("the text to type"); }}},
      {"key", {StepKind::Key, oneWord("the key chord, as in Ctrl+Z")}},
      {"undo", {StepKind::Undo, readCount}},
      {"redo", {StepKind::Redo, readCount}},
      {"add", {StepKind::AddPoint, readAdd, true}},
      {"drag", {StepKind::Drag, readDrag, true}},
      {"click", {StepKind::Click, readClick, true}},
      {"hover", {StepKind::Hover, readPlace, true}},
      {"press", {StepKind::Press, readPlace, true}},
      {"release", {StepKind::Release, readPlace, true}},
      {"scroll", {StepKind::Scroll, readScroll, true}},
      {"resize", {StepKind::Resize, readResize}},
      {"theme", {StepKind::Theme, oneWord("the name")}},
      {"scale", {StepKind::Scale, readScale}},
      {"play", {StepKind::Play}},
      {"pause", {StepKind::Pause}},
      {"step", {StepKind::StepFrames, readCount}},
      {"wait", {StepKind::WaitFor, readWait}},
      {"expect", {StepKind::Expect, readExpect}},
      {"shot", {StepKind::Shot, fileNamed({".png"}, "a file name without folders that ends in .png")}},
      {"export", {StepKind::Export, readExport}},
  };
  return table;
}

std::string knownSteps() {
  std::string names;
  for (const auto& [name, reader] : readers())
    names += (names.empty() ? "" : ", ") + name;
  return names;
}

void readStep(LineReader& line, ScriptStep& step) {
  step.tried = line.take("try");
  const bool onCanvas = line.take("on");
  if (onCanvas) step.canvas = line.filled("the canvas after on");
  const Word name = line.word("the step");
  if (line.failed()) return;
  const auto found = name.quoted ? readers().end() : readers().find(name.text);
  if (found == readers().end()) {
    return line.complain(fmt::format("\"{}\" is not a step; steps are {}", shown(name.text), knownSteps()));
  }
  if (onCanvas && !found->second.onCanvas) {
    return line.complain(fmt::format("\"on CANVAS\" cannot be used with {}", name.text));
  }
  step.kind = found->second.kind;
  if (found->second.read) found->second.read(line, step);
  line.finish();
}

Result<std::vector<Word>> wordsOf(std::string_view line) {
  if (line.size() <= kLongestStep) return splitWords(line);
  return fail(ErrorKind::BadInput,
              fmt::format("this line has {} bytes; a step has at most {}", line.size(), kLongestStep));
}

/// Adds the step of `source`, if it has one.
Result<void> parseLine(std::string_view source, const std::string& name, int number, std::vector<ScriptStep>& steps) {
  Result<std::vector<Word>> words = wordsOf(source);
  if (!words) return errorAtLine(name, number, words.error().message);
  if (words->empty()) return {};
  ScriptStep step;
  step.line = number;
  step.source = std::string(source);
  LineReader line(*std::move(words));
  readStep(line, step);
  if (line.failed()) return errorAtLine(name, number, line.errorAtLine());
  steps.push_back(std::move(step));
  return {};
}

}  // namespace

std::int64_t valuesOf(const ScriptStep& vary) {
  return 1 + static_cast<std::int64_t>(std::floor((vary.numbers[1] - vary.numbers[0]) / vary.numbers[2] + 1e-9));
}

std::string varied(const ScriptStep& vary, std::int64_t index) {
  // Twelve digits, so that 0.2 + 3 * 0.01 gives 0.23 and not a number next to it.
  return fmt::format("{:.12g}", vary.numbers[0] + static_cast<double>(index) * vary.numbers[2]);
}

bool waitsForWork(const ScriptStep& step) {
  if (step.kind == StepKind::WaitTrained || step.kind == StepKind::WaitRunEnded) return true;
  // A Boolean is a state of the window, such as whether an animation plays; numbers and words are computed.
  return step.kind == StepKind::WaitFor && step.value != "true" && step.value != "false";
}

Result<Script> parseScript(std::string_view text, std::string name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Script script;
  bool headed = false;
  int number = 0;
  for (const std::string_view source : linesOf(text)) {
    ++number;
    if (headed) {
      const std::size_t before = script.steps.size();
      if (auto done = parseLine(source, name, number, script.steps); !done) return tl::unexpected(done.error());
      if (script.steps.size() > before && script.steps.back().kind == StepKind::Vary)
        return errorAtLine(name, number, "vary belongs to a lesson, whose reader has a name; a script sets values");
      continue;
    }
    const Result<std::vector<Word>> words = wordsOf(source);
    if (words && words->empty()) continue;
    if (source.size() > kLongestStep) return errorAtLine(name, number, words.error().message);
    if (!words || words->size() != 2 || (*words)[0].text != "script") {
      return errorAtLine(name, number, "a script begins with the line \"script 1\"");
    }
    if ((*words)[1].text != "1") {
      return errorAtLine(
          name, number,
          fmt::format("this program reads version 1 of the script language, not {}", shown((*words)[1].text)));
    }
    headed = true;
  }
  if (!headed) return errorAtLine(name, 1, "a script begins with the line \"script 1\"");
  script.name = std::move(name);
  return script;
}

std::vector<ScriptStep> readSteps(std::string_view text, const std::string& name, int firstLine,
                                  std::vector<std::string>& messages) {
  std::vector<ScriptStep> steps;
  int number = firstLine;
  for (const std::string_view source : linesOf(text)) {
    if (auto done = parseLine(source, name, number++, steps); !done) messages.push_back(done.error().message);
  }
  return steps;
}

Result<std::vector<ScriptStep>> parseSteps(std::string_view text, const std::string& name, int firstLine) {
  std::vector<ScriptStep> steps;
  int number = firstLine;
  for (const std::string_view source : linesOf(text)) {
    if (auto done = parseLine(source, name, number++, steps); !done) return tl::unexpected(done.error());
  }
  return steps;
}

}  // namespace sepx::ui
