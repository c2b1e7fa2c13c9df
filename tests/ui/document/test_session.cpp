// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/core/file.h"
#include "engine/core/random.h"
#include "tests/temporary_folder.h"
#include "ui/document/document.h"
#include "ui/document/json_text.h"
#include "ui/document/session.h"

using namespace sepx;
using namespace sepx::ui;
namespace fs = std::filesystem;

namespace {

/// A temporary folder that is removed at the end.
using Folder = sepx::tests::TemporaryFolder;

std::string refusal(const std::string& path) {
  const Result<Document> document = readSession(path);
  REQUIRE_FALSE(document);
  CHECK(document.error().kind == ErrorKind::BadInput);
  CHECK_THAT(document.error().message, Catch::Contains(path));
  CHECK(document.error().message.find('\n') == std::string::npos);
  return document.error().message;
}

}  // namespace

TEST_CASE("A session that is written and read gives the same document") {
  const Folder folder;
  const Document document = Document()
                                .with("exhibit", "flow")
                                .with("flow.p", 0.1 + 0.2)
                                .with("flow.points[0]", Json{{"e", 1e-200}, {"w", -1e6}, {"name", "naïve \"π\""}})
                                .with("unknown.future", Json{{"x", nullptr}});
  REQUIRE(writeSession(document, folder / "a.sepx"));
  const Result<Document> back = readSession(folder / "a.sepx");
  REQUIRE(back);
  CHECK(*back == document);
  CHECK(back->hash() == document.hash());
}

TEST_CASE("A session that is cut off at any byte is refused") {
  const Folder folder;
  const std::string whole =
      indentedText(Document().with("flow.points[0].name", "a \\\" b").with("flow.p", 0.25).toJson());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    refusal(folder.file("cut.sepx", whole.substr(0, length)));
  }
  CHECK(readSession(folder.file("whole.sepx", whole)));
}

TEST_CASE("A file that is not a session is refused with file, place and reason") {
  const Folder folder;
  CHECK_THAT(refusal(folder.file("empty.sepx", "")), Catch::Contains("empty"));
  CHECK_THAT(refusal(folder.file("other.sepx", R"({"name":"left-pad","version":"1.3.0"})")),
             Catch::Contains("version"));
  CHECK_THAT(refusal(folder.file("none.sepx", R"({"flow":{"p":0.5}})")), Catch::Contains("version"));
  CHECK_THAT(refusal(folder.file("newer.sepx", R"({"version":2})")), Catch::Contains("newer"));
  CHECK_THAT(refusal(folder.file("huge.sepx", R"({"version":123456789012345678901234567890})")),
             Catch::Contains("version"));
  CHECK_THAT(refusal(folder.file("list.sepx", "[1,2]")), Catch::Contains("object"));
  CHECK_THAT(refusal(folder.file("nan.sepx", R"({"version":1,"flow":{"p":NaN}})")), Catch::Contains("byte 25"));
  CHECK_THAT(refusal(folder.file("over.sepx", R"({"version":1,"flow":{"p":1e999}})")),
             Catch::Contains("byte 25") && Catch::Contains("1e999"));
  CHECK_THAT(refusal(folder.file("binary.sepx", std::string("\x89PNG\r\n\x1a\n\0\0", 10))), Catch::Contains("byte 0"));
  CHECK_THAT(refusal(folder.file("latin.sepx", "{\"version\":1,\"flow\":{\"name\":\"\xE9\"}}")),
             Catch::Contains("byte"));
  CHECK_THAT(refusal(folder / "absent.sepx"), Catch::Contains("absent"));
  refusal(folder.path.string());
}

TEST_CASE("Deep nesting is refused before recursive code reads it") {
  const Folder folder;
  const auto nested = [](int depth) {
    return "{\"version\":1,\"a\":" + std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']') + "}";
  };
  CHECK_THAT(refusal(folder.file("deep.sepx", nested(200))), Catch::Contains("nested"));
  CHECK_THAT(refusal(folder.file("deeper.sepx", nested(3'000'000))), Catch::Contains("nested"));
  CHECK(readSession(folder.file("fine.sepx", nested(kDeepestNesting - 1))));
  // Brackets inside strings are text.
  CHECK(readSession(folder.file("text.sepx", R"({"version":1,"a":")" + std::string(500, '[') + "\\\"[[\"}")));
}

TEST_CASE("A duplicate name is refused, however many members the object has", "[json]") {
  CHECK_THAT(parseJson(R"({"a":1,"b":{"c":1,"c":2}})").error().message, Catch::Contains("duplicate name \"c\""));
  const auto members = [](int count, const std::string& more) {
    std::string text = "{";
    for (int i = 0; i < count; ++i)
      text += "\"k" + std::to_string(i) + "\":[" + std::to_string(i) + "],";
    return text + more + "}";
  };
  for (const int count : {1, 3, 15, 16, 17, 40, 20'000}) {
    CAPTURE(count);
    const auto good = parseJson(members(count, "\"z\":null"));
    REQUIRE(good);
    CHECK(good->size() == static_cast<std::size_t>(count) + 1);
    CHECK((*good)["k" + std::to_string(count - 1)][0] == count - 1);
    CHECK(compactText(*good) == members(count, "\"z\":null"));
    CHECK_THAT(parseJson(members(count, "\"k0\":1")).error().message, Catch::Contains("duplicate name \"k0\""));
  }
  // The same name in neighbouring or nested objects is not a duplicate.
  CHECK(parseJson(R"([{"a":1},{"a":2,"b":{"a":3}}])"));
}

TEST_CASE("JSON with too many members or values is refused, so reading time is linear in the length", "[json]") {
  std::string members = "{", values = "[";
  for (int i = 0; i < 1'000'000; ++i)
    members += "\"" + std::to_string(i) + "\":0,";
  CHECK_THAT(parseJson(members + "\"\":0}").error().message, Catch::Contains("members"));
  for (int i = 0; i < 9'000'000; ++i)
    values += "0,";
  CHECK_THAT(parseJson(values + "0]").error().message, Catch::Contains("values"));
}

TEST_CASE("Numbers beyond the range of a double are refused with their place", "[json]") {
  CHECK_THAT(parseJson(R"({"note":"1e999","x":[1, -1e999 ]})").error().message,
             Catch::Contains("byte 24") && Catch::Contains("-1e999"));
  CHECK(parseJson("1e308"));
  CHECK(*parseJson("1e-999") == 0.0);
  for (const char* none : {"NaN", "Infinity", "-Infinity", "0x10", "01", ".5", "1.", "+1", "1,5"}) {
    CAPTURE(none);
    CHECK_FALSE(parseJson(none));
  }
}

TEST_CASE("A session of a newer version is read as far as possible") {
  const Folder folder;
  const auto newer = readSessionFile(folder.file("n.sepx", R"({"version":3,"flow":{"p":0.25},"later":[1]})"));
  REQUIRE(newer);
  CHECK(newer->newer());
  CHECK(newer->version == 3);
  CHECK(newer->document.at("flow.p") == 0.25);
  CHECK(newer->document.at("later[0]") == 1);
  const auto present = readSessionFile(folder.file("p.sepx", R"({"version":1})"));
  REQUIRE(present);
  CHECK_FALSE(present->newer());
  for (const char* wrong : {R"({"version":-3})", R"({"version":"3"})", R"({"version":2.5})", "[]", "{}", "3"}) {
    CAPTURE(wrong);
    CHECK_FALSE(readSessionFile(folder.file("w.sepx", wrong)));
  }
}

TEST_CASE("A session that is saved, read and saved again has the same text") {
  const Folder folder;
  const std::string text =
      R"({"version":1,"exhibit":"flow","flow":{"zeta":[1,2.5,-0.0,1e300],"p":0.1,"points":[{"e":0.3,
    "w":5e-324,"name":"π \"q\" \\ \u0000","colour":{"r":1}}]},"flow@2":{"p":0.7},"later":{"b":[],"a":{}},"zz":"\u2028"})";
  const auto first = readSessionFile(folder.file("a.sepx", text));
  REQUIRE(first);
  REQUIRE(writeSession(first->document, folder / "b.sepx"));
  const auto second = readSessionFile(folder / "b.sepx");
  REQUIRE(second);
  REQUIRE(writeSession(second->document, folder / "c.sepx"));
  CHECK(readFile(folder / "b.sepx").value() == readFile(folder / "c.sepx").value());
  CHECK(second->document == first->document);
  CHECK(second->stamp == stampOf(readFile(folder / "c.sepx").value()));
  CHECK(second->document.at("later.a").is_object());
  CHECK(second->document.at("flow.points[0].colour.r") == 1);
}

TEST_CASE("A session that is too long is refused before it is read") {
  const Folder folder;
  const std::string path = folder.file("big.sepx", "");
  fs::resize_file(path, kLargestSession + 1);
  CHECK_THAT(refusal(path), Catch::Contains("longer"));
}

TEST_CASE("If a write fails, the old session remains") {
  const Folder folder;
  const Document old = Document().with("flow.p", 0.1);
  REQUIRE(writeSession(old, folder / "a.sepx"));
  const Result<void> nowhere = writeSession(old, folder / "no/such/folder/a.sepx");
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().kind == ErrorKind::OutputFailed);
  REQUIRE(writeSession(Document().with("flow.p", 0.2), folder / "a.sepx"));
  CHECK(readSession(folder / "a.sepx")->at("flow.p") == 0.2);
  // The folder contains only the session.
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
  // A folder has the name of the file: the rename fails, and no temporary file remains.
  fs::create_directory(folder.path / "b.sepx");
  CHECK_FALSE(writeSession(old, folder / "b.sepx"));
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 2);
}

TEST_CASE("Random bytes and damaged sessions never crash, and what is read survives a round trip") {
  RandomStream random(11);
  const std::string whole = compactText(Document().with("flow.points[0]", Json{{"e", 1.5}, {"w", -2e-3}}).toJson());
  for (int round = 0; round < 3000; ++round) {
    std::string text = whole;
    for (std::uint64_t i = 0; i <= random.below(4); ++i)
      text[random.below(text.size())] = static_cast<char>(random.next32());
    if (round % 3 == 0) {
      text.resize(random.below(200));
      for (char& c : text)
        c = static_cast<char>(random.next32());
    }
    const Result<Json> json = parseJson(text);
    if (!json) continue;
    const Result<Document> document = Document::fromJson(*json);
    if (document) CHECK(document->hash() == Document::fromJson(document->toJson())->hash());
  }
}
