// SPDX-License-Identifier: Apache-2.0
// A class of thirty students: answers from the program, wrong answers, and files that were edited by hand.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>

#include <catch2/catch.hpp>

#include "app/homework.h"
#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"

using namespace sepx::test;

namespace {

/// The homework of docs/json.md, with three questions: a number, a state, a choice.
std::string homeworkText() {
  return readText(sepx::tests::sourceFolder() + "/tests/reference/homework/homework.md");
}

/// Writes the right answers for a name.
void solve(const std::string& lesson, const std::string& name, const std::string& out) {
  const Ran ran = command({"lesson", "solve", lesson, "--name", name, "--out", out});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
}

std::string nameOf(int student) {
  return "Student " + std::to_string(student);
}

/// Changes the file of a student.
void rewrite(const Folder& folder, int student, const std::function<void(Json&)>& change) {
  const std::string path = folder.path("class/" + std::to_string(student) + ".json");
  Json json = Json::parse(readText(path));
  change(json);
  writeText(path, json.dump(1));
}

/// Changes a state so that it shows a study of a paper with its verdict, which takes minutes, and requests it.
void askForStudy(Json& state) {
  state["exhibit"] = "training";
  state["training"] = {{"page", "published"},
                       {"published", {{"study", "figure-3"}, {"quick", false}, {"seed", 7}, {"run", "figure-3"}}}};
}

}  // namespace

TEST_CASE("A class of thirty is graded by computing every answer again") {
  const Folder folder;
  std::filesystem::create_directories(folder.path("class"));
  const std::string lesson = folder.path("class/homework.md");
  writeText(lesson, homeworkText());
  for (int i = 0; i < 30; ++i)
    solve(lesson, nameOf(i), folder.path("class/" + std::to_string(i) + ".json"));
  // Honest mistakes.
  rewrite(folder, 1, [](Json& json) { json["answers"][0]["number"] = 0.5; });
  rewrite(folder, 2, [](Json& json) { json["answers"][2]["choice"] = 1; });
  rewrite(folder, 3, [](Json& json) { json["answers"].erase(2); });
  // Forged answers: a state that does not give the answer, a state of another chain, no state, another student's file,
  // a path.
  rewrite(folder, 4, [](Json& json) { json["answers"][1]["state"]["flow"]["points"][0]["w"] = 0.4; });
  rewrite(folder, 5, [](Json& json) { json["answers"][1]["state"]["flow"]["p"] = 0.123; });
  rewrite(folder, 6, [](Json& json) { json["answers"][1].erase("state"); });
  rewrite(folder, 7, [](Json& json) { json["name"] = "Mallory"; });
  rewrite(folder, 8, [](Json& json) { json["varied"]["flow.p"] = "0.6"; });
  rewrite(folder, 9, [](Json& json) { json["answers"][1]["state"]["weights"]["checkpoint"] = "/etc/passwd"; });
  rewrite(folder, 10, [](Json& json) {
    json["name"] = "student  11";
    json["seed"] = "0";
  });
  writeText(folder.path("class/11.json"), "{\"format\": \"sepx.answers/1\"");

  const Json graded = commandJson({"grade", folder.path("class")});
  CHECK(graded["lesson"] == "Homework");
  CHECK(graded["questions"].size() == 3);
  REQUIRE(graded["students"].size() == 30);
  const auto of = [&graded](int student) -> Json {
    for (const Json& one : graded["students"])
      if (one["file"] == std::to_string(student) + ".json") return one;
    return {};
  };
  for (int i = 12; i < 30; ++i) {
    CAPTURE(i);
    CHECK(of(i)["right"] == 3);
    CHECK(of(i)["name"] == nameOf(i));
  }
  CHECK(of(0)["right"] == 3);
  CHECK(of(1)["answers"][0]["grade"] == "wrong");
  CHECK(of(1)["answers"][0]["given"] == "0.5");
  CHECK(of(2)["answers"][2]["grade"] == "wrong");
  CHECK(of(3)["answers"][2]["grade"] == "missing");
  for (const int forged : {4, 5, 6, 9}) {
    CAPTURE(forged);
    CHECK(of(forged)["answers"][1]["grade"] == "forged");
    CHECK(of(forged)["right"] == 2);
  }
  CHECK_THAT(of(4)["answers"][1]["why"].get<std::string>(), Catch::Contains("does not give the answer"));
  CHECK_THAT(of(5)["answers"][1]["why"].get<std::string>(), Catch::Contains("flow.p"));
  CHECK_THAT(of(9)["answers"][1]["why"].get<std::string>(), Catch::Contains("/etc/passwd"));
  CHECK_THAT(of(7)["refusal"].get<std::string>(), Catch::Contains("seed"));
  CHECK_THAT(of(8)["refusal"].get<std::string>(), Catch::Contains("flow.p"));
  for (const int refused : {7, 8, 10, 11})
    CHECK(of(refused)["right"] == 0);

  const Ran table = command({"grade", folder.path("class"), "--csv"});
  REQUIRE(table.status == 0);
  CHECK(std::ranges::count(table.out, '\n') == 31);
  CHECK(table.out.starts_with("name,file,right,of,q1,q2,q3,remark\n"));
  CHECK_THAT(table.out, Catch::Contains("Student 12,12.json,3,3,right,right,right,\n"));
  CHECK_THAT(table.out, Catch::Contains("Student 6,6.json,2,3,right,forged,right,"));
  const Ran words = command({"grade", folder.path("class"), "--progress"});
  CHECK_THAT(words.out, Catch::Contains("26 of 30 files graded"));
  CHECK(words.err.starts_with("0 30\n1 30\n"));
  CHECK(words.err.ends_with("29 30\n30 30\n"));
}

TEST_CASE("A question about something that a state does not show is not judged by the state before it") {
  const Folder folder;
  std::filesystem::create_directories(folder.path("class"));
  const std::string lesson = folder.path("class/homework.md");
  writeText(lesson, homeworkText());
  for (int i = 0; i < 2; ++i)
    solve(lesson, nameOf(i), folder.path("class/" + std::to_string(i) + ".json"));
  rewrite(folder, 1, [](Json& json) {
    json["answers"][0].erase("number");  // the state before it is that of the other student
    Json& state = json["answers"][1]["state"];
    state["exhibit"] = "reversal";
    state["flow"]["points"][0]["w"] = 0.4;
  });
  const Json graded = commandJson({"grade", folder.path("class")});
  REQUIRE(graded["students"].size() == 2);
  CHECK(graded["students"][0]["answers"][1]["grade"] == "right");
  CHECK(graded["students"][1]["answers"][1]["grade"] == "forged");
}

TEST_CASE("The right number is computed from the lesson's own lines, for any state that a student saves") {
  const Folder folder;
  const auto lessonFrom = [](const char* start) {
    return std::string("# Loss\n\n## One\n\n```steps\nexhibit flow\nset flow.page plane\nvary flow.p 0.55..0.9\n") +
           "add point " + start + "\nwait settled\n```\n\n```ask\nquestion \"The loss?\"\n" +
           "number flow.points[0].loss +- 1%\n```\n";
  };
  std::filesystem::create_directories(folder.path("class"));
  writeText(folder.path("class/loss.md"), lessonFrom("0.9,0.4"));
  writeText(folder.path("moved.md"), lessonFrom("0.2,0.1"));
  for (const char* name : {"Ada", "Grace", "Emmy"})
    solve(folder.path("class/loss.md"), name, folder.path("class/" + std::string(name) + ".json"));
  // Grace moved the point and typed the number of the moved state. Emmy has the right number with a moved state.
  for (const char* name : {"Grace", "Emmy"}) {
    solve(folder.path("moved.md"), name, folder.path("moved.json"));
    const Json moved = Json::parse(readText(folder.path("moved.json")));
    const std::string path = folder.path("class/" + std::string(name) + ".json");
    Json json = Json::parse(readText(path));
    REQUIRE(json["answers"][0]["number"] != moved["answers"][0]["number"]);
    json["answers"][0]["state"] = moved["answers"][0]["state"];
    if (name == std::string("Grace")) json["answers"][0]["number"] = moved["answers"][0]["number"];
    writeText(path, json.dump(1));
  }
  const Json graded = commandJson({"grade", folder.path("class")});
  REQUIRE(graded["students"].size() == 3);
  CHECK(graded["students"][0]["answers"][0]["grade"] == "right");  // Ada, Emmy, Grace
  CHECK(graded["students"][1]["answers"][0]["grade"] == "right");
  CHECK(graded["students"][2]["answers"][0]["grade"] == "wrong");
  CHECK_THAT(graded["students"][2]["answers"][0]["why"].get<std::string>(),
             Catch::Contains("lesson's own lines give flow.points[0].loss = "));
}

TEST_CASE("A state is graded without the study that it requests, and within the time limit") {
  const Folder folder;
  std::filesystem::create_directories(folder.path("class"));
  writeText(folder.path("class/homework.md"), homeworkText());
  solve(folder.path("class/homework.md"), "Ada", folder.path("class/0.json"));
  rewrite(folder, 0, [](Json& json) {
    askForStudy(json["answers"][0]["state"]);
    // As if the student had computed it before and gone back, with a field that no lesson sets.
    askForStudy(json["answers"][1]["state"]);
    json["answers"][1]["state"]["exhibit"] = "flow";
    json["answers"][1]["state"]["flow"]["optimisers"]["adamw"]["decay"] = 0.1;
  });
  const Json graded = commandJson({"grade", folder.path("class")});
  REQUIRE(graded["students"].size() == 1);
  INFO(graded.dump(1));
  CHECK(graded["students"][0]["right"] == 3);

  const auto late = sepx::app::gradeClass(sepx::app::Options(), folder.path("class"), {}, {}, std::chrono::seconds(0));
  if (!late) FAIL(late.error().message);
  const std::vector<sepx::app::GradedAnswer>& answers = late->students.front().answers;
  REQUIRE(answers.size() == 3);
  for (std::size_t state = 0; state < 2; ++state) {
    CHECK(answers[state].grade == sepx::app::Grade::NotComputed);
    CHECK_THAT(answers[state].why, Catch::Contains("not computed within 0 seconds"));
  }
  CHECK(answers[2].grade == sepx::app::Grade::Right);
}

TEST_CASE("A study that exceeds the time limit does not delay the next answer", "[.][long]") {
  const Folder folder;
  std::filesystem::create_directories(folder.path("class"));
  writeText(folder.path("class/homework.md"), homeworkText());
  for (int i = 0; i < 2; ++i)
    solve(folder.path("class/homework.md"), nameOf(i), folder.path("class/" + std::to_string(i) + ".json"));
  rewrite(folder, 0, [](Json& json) {
    askForStudy(json["answers"][1]["state"]);
    json["answers"][1]["state"]["flow"]["points"][0]["w"] = 0.4;
  });
  const auto graded =
      sepx::app::gradeClass(sepx::app::Options(), folder.path("class"), {}, {}, std::chrono::seconds(20));
  if (!graded) FAIL(graded.error().message);
  REQUIRE(graded->students.size() == 2);
  CHECK(graded->students[0].answers[1].grade == sepx::app::Grade::NotComputed);
  CHECK(graded->students[0].right() == 2);
  CHECK(graded->students[1].right() == 3);
}

TEST_CASE("A second file with the same name is not graded, and a refused file does not count as the first") {
  const Folder folder;
  std::filesystem::create_directories(folder.path("class"));
  const std::string lesson = folder.path("class/homework.md");
  writeText(lesson, homeworkText());
  for (const char* file : {"1", "2", "4"})
    solve(lesson, file[0] == '4' ? "Grace" : "Ada", folder.path("class/" + std::string(file) + ".json"));
  // A file of Ada for another version, which comes first by file name, and a forged file with Grace's name.
  writeText(folder.path("class/0.json"), readText(folder.path("class/1.json")));
  rewrite(folder, 0, [](Json& json) { json["seed"] = "0"; });
  rewrite(folder, 2, [](Json& json) { json["name"] = "  ADA"; });
  writeText(folder.path("class/3.json"), readText(folder.path("class/4.json")));
  rewrite(folder, 3, [](Json& json) { json["varied"]["flow.p"] = "0.123"; });
  // A state that cannot be opened gives no verdict on the answer.
  rewrite(folder, 4, [](Json& json) { json["answers"][1]["state"]["flow"]["p"] = "text"; });

  const Json graded = commandJson({"grade", folder.path("class")});
  REQUIRE(graded["students"].size() == 5);
  const auto of = [&graded](const std::string& file) -> Json {
    for (const Json& one : graded["students"])
      if (one["file"] == file) return one;
    return {};
  };
  CHECK_THAT(of("0.json")["refusal"].get<std::string>(), Catch::Contains("seed"));
  CHECK(of("1.json")["refusal"].is_null());
  CHECK(of("1.json")["right"] == 3);
  CHECK_THAT(of("2.json")["refusal"].get<std::string>(), Catch::Contains("1.json has the same name"));
  CHECK(of("2.json")["right"] == 0);
  CHECK_FALSE(of("3.json")["refusal"].is_null());
  CHECK(of("4.json")["refusal"].is_null());
  CHECK(of("4.json")["right"] == 2);
  CHECK(of("4.json")["answers"][1]["grade"] == "not computed");
  CHECK_THAT(of("4.json")["answers"][1]["why"].get<std::string>(), Catch::Contains("cannot be opened"));
}

TEST_CASE("A class that cannot be graded gives a message") {
  const Folder folder;
  std::filesystem::create_directories(folder.path("class"));
  requireRefused({"grade", folder.path("none")}, 3, "none");
  requireRefused({"grade", folder.path("class")}, 3, "no lesson in this folder");
  writeText(folder.path("class/homework.md"), homeworkText());
  requireRefused({"grade", folder.path("class")}, 3, "0 files");
  writeText(folder.path("class/plain.md"), "# T\n\n## One\n");
  requireRefused({"grade", folder.path("class")}, 3, "--lesson");
  requireRefused({"grade", folder.path("class"), "--lesson", folder.path("class/plain.md")}, 3, "varies");
  requireRefused({"grade", folder.path("class"), "--csv", "--json"}, 2, "mutually exclusive");
  requireRefused({"lesson", "solve", folder.path("class/homework.md"), "--out", folder.path("a.json")}, 2, "--name");
  requireRefused({"lesson", "bake"}, 2, "bake");
}

TEST_CASE("A lesson is packed into one file that plays") {
  const Folder folder;
  writeText(folder.path("l.md"), "# Packed\n\n## One\n\n```steps\nopen s.sepx\nexpect flow.p == 0.3\n```\n");
  writeText(folder.path("s.sepx"), R"({"version": 1, "exhibit": "flow", "flow": {"p": 0.3}})");
  const Environment cache("XDG_CACHE_HOME", folder.path("cache").c_str());
  const Ran packed = command({"lesson", "pack", folder.path("l.md"), "--out", folder.path("l.sepx-lesson")});
  INFO(packed.err);
  REQUIRE(packed.status == 0);
  CHECK(packed.out == "l.md\ns.sepx\n");
  std::filesystem::remove(folder.path("s.sepx"));
  const Json played = commandJson({"play", folder.path("l.sepx-lesson")});
  CHECK(played["expectations"] == 1);
  requireRefused({"lesson", "pack", folder.path("l.md"), "--out", folder.path("l.zip")}, 2, ".sepx-lesson");
  requireRefused({"lesson", "pack", folder.path("l.md"), "--out", folder.path("m.sepx-lesson")}, 3, "s.sepx");
  const Json listed = commandJson({"lesson", "list"});
  CHECK(listed["lessons"].size() >= 12);
  CHECK(listed["lessons"][0]["exhibit"] == "flow");
}
