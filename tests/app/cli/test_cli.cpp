// SPDX-License-Identifier: Apache-2.0
// Properties of all verbs: usage errors, help, exit statuses, output that cannot be written, locales.
#include <array>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <locale>
#include <sstream>

#include <sys/wait.h>

#include <catch2/catch.hpp>

#include "app/cli/cli.h"
#include "app/cli/verb.h"
#include "tests/app/cli/run_sepx.h"
#include "tests/folders.h"
#include "tests/shell.h"

using namespace sepx::test;

namespace {

const std::vector<std::string> kFlow{"flow", "--p", "0.5", "--q", "0.8", "--at", "0.3,0.2"};

std::vector<std::string> with(std::vector<std::string> arguments, std::initializer_list<std::string> more) {
  arguments.insert(arguments.end(), more);
  return arguments;
}

/// Runs a shell command with the real binary as $SEPX. Returns its exit status and its output on both streams.
std::pair<int, std::string> shell(const std::string& command) {
  return sepx::tests::shell("SEPX='" + sepx::tests::binFolder() + "/sepx'; " + command);
}

}  // namespace

TEST_CASE("Wrong usage ends with status 2 and one line") {
  requireRefused({}, 2, "--help");
  requireRefused({"nonsense"}, 2, "nonsense");
  requireRefused({"flow"}, 2, "required");
  requireRefused(with(kFlow, {"--unknown"}), 2, "--unknown");
  requireRefused(with(kFlow, {"--p"}), 2, "--p");
  requireRefused(with(kFlow, {"doctor"}), 2, "doctor");
  requireRefused({"flow", "--p", "half", "--q", "0.8", "--at", "0,0"}, 2, "'half' is not a number");
  requireRefused({"flow", "--p", "0,5", "--q", "0.8", "--at", "0,0"}, 2, "'0,5' is not a number");
  requireRefused({"doctor", "--threads", "-3"}, 2, "--threads");
  requireRefused({"doctor", "--theme", "nonsense"}, 2, "--theme");
}

TEST_CASE("Help names the verbs that exist and no others") {
  const Ran ran = command({"--help"});
  CHECK(ran.status == 0);
  CHECK(ran.err.empty());
  for (const sepx::app::cli::VerbEntry& entry : sepx::app::cli::makeVerbs()) {
    const std::string verb = entry.name;
    CHECK(ran.out.find("\n  " + verb + " ") != std::string::npos);
    const Ran help = command({verb, "--help"});
    CHECK(help.status == 0);
    CHECK(help.out.find(verb) != std::string::npos);
  }
  for (const char* verb : {"cluster"}) {
    CHECK(ran.out.find(std::string("\n  ") + verb) == std::string::npos);
    CHECK(command({verb}).status == 2);
  }
  CHECK(command({"--version"}).status == 0);
  CHECK(command({"flow", "--version"}).status == 0);
}

TEST_CASE("Negative numbers are accepted as values in every notation") {
  for (const char* at : {"-0.5,0.2", "-.5,.2", "-5e-1,2e-1", " -0.5 , 0.2 ", "+0.5,-0.2"}) {
    INFO(at);
    CHECK(command({"flow", "--p", "0.5", "--q", "0.8", "--at", at}).status == 0);
  }
  CHECK(command({"flow", "--p", "0.5", "--q", "0.8", "--at=-0.5,0.2"}).status == 0);
  requireRefused({"flow", "--p", "-0.5", "--q", "0.8", "--at", "0,0"}, 2, "p");
  requireRefused({"flow", "--p", "0.5", "--q", "0.8", "--at", "-inf,0"}, 2, "'-inf' is not a finite number");
  requireRefused({"flow", "--p", "0.5", "--q", "0.8", "--at", "nan,0"}, 2, "'nan' is not a finite number");
  requireRefused({"flow", "--p", "0.5", "--q", "0.8", "--at", "1,,2"}, 2, "'' is not a number");
}

TEST_CASE("A start on the surface of unbounded orbits is classified by the invariants, not by a computed path") {
  const std::vector<std::string> on{"--p", "0.5", "--q", "0.8", "--model", "ewa", "--at", "0.689443330325249,0,-1"};
  std::vector<std::string> flow{"flow"};
  flow.insert(flow.end(), on.begin(), on.end());
  const Ran ran = command(flow);
  CHECK(ran.status == 0);
  CHECK(ran.out.find("by the two invariants") != std::string::npos);
  CHECK(ran.out.find("a computed path leaves it") != std::string::npos);
  CHECK(ran.out.find("largest region") == std::string::npos);
}

TEST_CASE("Output that cannot be written ends with status 6") {
  std::ostringstream out, err;
  out.setstate(std::ios::badbit);
  CHECK(sepx::app::cli::run(kFlow, out, err) == 6);
  CHECK(err.str().rfind("sepx: ", 0) == 0);

  const std::string flow = "$SEPX flow --p 0.5 --q 0.8 --at 0.3,0.2 ";
  CHECK(shell(flow + ">&- 2>/dev/null").first == 6);
  CHECK(shell(flow + ">/dev/full 2>/dev/null").first == 6);
  const auto [status, text] = shell(flow + "2>&1 >/dev/full");
  CHECK(status == 6);
  CHECK(text.rfind("sepx: ", 0) == 0);
  // If the reader closes the pipe, there is only the exit status, without a signal and without a message.
  Folder folder;
  for (const std::string& verb : {flow, std::string("$SEPX --help "), std::string("$SEPX reproduce list --json ")}) {
    INFO(verb);
    shell("{ sleep 0.5; " + verb + "2>" + folder.path("words") + "; echo $? >" + folder.path("status") + "; } | true");
    CHECK(readText(folder.path("status")) == "6\n");
    CHECK(readText(folder.path("words")).empty());
  }
}

TEST_CASE("The binary needs neither Qt nor GLFW") {
  const auto [status, libraries] = shell("ldd $SEPX");
  CHECK(status == 0);
  CHECK(libraries.find("libvulkan") != std::string::npos);
  for (const char* library : {"libQt", "libglfw", "libwayland"}) {  // cairo, which writes PDF, depends on libX11
    INFO(library);
    CHECK(libraries.find(library) == std::string::npos);
  }
}

TEST_CASE("Numbers are printed and parsed with a point in a locale with a decimal comma") {
  Folder folder;
  const Environment path("LOCPATH", folder.path("").c_str());
  const std::string makeLocale = "localedef -i de_DE -f UTF-8 " + folder.path("de_DE.UTF-8") + " >/dev/null 2>&1";
  if (std::system(makeLocale.c_str()) != 0 || std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) {
    WARN("de_DE.UTF-8 can neither be found nor made here (package locales): this test was skipped");
    return;
  }
  REQUIRE(std::string(std::localeconv()->decimal_point) == ",");
  const std::locale before = std::locale::global(std::locale("de_DE.UTF-8"));
  const std::vector<std::string> basin{"basin",  "--p",   "0.5",      "--q",  "0.8", "--window", "-1.5,1.5,-1.5,1.5",
                                       "--size", "64x64", "--method", "exact"};
  const std::vector<std::string> trajectory{"trajectory", "--p", "0.5", "--q", "0.8", "--at", "0.3,0.2", "--csv", "-"};
  std::vector<Ran> german, c;
  for (const auto& arguments : {kFlow, with(kFlow, {"--json"}), basin, with(basin, {"--json"}), trajectory}) {
    german.push_back(command(arguments));
  }
  std::locale::global(before);
  std::setlocale(LC_ALL, "C");
  for (const auto& arguments : {kFlow, with(kFlow, {"--json"}), basin, with(basin, {"--json"}), trajectory}) {
    c.push_back(command(arguments));
  }
  for (std::size_t i = 0; i < c.size(); ++i) {
    CHECK(german[i].status == 0);
    CHECK(german[i].out == c[i].out);
  }
}
