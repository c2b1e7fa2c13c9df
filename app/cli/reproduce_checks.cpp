// SPDX-License-Identifier: Apache-2.0
// Checks and verdicts of studies, as JSON and as text.
#include "app/cli/reproduce.h"
#include "app/cli/text.h"

namespace sepx::app::cli {

using studies::Check;

namespace {

bool anyJudged(const std::vector<Check>& checks) {
  return countOf(checks, studies::Verdict::NotJudged) < checks.size();
}

}  // namespace

Json checksJson(const std::vector<Check>& checks, const char* verdict) {
  Json list = Json::array();
  for (const Check& check : checks)
    list.push_back(Json::object({{"what", trf(check.what)},
                                 {"value", check.value},
                                 {"relation", check.relation},
                                 {"bound", check.bound},
                                 {verdict, check.notJudged ? Json() : Json(check.passed())},
                                 {"why_not_judged", check.notJudged ? Json(tr(check.notJudged)) : Json()}}));
  return list;
}

Json passedJson(const std::vector<Check>& checks) {
  return anyJudged(checks) ? Json(studies::passed(checks)) : Json();
}

std::string verdictWord(const Check& check, const char* yes, const char* no) {
  const studies::Verdict verdict = check.verdict();
  return tr(verdict == studies::Verdict::NotJudged ? N_("not judged") : verdict == studies::Verdict::Holds ? yes : no);
}

std::string checkLines(const std::vector<Check>& checks, const char* yes, const char* no) {
  std::string text;
  for (const Check& check : checks) {
    text += fmt::format("  {:>8.3g}  {:<21} {}", check.value, verdictWord(check, yes, no), trf(check.what));
    text += check.notJudged ? fmt::format(": {}\n", tr(check.notJudged)) : "\n";
  }
  return text;
}

std::string judgedLines(const studies::Study& study, const std::vector<Check>& checks) {
  std::string text = tr(study.claim) + std::string("\n");
  if (*study.thresholds != '\0') text += tr(study.thresholds) + std::string("\n");
  text += checkLines(checks, kHolds, kDoesNotHold);
  if (!anyJudged(checks)) text += std::string(tr(N_("Nothing was judged."))) + "\n";
  return text;
}

}  // namespace sepx::app::cli
