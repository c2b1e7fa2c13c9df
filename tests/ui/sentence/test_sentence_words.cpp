// SPDX-License-Identifier: Apache-2.0
// Tokens of the page Sentence: a text, ids, replaced tokens, and hostile texts.
#include <string>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/weights/sentence/sentence_rig.h"

using namespace sepx;
using namespace sepx::ui;

TEST_CASE("Edits and ids are parsed, and written in the same format", "[weights][sentence]") {
  CHECK(editsOf("3:103, 5:2054") == SentenceEdits{{3, 103}, {5, 2054}});
  CHECK(editsOf("5:1,3:2;3:9 x 4: :5 -1:2 2:-7") == SentenceEdits{{3, 2}, {5, 1}});
  CHECK(editsOf("").empty());
  CHECK(textOf(SentenceEdits{{3, 103}, {5, 2054}}) == "3:103, 5:2054");
  const auto ids = idsOf("12, 7\n305");
  REQUIRE(ids);
  CHECK(*ids == std::vector<std::int32_t>{12, 7, 305});
  CHECK(textOf(*ids) == "12, 7, 305");
  for (const char* const wrong : {"12, x", "-3", "1.5", "99999999999"}) {
    const auto refused = idsOf(wrong);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::Usage);
  }
  for (const char* const text : {"1,,2", ",1", "1, ,2", "1;,2"}) {
    INFO(text);
    REQUIRE_FALSE(idsOf(text));
    CHECK(idsOf(text).error().message.find("an id is missing") != std::string::npos);
  }
  CHECK(idsOf("1, 2,"));  // a trailing comma is allowed while the user types
}

TEST_CASE("With an empty text the page asks for a text, and no model runs", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  rig.set("weights.sentence.text", std::string());
  rig.settle();
  CHECK(rig.results().pass() == nullptr);
  CHECK(rig.text("weights.sentence.failure").find("empty") != std::string::npos);
  CHECK(rig.sentences("sentence.waiting").find("The text is empty") != std::string::npos);
  rig.set("weights.sentence.text", std::string("The cat"));
  rig.settle();
  CHECK(rig.results().pass()->n() == 2);
}

TEST_CASE("Tokens follow the text, with visible blanks", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  CHECK(rig.tokens().front() == "The");
  CHECK(rig.tokens()[1] ==
        "\xE2\x90\xA3"
        "dog");
  CHECK(rig.number("weights.sentence.tokens") == 10);
  CHECK(rig.texts("sentence.tokens")
            .find("\xE2\x90\xA3"
                  "bird") != std::string::npos);
  rig.set("weights.sentence.text", std::string("The cat sees a dog."));
  rig.settle();
  CHECK(rig.number("weights.sentence.tokens") == 6);
  CHECK(rig.results().pass()->n() == 6);
  CHECK(rig.text("weights.sentence.shown").find("The|") == 0);
  // A note reports that the vocabulary has no rules for splitting.
  CHECK(rig.sentences("sentence.notes").find("vocab.json has no rule") != std::string::npos);
}

TEST_CASE("A click on a token selects it, masking replaces it, and the text stays", "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("encoder"));
  rig.set("weights.sentence.text", std::string(kDogs));
  rig.settle();
  REQUIRE(rig.results().words()->mask());
  rig.click(rig.at("tokens", 5, 0));
  rig.settle();
  CHECK(rig.number("weights.sentence.place") == 5);
  CHECK(rig.number("weights.sentence.query") == 5);
  REQUIRE(rig.run("weights.sentence-mask"));
  rig.settle();
  CHECK(rig.results().tokens()->tokens[5].masked);
  CHECK(rig.results().tokens()->tokens[5].original != rig.results().tokens()->tokens[5].id);
  CHECK(rig.text("weights.sentence.text") == kDogs);
  // The rank is that of the token in the text, which the mask replaces.
  CHECK(rig.number("weights.sentence.rank") >= 1);
  REQUIRE(rig.run("weights.sentence-mask"));
  rig.settle();
  CHECK_FALSE(rig.results().tokens()->tokens[5].masked);
  CHECK(rig.text("weights.sentence.edits").empty());
}

TEST_CASE("The selected token can be replaced by another word, and a new text removes the replacement",
          "[weights][sentence]") {
  SentenceRig rig(SentenceRig::bundled("decoder"));
  rig.set("weights.sentence.text", std::string(kDogs));
  rig.settle();
  rig.set("weights.sentence.place", 1.0);
  rig.settle();
  rig.set("weights.sentence.replacement", std::string("fox"));
  rig.settle();
  CHECK(rig.results().tokens()->tokens[1].shown ==
        "\xE2\x90\xA3"
        "fox");
  CHECK(rig.results().tokens()->tokens[1].edited);
  CHECK(rig.text("weights.sentence.replacement").empty());
  CHECK(rig.refusal("weights.sentence.replacement", std::string("unheard of")).find("unheard of") != std::string::npos);
  rig.set("weights.sentence.text", std::string("The dog."));
  rig.settle();
  CHECK(rig.text("weights.sentence.edits").empty());
  CHECK(rig.number("weights.sentence.place") == -1);
}

TEST_CASE("For a model without a tokenizer the page asks for ids", "[weights][sentence]") {
  checkpoint::made::Folder folder;
  SentenceRig rig(checkpoint::made::tinyLlama().write(folder));
  CHECK(rig.text("weights.sentence.from") == "none");
  CHECK(rig.sentences("sentence.notes").find("Type tokens as ids") != std::string::npos);
  rig.set("weights.sentence.ids", std::string("1, 2, 3, 4"));
  rig.settle();
  CHECK(rig.tokens() == std::vector<std::string>{"#1", "#2", "#3", "#4"});
  CHECK(rig.refusal("weights.sentence.ids", std::string("1, two")).find("two") != std::string::npos);
  CHECK(rig.text("weights.sentence.ids") == "1, 2, 3, 4");
  rig.set("weights.sentence.text", std::string("the cat"));
  rig.settle();
  CHECK(rig.text("weights.sentence.failure").find("no tokenizer") != std::string::npos);
}

TEST_CASE("A tokenizer can be chosen by the user", "[weights][sentence]") {
  checkpoint::made::Folder folder;
  const std::string words = llamaWithWords(folder, checkpoint::made::tinyLlama());
  SentenceRig rig(checkpoint::made::tinyLlama().write(folder, "bare"));
  rig.set("weights.sentence.tokenizer", words);
  rig.set("weights.sentence.text", std::string("the old cat sees a dog"));
  rig.settle();
  CHECK(rig.text("weights.sentence.from").find("tokenizer.json") != std::string::npos);
  CHECK(rig.number("weights.sentence.tokens") == 6);
  REQUIRE(rig.run("weights.sentence-open-tokenizer"));
  CHECK(rig.chosenFor == "weights.sentence.tokenizer");
  rig.set("weights.sentence.tokenizer", folder.path.string() + "/nowhere");
  rig.settle();
  CHECK(rig.text("weights.sentence.tokenizer.failure").find("nowhere") != std::string::npos);
}

TEST_CASE("Hostile texts are shown without control characters or are refused", "[weights][sentence]") {
  checkpoint::made::Folder folder;
  SentenceRig rig(llamaWithWords(folder, checkpoint::made::tinyLlama()));
  rig.set("weights.sentence.text", std::string("the \x1B[31m cat \xE2\x80\xAE dog\n\t\"'<a>"));
  rig.settle();
  REQUIRE(rig.results().tokens());
  for (const std::string& shown : rig.tokens()) {
    CHECK(shown.find('\x1B') == std::string::npos);
    CHECK(shown.find('\n') == std::string::npos);
  }
  const std::string before = rig.text("weights.sentence.shown");
  // A text that is not UTF-8 is refused, and the previous tokens stay.
  CHECK(rig.refusal("weights.sentence.text", std::string("the \xFF cat")).find("UTF-8") != std::string::npos);
  CHECK_FALSE(rig.results().words()->encode("the \xFF cat", true));
  const auto longest = rig.results().words()->encode(std::string(kLongestSentence + 1, 'a'), true);
  REQUIRE_FALSE(longest);
  CHECK(longest.error().message.find("bytes") != std::string::npos);
  CHECK_FALSE(rig.refusal("weights.sentence.text", std::string(kLongestSentence + 1, 'a')).empty());
  CHECK(rig.text("weights.sentence.shown") == before);
}
