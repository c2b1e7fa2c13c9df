// SPDX-License-Identifier: Apache-2.0
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

#include <catch2/catch.hpp>
#include <clocale>
#include <string>

using namespace sepx::ui;

TEST_CASE("without a catalogue a text is its own translation") {
  setUpTranslations();
  CHECK(std::string(tr("Initial points")) == "Initial points");
  CHECK(tr(std::string("H(π) in nats")) == "H(π) in nats");
  // The empty text is gettext's name for the catalogue's header; a person must not see that.
  CHECK(std::string(tr("")).empty());
  CHECK(tr(std::string()).empty());
}

TEST_CASE("numbers stay in the C locale") {
  std::setlocale(LC_ALL, "");
  setUpTranslations();
  CHECK(std::string(std::setlocale(LC_NUMERIC, nullptr)) == "C");
}

TEST_CASE("a sentence never throws: a text that asks for other values than there are stands as it is") {
  CHECK(trFormat("{} of {}", 2, 3) == "2 of 3");
  CHECK(trEither(false, "{} run", "{} runs", 2) == "2 runs");
  const int value = 2;
  for (const char* wrong : {"{} of {}", "{0} {1}", "{", "{:q}", "{name}"})
    CHECK(formatted(wrong, fmt::make_format_args(value)) == wrong);
  CHECK(trFormat(sepx::Sentence("{} of {}", {"2"})) == "{} of {}");
}
