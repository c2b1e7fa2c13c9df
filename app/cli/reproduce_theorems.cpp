// SPDX-License-Identifier: Apache-2.0
// Theorems checked by numbers, as JSON and as text.
#include "app/cli/reproduce.h"
#include "app/cli/text.h"
#include "ui/properties/errata.h"

namespace sepx::app::cli {

Json theoremJson(const studies::TheoremReport& report) {
  const studies::Study& study = report.study();
  Json json = beginDocument("reproduce");
  json["id"] = study.id;
  json["quick"] = report.quick;
  json["statement"] = tr(study.claim);
  json["corrected"] = Json::array();
  for (const char* id : study.corrected)
    json["corrected"].push_back(id);
  json["checks"] = Json::array();
  for (const studies::Check& check : report.checks)
    json["checks"].push_back(Json::object({{"p", check.p},
                                           {"q", check.q},
                                           {"what", trf(check.what)},
                                           {"points", check.points},
                                           {"value", check.value},
                                           {"relation", check.relation},
                                           {"bound", check.bound},
                                           {"passed", check.notJudged ? Json() : Json(check.passed())},
                                           {"why_not_judged", check.notJudged ? Json(tr(check.notJudged)) : Json()}}));
  json["passed"] = report.passed();
  return json;
}

namespace {

const char* verdictWord(const studies::Check& check) {
  switch (check.verdict()) {
    case studies::Verdict::Holds:
      return N_("holds");
    case studies::Verdict::Fails:
      return N_("FAILS");
    default:
      return N_("not judged");
  }
}

}  // namespace

std::string theoremText(const studies::TheoremReport& report) {
  const studies::Study& study = report.study();
  std::string text = tr(study.claim) + std::string("\n") + tr(study.assumptions) + "\n";
  double p = 0, q = 0;
  for (const studies::Check& check : report.checks) {
    if (check.p != p || check.q != q) text += fmt::format("\np = {}, q = {}\n", check.p, check.q);
    p = check.p;
    q = check.q;
    text +=
        fmt::format("  {:>10.3g} {} {:<8.3g} {:<7} {} ({})\n", check.value, check.relation, check.bound,
                    tr(verdictWord(check)), trf(check.what), counted(check.points, N_("{} point"), N_("{} points")));
  }
  for (const char* id : study.corrected)
    if (const ui::Erratum* erratum = ui::findErratum(id))
      text += fmt::format("\n{} ({}): {}, {}", ui::kindName(erratum->kind), id, ui::paperName(erratum->paper),
                          tr(erratum->place));
  if (!study.corrected.empty()) text += "\n";
  return text;
}

}  // namespace sepx::app::cli
