// SPDX-License-Identifier: Apache-2.0
// sepx tokens: the structure of its document, its texts, and what it refuses.
#include <catch2/catch.hpp>

#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"

using namespace sepx::test;

namespace {

const std::string& small() {
  static const std::string kPath = sepx::tests::sourceFolder() + "/tests/reference/tokenizer";
  return kPath;
}

}  // namespace

TEST_CASE("sepx tokens gives ids, tokens and offsets, and decodes to the same text") {
  const Json json = commandJson({"tokens", small(), "--text", "Hello the"});
  CHECK(keysOf(json) ==
        std::vector<std::string>{"schema", "tokenizer", "size", "notes", "ids", "tokens", "offsets", "nonfinite"});
  CHECK(json["schema"] == "sepx.tokens/1");
  CHECK(json["tokens"] == Json{"hello", "\xC4\xA0the", "<|end|>"});
  CHECK(json["offsets"] == Json{{0, 5}, {5, 9}, {9, 9}});
  const Json plain = commandJson({"tokens", small(), "--text", "Hello the", "--no-special"});
  CHECK(plain["ids"].size() == 2);
  const Json back = commandJson({"tokens", small(), "--decode", "37,33"});
  CHECK(back["text"] == "hello the");
  CHECK(commandJson({"tokens", small(), "--text", ""})["ids"].size() == 1);
  const Folder folder;
  writeText(folder.path("text"), "Hello the");
  CHECK(commandJson({"tokens", small(), "--text-file", folder.path("text")}) == json);
  const Ran table = command({"tokens", small(), "--text", "Hello the"});
  CHECK(table.status == 0);
  CHECK_THAT(table.out, Catch::Contains("37") && Catch::Contains("5-9") && Catch::Contains("added") &&
                            Catch::Contains("3 tokens"));
  CHECK_THAT(command({"tokens", small()}).out, Catch::Contains("tokenizer.json") && Catch::Contains("43"));
}

TEST_CASE("sepx tokens refuses invalid arguments with one message") {
  const Folder folder;
  requireRefused({"tokens", folder.path("")}, 3, "no tokenizer");
  requireRefused({"tokens", folder.path("nothing")}, 3, "nothing");
  requireRefused({"tokens", small(), "--decode", "44"}, 2, "44");
  requireRefused({"tokens", small(), "--decode", "a"}, 2, "--decode");
  requireRefused({"tokens", small(), "--decode", "1", "--text", "a"}, 2, "mutually exclusive");
  requireRefused({"tokens", small(), "--text", "\xFF"}, 2, "byte 0");
  writeText(folder.path("tokenizer.json"), R"({"normalizer":{"type":"Odd"},"model":{"type":"BPE","vocab":{"a":0}}})");
  requireRefused({"tokens", folder.path("")}, 3, "Odd");
  // For words without a rule for splitting a text, the message says what is missing and what to do.
  const std::string models = sepx::tests::sourceFolder() + "/assets/models/";
  for (const char* const name : {"arm", "decoder"}) {
    requireRefused({"tokens", models + name, "--text", "The"}, 3, "is missing (merges.txt");
    requireRefused({"tokens", models + name, "--text", "The"}, 3, "--ids");
  }
  for (const char* const name : {"encoder", "mdm"}) {
    requireRefused({"tokens", models + name, "--text", "The"}, 3, "is missing (a tokenizer.json)");
    CHECK(command({"forward", models + name, "--text", "The"}).status == 0);
  }
}
