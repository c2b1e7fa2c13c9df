// SPDX-License-Identifier: Apache-2.0
#include "ui/properties/tr.h"

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
