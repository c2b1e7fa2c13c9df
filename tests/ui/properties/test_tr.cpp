// SPDX-License-Identifier: Apache-2.0
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

#include <catch2/catch.hpp>
#include <clocale>
#include <string>

using namespace sepx::ui;

TEST_CASE("Without a catalogue a text is returned unchanged") {
  setUpTranslations();
  CHECK(std::string(tr("Initial points")) == "Initial points");
  CHECK(tr(std::string("H(π) in nats")) == "H(π) in nats");
  // In gettext the empty text is the key of the catalogue's header, which must not be shown.
  CHECK(std::string(tr("")).empty());
  CHECK(tr(std::string()).empty());
}

TEST_CASE("Numbers stay in the C locale") {
  std::setlocale(LC_ALL, "");
  setUpTranslations();
  CHECK(std::string(std::setlocale(LC_NUMERIC, nullptr)) == "C");
}

TEST_CASE("Formatting never throws: a text whose placeholders do not fit the values is returned unchanged") {
  CHECK(trFormat("{} of {}", 2, 3) == "2 of 3");
  CHECK(trEither(false, "{} run", "{} runs", 2) == "2 runs");
  const int value = 2;
  for (const char* wrong : {"{} of {}", "{0} {1}", "{", "{:q}", "{name}"})
    CHECK(formatted(wrong, fmt::make_format_args(value)) == wrong);
  CHECK(trFormat(sepx::Sentence("{} of {}", {"2"})) == "{} of {}");
}
