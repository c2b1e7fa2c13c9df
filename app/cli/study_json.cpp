// SPDX-License-Identifier: Apache-2.0
// A study's result as a JSON document: its own numbers, then the members that every study has.
#include "app/cli/study_json.h"

#include "app/cli/text.h"
#include "ui/published/study_words.h"

namespace sepx::app::cli {

namespace {

/// The outcome is the member `verdict`: true, false, or null with `why_not_judged`. Checks that stand `alone` also have
/// their chain and points.
Json checksJson(const std::vector<studies::Check>& checks, const char* verdict, bool alone) {
  Json list = Json::array();
  for (const studies::Check& check : checks) {
    Json& json =
        list.emplace_back(Json::object({{"what", ui::checkWords(check)},
                                        {"value", check.value},
                                        {"relation", check.relation},
                                        {"bound", check.bound},
                                        {verdict, check.notJudged ? Json() : Json(check.passed())},
                                        {"why_not_judged", check.notJudged ? Json(tr(check.notJudged)) : Json()}}));
    if (alone) json.update({{"p", check.p}, {"q", check.q}, {"points", check.points}});
  }
  return list;
}

}  // namespace

Json studyJson(const studies::StudyResult& result) {
  Json json = beginDocument("reproduce");
  json["id"] = result.study->id;
  json["quick"] = result.quick;
  for (const auto& [key, value] : result.numbers.items())
    json[key] = value;
  json["claim"] = tr(result.study->claim);
  json["checks"] = checksJson(result.checks, "passed", result.onlyChecks);
  json["observations"] = checksJson(result.observations, "as_published", false);
  json["passed"] = judgedOf(result.checks) > 0 ? Json(result.passed()) : Json();
  return json;
}

}  // namespace sepx::app::cli
