// SPDX-License-Identifier: Apache-2.0
// sepx verify: checks the groups of a reference file and prints which pass; see verify.h.
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/cli/verify.h"
#include "app/data_files.h"
#include "engine/core/file.h"
#include "engine/core/try.h"

namespace sepx::app::cli {
namespace {

Result<Json> readReference(const std::string& path) {
  SEPX_ASSIGN(const std::string text, readFile(path));
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    return failf(ErrorKind::BadInput, N_("{}: not JSON at byte {}; it must be a reference file"), path, error.byte);
  } catch (const Json::exception& error) {
    return failf(ErrorKind::BadInput, N_("{}: not usable as JSON: {}"), path, std::string(error.what()));
  }
}

bool allPassed(const std::vector<GroupResult>& groups) {
  for (const GroupResult& group : groups) {
    if (!group.passed()) return false;
  }
  return !groups.empty();
}

Json verifyJson(const std::vector<GroupResult>& groups) {
  Json document = beginDocument("verify");
  document["groups"] = Json::array();
  for (const GroupResult& group : groups) {
    Json one = Json::object();
    one["name"] = group.name;
    one["cases"] = group.cases;
    one["worst"] = group.worst;
    one["passed"] = group.passed();
    if (!group.passed()) one["failures"] = group.failures;
    document["groups"].push_back(std::move(one));
  }
  document["passed"] = allPassed(groups);
  return document;
}

void printTable(std::ostream& out, const std::vector<GroupResult>& groups) {
  out << fmt::format("{:<26}{:>7}{:>14}  {}\n", tr(N_("group")), tr(N_("cases")), tr(N_("worst")), tr(N_("result")));
  for (const GroupResult& group : groups) {
    out << fmt::format("{:<26}{:>7}{:>14}  {}\n", group.name, group.cases, displayText(group.worst),
                       group.passed() ? tr(N_("passed")) : tr(N_("FAILED")));
    for (const std::string& sentence : group.failures)
      out << "    " << sentence << "\n";
    if (group.failed > group.failures.size()) {
      out << "    " << trf(N_("and {} more cases"), group.failed - group.failures.size()) << "\n";
    }
  }
  out << tr(N_("worst: the largest distance from the reference in units of its tolerance")) << "\n";
}

class VerifyVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "file", file_, N_("the reference file (default: the one that ships with the program)"),
              "FIXTURES.json");
    addOption(command, "--group", groups_, N_("only this group; may be repeated"), "G")->allow_extra_args(false);
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options&) override {
    std::string path = file_;
    if (path.empty()) {
      SEPX_ASSIGN(path, findData("reference/fixtures.json"));
    }
    SEPX_ASSIGN(const Json file, readReference(path));
    SEPX_ASSIGN(const std::vector<GroupResult> groups, verifyFile(file, path, groups_));
    if (json_) {
      console.out << finishDocument(verifyJson(groups));
    } else {
      printTable(console.out, groups);
    }
    return allPassed(groups) ? Outcome::Done : Outcome::CheckFailed;
  }

 private:
  std::string file_;
  std::vector<std::string> groups_;
  bool json_ = false;
};

}  // namespace

VerbEntry makeVerify() {
  return {"verify", N_("Compare this program's numbers with every case of a reference file"),
          std::make_unique<VerifyVerb>()};
}

}  // namespace sepx::app::cli
