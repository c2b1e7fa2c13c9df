// SPDX-License-Identifier: Apache-2.0
#include "ui/document/script.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "engine/core/file.h"
#include "engine/core/random.h"
#include "tests/folders.h"
#include "ui/document/lesson.h"
#include "ui/document/script_words.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

ScriptStep step(const std::string& line) {
  CAPTURE(line);
  const Result<std::vector<ScriptStep>> steps = parseSteps(line, "test", 1);
  if (!steps) FAIL(steps.error().message);
  REQUIRE(steps->size() == 1);
  CHECK(steps->front().source == line);
  return steps->front();
}

std::string complaint(const std::string& line) {
  CAPTURE(line);
  const Result<std::vector<ScriptStep>> steps = parseSteps(line, "test.sepxs", 7);
  REQUIRE_FALSE(steps);
  CHECK(steps.error().kind == ErrorKind::BadInput);
  CHECK_THAT(steps.error().message, Catch::StartsWith("test.sepxs:7: "));
  CHECK(steps.error().message.find('\n') == std::string::npos);
  return steps.error().message;
}

using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("Steps that take a path, a name or a text are parsed") {
  CHECK(step("open a/b.sepx").kind == StepKind::Open);
  CHECK(step("open \"a b.sepx\"").text == "a b.sepx");
  CHECK(step("drop x.md").kind == StepKind::Drop);
  CHECK(step("save a.sepx").kind == StepKind::Save);
  CHECK(step("exhibit flow").kind == StepKind::Exhibit);
  CHECK(step("theme dark").text == "dark");
  CHECK(step("theme dark").kind == StepKind::Theme);
  CHECK(step("key Ctrl+Shift+Z").text == "Ctrl+Shift+Z");
  CHECK(step("key Space").kind == StepKind::Key);
  CHECK(step(R"(type "a \"b\"\\\n\t#")").text == "a \"b\"\\\n\t#");
  CHECK(step("type \"\"").kind == StepKind::Type);
  CHECK(step("shot a.png").kind == StepKind::Shot);
  CHECK(step("export a.svg").kind == StepKind::Export);
  CHECK(step("export a.png").text == "a.png");
}

TEST_CASE("The steps set and click name a key or a control") {
  const ScriptStep set = step("set flow.points[12].name \"my point\"");
  CHECK(set.kind == StepKind::Set);
  CHECK(set.text == "flow.points[12].name");
  CHECK(set.value == "my point");
  const ScriptStep control = step("set ui:flow.p 0.7");
  CHECK(control.kind == StepKind::SetControl);
  CHECK(control.text == "flow.p");
  CHECK(control.value == "0.7");
  CHECK(step("click ui:lesson.next").kind == StepKind::ClickControl);
  CHECK(step("click ui:lesson.next").text == "lesson.next");
  CHECK(step("set flow.p nan").value == "nan");  // the registry, not the parser, refuses it
}

TEST_CASE("Steps with positions are parsed") {
  const ScriptStep drag = step("drag 0.3,-0.2 -> 1e-3,2 in 1.5");
  CHECK(drag.kind == StepKind::Drag);
  CHECK(drag.from.x == 0.3);
  CHECK(drag.from.y == -0.2);
  CHECK(drag.to.x == 1e-3);
  CHECK(drag.to.y == 2);
  CHECK(drag.seconds == 1.5);
  CHECK_FALSE(drag.from.pixels);
  CHECK(step("drag 0,0 -> 1,1").seconds == 0.25);
  const ScriptStep pixels = step("on flow drag @10,20 -> @30, 40");
  CHECK(pixels.canvas == "flow");
  CHECK(pixels.from.pixels);
  CHECK(pixels.to.pixels);
  CHECK(pixels.to.y == 40);
  const ScriptStep click = step("click 0.5 , -1");
  CHECK(click.kind == StepKind::Click);
  CHECK(click.from.x == 0.5);
  CHECK(click.from.y == -1);
  CHECK(step("hover @3,4").kind == StepKind::Hover);
  CHECK(step("press @3,4").kind == StepKind::Press);
  CHECK(step("on flow@2 release 0.5,-1").kind == StepKind::Release);
  CHECK(step("hover @3,4").from.x == 3);
  const ScriptStep scroll = step("on \"flow\" scroll 0,0 -3");
  CHECK(scroll.kind == StepKind::Scroll);
  CHECK(scroll.numbers == Numbers{-3});
  CHECK(step("add point 0.3,0.2").kind == StepKind::AddPoint);
  CHECK(step("add point 0.3,0.2,-1").numbers == Numbers{0.3, 0.2, -1});
  CHECK(step("add point 1e6, -1e-200").numbers == Numbers{1e6, -1e-200});
}

TEST_CASE("Steps with counts, sizes and times are parsed") {
  CHECK(step("undo").numbers == Numbers{1});
  CHECK(step("undo 3").numbers == Numbers{3});
  CHECK(step("undo").kind == StepKind::Undo);
  CHECK(step("redo 2").kind == StepKind::Redo);
  CHECK(step("resize 1920x1080").numbers == Numbers{1920, 1080});
  CHECK(step("resize 1x1").kind == StepKind::Resize);
  CHECK(step("scale 2").kind == StepKind::Scale);
  CHECK(step("scale 1.5").numbers == Numbers{1.5});
  CHECK(step("play").kind == StepKind::Play);
  CHECK(step("pause").kind == StepKind::Pause);
  CHECK(step("step 40").kind == StepKind::StepFrames);
  CHECK(step("step 40").numbers == Numbers{40});
  CHECK(step("wait settled").kind == StepKind::WaitSettled);
  CHECK(step("wait frames 12").kind == StepKind::WaitFrames);
  CHECK(step("wait frames 12").numbers == Numbers{12});
  CHECK(step("wait steps 500").kind == StepKind::WaitTrained);
  CHECK(step("wait steps 500").numbers == Numbers{500});
  CHECK(step("wait run ended").kind == StepKind::WaitRunEnded);
  const ScriptStep wait = step("wait flow.play.time >= 2 within 30");
  CHECK(wait.kind == StepKind::WaitFor);
  CHECK(wait.text == "flow.play.time");
  CHECK(wait.op == ">=");
  CHECK(wait.value == "2");
  CHECK(wait.seconds == 30);
  CHECK(step("wait flow.p == 1").seconds == 10);
}

TEST_CASE("The step expect compares with a tolerance or with the text of an error") {
  for (const std::string op : {"==", "!=", "<", "<=", ">", ">=", "~", "has"}) {
    const ScriptStep expect = step("expect flow.points[0].limit.kind " + op + " global-min");
    CHECK(expect.kind == StepKind::Expect);
    CHECK(expect.op == op);
    CHECK(expect.value == "global-min");
    CHECK(expect.tolerance == 0);
  }
  CHECK(step("expect flow.p ~ 0.5 +- 1e-9").tolerance == 1e-9);
  CHECK(step("expect flow.p == 0.5 +- 0").tolerance == 0);
  CHECK(step("expect error \"out of range\"").kind == StepKind::ExpectError);
  CHECK(step("expect error \"out of range\"").text == "out of range");
  CHECK(step("expect flow.p == \"\"").value.empty());
}

TEST_CASE("A step after try is marked, whatever its kind") {
  const auto script = parseScript("script 1\ntry set flow.p 7\ntry on flow@2 click 0.5,-1\nset flow.p 0.5\n", "t");
  REQUIRE(script);
  REQUIRE(script->steps.size() == 3);
  CHECK(script->steps[0].tried);
  CHECK(script->steps[0].kind == StepKind::Set);
  CHECK(script->steps[1].tried);
  CHECK(script->steps[1].canvas == "flow@2");
  CHECK_FALSE(script->steps[2].tried);
  CHECK_FALSE(parseScript("script 1\ntry\n", "t"));
  CHECK_FALSE(parseScript("script 1\ntry try undo\n", "t"));
}

TEST_CASE("Comments, blank lines and all kinds of line ends are accepted") {
  const Result<Script> script = parseScript(
      "\xEF\xBB\xBF# a comment\r\n\r\n  script 1 # the header\r\nplay # go\r\n\t\r\n  pause\r\n#end", "a.sepxs");
  REQUIRE(script);
  CHECK(script->name == "a.sepxs");
  REQUIRE(script->steps.size() == 2);
  CHECK(script->steps[0].line == 4);
  CHECK(script->steps[0].source == "play # go");
  CHECK(script->steps[1].line == 6);
  CHECK(step("save a#1.sepx").text == "a#1.sepx");
  CHECK(parseSteps("", "x", 1)->empty());
  CHECK(parseSteps("\n\nplay\n", "x", 10)->front().line == 12);
}

TEST_CASE("A script must begin with its header") {
  for (const char* text : {"", "\n\n# nothing\n", "play\n", "script\n", "script 1 2\n", "\"script\n", "script1\n"}) {
    CAPTURE(text);
    const Result<Script> script = parseScript(text, "s");
    REQUIRE_FALSE(script);
    CHECK_THAT(script.error().message, Catch::StartsWith("s:") && Catch::Contains("script 1"));
  }
  const Result<Script> newer = parseScript("\nscript 2\n", "s");
  REQUIRE_FALSE(newer);
  CHECK_THAT(newer.error().message, Catch::StartsWith("s:2: ") && Catch::Contains("not 2"));
}

TEST_CASE("A malformed line is refused with its place and a remedy") {
  CHECK_THAT(complaint("jump 3"), Catch::Contains("\"jump\"") && Catch::Contains("drag"));
  CHECK_THAT(complaint("\"play\""), Catch::Contains("not a step"));
  CHECK_THAT(complaint("on flow"), Catch::Contains("missing"));
  CHECK_THAT(complaint("on flow undo"), Catch::Contains("undo"));
  CHECK_THAT(complaint("play now"), Catch::Contains("\"now\""));
  CHECK_THAT(complaint("open"), Catch::Contains("path is missing"));
  CHECK_THAT(complaint("open \"\""), Catch::Contains("empty"));
  CHECK_THAT(complaint("open a b"), Catch::Contains("\"b\""));
  CHECK_THAT(complaint("set flow.p"), Catch::Contains("value is missing"));
  CHECK_THAT(complaint("set flow..p 1"), Catch::Contains("not a key"));
  CHECK_THAT(complaint("set flow.points[x].e 1"), Catch::Contains("not a key"));
  CHECK_THAT(complaint("set flow.points[].e 1"), Catch::Contains("not a key"));
  CHECK_THAT(complaint("set ui: 1"), Catch::Contains("not a key"));
  CHECK_THAT(complaint("type hello"), Catch::Contains("double quotes"));
  CHECK_THAT(complaint("type \"hello"), Catch::Contains("closing quote"));
  CHECK_THAT(complaint("type \"a\"b"), Catch::Contains("space"));
  CHECK_THAT(complaint("type a\"b\""), Catch::Contains("space"));
  CHECK_THAT(complaint(R"(type "a\x")"), Catch::Contains("\\x"));
  CHECK_THAT(complaint(R"(type "a\)"), Catch::Contains("closing quote"));
  CHECK_THAT(complaint("undo 0"), Catch::Contains("whole number"));
  CHECK_THAT(complaint("undo 1.5"), Catch::Contains("whole number"));
  CHECK_THAT(complaint("undo 99999999999"), Catch::Contains("whole number"));
  CHECK_THAT(complaint("add 1,2"), Catch::Contains("add point"));
  CHECK_THAT(complaint("add point 1"), Catch::Contains("coordinates"));
  CHECK_THAT(complaint("add point 1,2,3,4,5"), Catch::Contains("coordinates"));
  CHECK_THAT(complaint("add point 1,nan"), Catch::Contains("not a point"));
  CHECK_THAT(complaint("add point 1,1e999"), Catch::Contains("not a point"));
  CHECK_THAT(complaint("add point 1,,2"), Catch::Contains("not a point"));
  CHECK_THAT(complaint("drag 0,0 1,1"), Catch::Contains("->"));
  CHECK_THAT(complaint("drag 0,0 -> 1"), Catch::Contains("not a position"));
  CHECK_THAT(complaint("drag 0,0 -> 1,1 in"), Catch::Contains("seconds is missing"));
  CHECK_THAT(complaint("drag 0,0 -> 1,1 in 0"), Catch::Contains("seconds"));
  CHECK_THAT(complaint("drag 0,0 -> 1,1 in -1"), Catch::Contains("seconds"));
  CHECK_THAT(complaint("drag 0,0 -> 1,1 in inf"), Catch::Contains("seconds"));
  CHECK_THAT(complaint("drag 0,0 -> @,"), Catch::Contains("not a position"));
  CHECK_THAT(complaint("click"), Catch::Contains("missing"));
  CHECK_THAT(complaint("click ui"), Catch::Contains("ui:KEY"));
  CHECK_THAT(complaint("scroll 0,0"), Catch::Contains("notches is missing"));
  CHECK_THAT(complaint("resize 1920"), Catch::Contains("not a size"));
  CHECK_THAT(complaint("resize 0x10"), Catch::Contains("not a size"));
  CHECK_THAT(complaint("resize 10x20x30"), Catch::Contains("not a size"));
  CHECK_THAT(complaint("resize 99999x10"), Catch::Contains("not a size"));
  CHECK_THAT(complaint("scale 5"), Catch::Contains("between 0.5 and 4"));
  CHECK_THAT(complaint("scale 0"), Catch::Contains("scale"));
  CHECK_THAT(complaint("scale x"), Catch::Contains("not a scale"));
  CHECK_THAT(complaint("wait"), Catch::Contains("wait what"));
  CHECK_THAT(complaint("wait frames"), Catch::Contains("missing"));
  CHECK_THAT(complaint("wait steps"), Catch::Contains("missing"));
  CHECK_THAT(complaint("wait steps 0"), Catch::Contains("whole number"));
  CHECK_THAT(complaint("wait run"), Catch::Contains("wait run ended"));
  CHECK_THAT(complaint("wait run over"), Catch::Contains("wait run ended"));
  CHECK_THAT(complaint("wait settled 3"), Catch::Contains("\"3\""));
  CHECK_THAT(complaint("wait flow.p = 3"), Catch::Contains("\"=\""));
  CHECK_THAT(complaint("wait flow.p == 3 within"), Catch::Contains("seconds is missing"));
  CHECK_THAT(complaint("expect"), Catch::Contains("key is missing"));
  CHECK_THAT(complaint("expect flow.p"), Catch::Contains("comparison"));
  CHECK_THAT(complaint("expect flow.p =="), Catch::Contains("value"));
  CHECK_THAT(complaint("expect flow.p == 1 2"), Catch::Contains("\"2\""));
  CHECK_THAT(complaint("expect flow.p == 1 +-"), Catch::Contains("tolerance is missing"));
  CHECK_THAT(complaint("expect flow.p == 1 +- -1"), Catch::Contains("negative"));
  CHECK_THAT(complaint("expect flow.p == 1 +- nan"), Catch::Contains("tolerance"));
  CHECK_THAT(complaint("expect flow.p < 1 +- 1"), Catch::Contains("tolerance"));
  CHECK_THAT(complaint("expect error"), Catch::Contains("missing"));
  CHECK_THAT(complaint("expect error text"), Catch::Contains("double quotes"));
}

TEST_CASE("Names of files that a script writes must not contain folders") {
  for (const char* line :
       {"shot a/b.png", "shot ../b.png", "shot .png", "shot b.jpg", "shot b", "export b.jpg", "export a\\b.svg",
        "export /tmp/b.svg", "save a/b.sepx", "save ..", "save .hidden", "shot .a.png"}) {
    CHECK_THAT(complaint(line), Catch::Contains("not a file name without folders"));
  }
}

TEST_CASE("A message contains no control characters of the quoted text, and no long quotations") {
  const std::string sentence = complaint("jump" + std::string(10'000, '\x1b') + "\x07");
  CHECK(sentence.size() < 500);
  CHECK(sentence.find('\x1b') == std::string::npos);
}

TEST_CASE("Random bytes and mangled lines never crash the parser") {
  RandomStream random(3);
  const std::vector<std::string> seeds = {"drag 0.3,-0.2 -> 1e-3,2 in 1.5",
                                          "set flow.points[12].name \"my point\"",
                                          "wait flow.play.time >= 2 within 30",
                                          "expect flow.p ~ 0.5 +- 1e-9",
                                          "on flow scroll @0,0 -3",
                                          "type \"a \\\" b\"",
                                          "resize 1920x1080",
                                          "click ui:flow.p",
                                          "add point 0.3,0.2,-1"};
  int accepted = 0, refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string line = seeds[random.below(seeds.size())];
    if (round % 4 == 0) {
      line.resize(random.below(60));
      for (char& c : line)
        c = static_cast<char>(random.next32());
    } else {
      for (std::uint64_t i = 0; i <= random.below(3); ++i) {
        const std::size_t at = random.below(line.size());
        if (random.below(3) == 0) {
          line.erase(at, 1 + random.below(4));
          if (line.empty()) line = "x";
        } else {
          line[at] = static_cast<char>(random.below(2) ? random.next32() : 0x20 + random.below(95));
        }
      }
    }
    const auto steps = parseSteps(line, "r", 1);
    steps ? ++accepted : ++refused;
    if (!steps) REQUIRE_THAT(steps.error().message, Catch::StartsWith("r:"));
  }
  CHECK(accepted > 100);
  CHECK(refused > 1000);
}

TEST_CASE("The examples of docs/scripts.md can be read") {
  const Result<std::string> page = readFile(tests::sourceFolder() + "/docs/scripts.md");
  REQUIRE(page);
  // Indented blocks, each as one text.
  std::vector<std::string> blocks(1);
  std::istringstream lines(*page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("    ")) {
      blocks.back() += line.substr(4) + "\n";
    } else if (line.empty() && !blocks.back().empty()) {
      blocks.back() += "\n";
    } else if (!blocks.back().empty()) {
      blocks.emplace_back();
    }
  }
  REQUIRE(blocks.size() >= 2);
  const Result<Script> script = parseScript(blocks[0], "docs/scripts.md");
  if (!script) FAIL(script.error().message);
  CHECK(script->steps.size() == 8);
  const Result<Lesson> lesson = parseLesson("# Example\n\n" + blocks[1], "docs/scripts.md");
  if (!lesson) FAIL(lesson.error().message);
  CHECK(lesson->steps.at(0).steps.size() == 2);
  CHECK(lesson->steps.at(0).questions.size() == 1);
  // Every step of the language has a row in the page.
  for (const char* step : {"open",       "drop",           "save",     "exhibit",    "set",          "set ui:",
                           "click ui:",  "type",           "key",      "undo",       "redo",         "add point",
                           "drag",       "click",          "hover",    "scroll",     "resize",       "scale",
                           "theme",      "play",           "pause",    "step",       "wait settled", "wait frames",
                           "wait steps", "wait run ended", "wait KEY", "expect KEY", "expect error", "shot",
                           "export"}) {
    CAPTURE(step);
    CHECK(page->find("`" + std::string(step)) != std::string::npos);
  }
}

TEST_CASE("A line that is too long is refused with its number, and is neither parsed nor quoted", "[script]") {
  const std::string longLine(50'000'000, '"');
  for (const std::string& text : {"script 1\n\n" + longLine, "script 1\n# one\ntype \"" + longLine + "\"\nplay\n"}) {
    const auto read = parseScript(text, "s.script");
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::BadInput);
    CHECK(read.error().message.starts_with("s.script:3: "));
    CHECK(read.error().message.size() < 200);
  }
  const auto header = parseScript(longLine, "s.script");
  REQUIRE_FALSE(header);
  CHECK(header.error().message.size() < 200);
  const std::string most = "type \"" + std::string(kLongestStep - 7, 'x') + "\"";
  REQUIRE(most.size() == kLongestStep);
  CHECK(parseScript("script 1\n" + most, "s.script"));
  CHECK_FALSE(parseScript("script 1\n" + most + " ", "s.script"));
}

TEST_CASE("Waits for results that later steps need are told apart from waits for the display") {
  for (const char* line : {"wait steps 10", "wait run ended", "wait training.newest.step >= 500 within 60",
                           "wait flow.points[0].limit.kind == saddle"})
    CHECK(waitsForWork(step(line)));
  for (const char* line : {"wait settled", "wait frames 3", "wait flow.play.active == false",
                           "wait flow@2.play.active == false within 3", "expect training.newest.step >= 500", "step 3"})
    CHECK_FALSE(waitsForWork(step(line)));
}
