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
  json["checks"] = checksJson(report.checks, "passed");
  for (std::size_t i = 0; i < report.checks.size(); ++i) {
    json["checks"][i]["p"] = report.checks[i].p;
    json["checks"][i]["q"] = report.checks[i].q;
    json["checks"][i]["points"] = report.checks[i].points;
  }
  json["passed"] = report.passed();
  return json;
}

std::string theoremText(const studies::TheoremReport& report) {
  const studies::Study& study = report.study();
  std::string text = tr(study.claim) + std::string("\n") + tr(study.assumptions) + "\n";
  double p = 0, q = 0;
  for (const studies::Check& check : report.checks) {
    if (check.p != p || check.q != q) text += fmt::format("\np = {}, q = {}\n", check.p, check.q);
    p = check.p;
    q = check.q;
    text += fmt::format("  {:>10.3g} {} {:<8.3g} {:<13} {} ({})\n", check.value, check.relation, check.bound,
                        verdictWord(check), trf(check.what), counted(check.points, N_("{} point"), N_("{} points")));
  }
  for (const char* id : study.corrected)
    if (const ui::Erratum* erratum = ui::findErratum(id))
      text += fmt::format("\n{} ({}): {}, {}", ui::kindName(erratum->kind), id, ui::paperName(erratum->paper),
                          tr(erratum->place));
  if (!study.corrected.empty()) text += "\n";
  return text;
}

}  // namespace sepx::app::cli
