// SPDX-License-Identifier: Apache-2.0
// main() of every test. With SEPX_TEST_LOCALE=1 the tests run with the locale of the environment, including decimal
// commas and grouping of thousands. This is stricter than in the programs, which keep the numbers of the C locale.
#define CATCH_CONFIG_RUNNER
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <locale>

#include <catch2/catch.hpp>

namespace {

bool takeLocale() {
  if (!std::setlocale(LC_ALL, "")) return false;
  std::locale::global(std::locale(""));
  std::setlocale(LC_MESSAGES, "C");  // as in the programs, because their messages contain the system's error texts
  return *std::localeconv()->decimal_point == ',';
}

}  // namespace

int main(int argc, char** argv) {
  setenv("SEPX_LANGUAGE", "en", 0);  // in any language of the machine; programs that a test starts inherit it
  if (const char* wanted = std::getenv("SEPX_TEST_LOCALE"); wanted && *wanted == '1' && !takeLocale()) {
    std::fputs("the locale of the environment has no decimal comma\n", stderr);
    return 1;
  }
  return Catch::Session().run(argc, argv);
}
