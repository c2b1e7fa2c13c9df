// SPDX-License-Identifier: Apache-2.0
// Checks and verdicts of studies, as JSON and as text.
#include "app/cli/reproduce.h"
#include "app/cli/text.h"

namespace sepx::app::cli {

using studies::Check;

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

std::string checkLines(const std::vector<Check>& checks, const char* yes, const char* no) {
  std::string text;
  for (const Check& check : checks) {
    const char* const verdict = check.notJudged ? N_("not judged") : check.passed() ? yes : no;
    text += fmt::format("  {:>8.3g}  {:<18} {}", check.value, tr(verdict), trf(check.what));
    text += check.notJudged ? fmt::format(": {}\n", tr(check.notJudged)) : "\n";
  }
  return text;
}

std::string judgedLines(const studies::Study& study, const std::vector<Check>& checks) {
  std::string text = tr(study.claim) + std::string("\n");
  if (*study.thresholds != '\0') text += tr(study.thresholds) + std::string("\n");
  return text + checkLines(checks, N_("holds"), N_("DOES NOT HOLD"));
}

}  // namespace sepx::app::cli
