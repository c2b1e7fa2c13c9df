// SPDX-License-Identifier: Apache-2.0
// Finding runs: filters on config fields and final metrics, search, order, differences.
#include <cstdlib>
#include <ctime>

#include <catch2/catch.hpp>

#include "engine/train/config_fields.h"
#include "engine/train/run_query.h"
#include "tests/engine/train/small_runs.h"

using namespace sepx;
using namespace sepx::test;
using namespace sepx::train;

namespace {

std::shared_ptr<RunSummary> run(const std::string& name, int width, const std::string& objective, double loss) {
  auto made = std::make_shared<RunSummary>();
  made->folder = "/runs/" + name;
  made->record.name = name;
  made->record.state = RunState::Finished;
  made->record.step = 100;
  made->metrics = {{"loss", loss}};
  for (const ConfigField& field : configFields()) {
    RunValue value = std::string(field.fallback.is_string() ? field.fallback.get<std::string>() : "");
    if (field.fallback.is_number()) value = field.fallback.get<double>();
    if (field.place == "model.d_model") value = static_cast<double>(width);
    if (field.place == "objective.kind") value = objective;
    if (field.place == "model.causal") value = std::string("true");
    made->config.push_back(value);
  }
  return made;
}

RunList library() {
  const auto a = run("run-10", 64, "masked", 1.5), b = run("run-2", 32, "next_token", 0.5),
             c = run("Other", 128, "masked", 2.5);
  a->own = {{"good", "wide"}, "the first that works"};
  b->own = {{"goodness"}, ""};
  c->metrics.clear();
  return {a, b, c};
}

/// Names of the runs that match, or the error message.
std::string passing(const std::string& text) {
  const RunList runs = library();
  const RunFields fields(runs);
  const auto filter = RunFilter::parse(text, fields);
  if (!filter) return filter.error().message;
  std::string names;
  for (const auto& one : runs)
    if (filter->passes(*one, fields)) names += one->record.name + " ";
  return names;
}

std::string ordered(const std::string& key, bool descending) {
  const RunList runs = library();
  const RunFields fields(runs);
  const auto field = fields.find(key);
  REQUIRE(field);
  std::string names;
  for (const auto& one : sorted(runs, fields, *field, descending))
    names += one->record.name + " ";
  return names;
}

}  // namespace

TEST_CASE("A filter compares config fields, final metrics and the record") {
  CHECK(passing("") == "run-10 run-2 Other ");
  CHECK(passing("model.d_model >= 64") == "run-10 Other ");
  CHECK(passing("d_model<64") == "run-2 ");
  CHECK(passing("objective = masked") == "run-10 Other ");
  CHECK(passing("objective.kind != Masked") == "run-2 ");
  CHECK(passing("loss < 2") == "run-10 run-2 ");  // the third run has no loss
  CHECK(passing("loss != 0.5") == "run-10 ");
  CHECK(passing("objective = masked and d_model > 64") == "Other ");
  CHECK(passing("objective = masked, d_model <= 64, loss == 1.5") == "run-10 ");
  CHECK(passing("tags = good") == "run-10 ");
  CHECK(passing("tags has good") == "run-10 run-2 ");
  CHECK(passing("tags != wide") == "run-2 ");
  CHECK(passing("notes has \"first that\"") == "run-10 ");
  CHECK(passing("name has RUN") == "run-10 run-2 ");
  CHECK(passing("model.causal = true") == "run-10 run-2 Other ");
  CHECK(passing("state = finished and step >= 100") == "run-10 run-2 Other ");
}

TEST_CASE("A filter on time accepts the times of the table, a day, today and yesterday") {
  ::setenv("TZ", "UTC-1", 1);  // one hour east of Greenwich
  ::tzset();
  RunList runs = library();
  const auto at = [&runs](std::size_t i, const std::string& created) {
    auto made = std::make_shared<RunSummary>(*runs[i]);
    made->record.created = created;
    runs[i] = made;
  };
  at(0, "2025-11-24T05:09:59Z");
  at(1, "2025-11-24T05:13:12Z");
  at(2, "2025-11-23T22:59:59Z");
  const RunFields fields(runs);
  const auto passing = [&](const std::string& text) {
    const auto filter = RunFilter::parse(text, fields);
    if (!filter) return filter.error().message;
    std::string names;
    for (const auto& one : runs)
      if (filter->passes(*one, fields)) names += one->record.name + " ";
    return names;
  };
  CHECK(shownTime(runs[1]->record.created) == "2025-11-24 06:13:12");
  CHECK(passing("created >= 2025-11-24 06:13") == "run-2 ");
  CHECK(passing("created > 2025-11-24 06:13") == "");
  CHECK(passing("created <= 2025-11-24 06:13") == "run-10 run-2 Other ");
  CHECK(passing("created < 2025-11-24 06:13") == "run-10 Other ");
  CHECK(passing("created = 2025-11-24 06:09") == "run-10 ");
  CHECK(passing("created >= 2025-11-24T06:13:13") == "");
  CHECK(passing("created = 2025-11-24") == "run-10 run-2 ");
  CHECK(passing("created < 2025-11-24") == "Other ");
  CHECK(passing("created >= 2025-11 and loss < 1") == "run-2 ");
  CHECK(passing("created >= today") == "");
  const std::int64_t now = std::time(nullptr);
  const auto utc = [](std::int64_t seconds) {
    const auto time = static_cast<std::time_t>(seconds);
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return std::string(text);
  };
  at(0, utc(now));
  at(1, utc(now - 24 * 3600));
  CHECK(passing("created = today") == "run-10 ");
  CHECK(passing("created = yesterday") == "run-2 ");
  CHECK(passing("created >= Yesterday") == "run-10 run-2 ");
  CHECK(
      isSentence(passing("created >= soon"), "is not a time: write 2026-11-24, 2026-11-24 06:13, today or yesterday"));
  CHECK(isSentence(passing("created >= 2025-11-24 06:1"), "is not a time"));
  CHECK(passing("created has 2025-11") == "Other ");
  CHECK(shownDay(runs[0]->record.created) == "today");
  CHECK(shownDay(runs[1]->record.created) == "yesterday");
  CHECK(shownDay("2025-11-23T23:30:00Z") == "2025-11-24");  // one hour east of Greenwich
  CHECK(shownDay("").empty());
  auto used = std::make_shared<RunSummary>(*runs[2]);
  used->used = utc(now);
  runs[2] = used;
  CHECK(passing("used = today") == "Other ");
  CHECK(passing("used < today") == "");  // the time is unknown for the others
  ::unsetenv("TZ");
  ::tzset();
}

TEST_CASE("An invalid filter gives one message with the remedy") {
  CHECK(isSentence(passing("model.dmodel >= 64"), "the nearest is \"model.d_model\""));
  CHECK(isSentence(passing("d_modl >= 64"), "the nearest is \"model.d_model\""));
  CHECK(isSentence(passing("d_model"), "as in \"model.d_model >= 64\""));
  CHECK(isSentence(passing("d_model >="), "is not a condition"));
  CHECK(isSentence(passing(">= 3"), "is not a condition"));
  CHECK(isSentence(passing("d_model >= wide"), "\"wide\" is not a number"));
  CHECK(isSentence(passing("loss has 3"), "is not a number"));
  CHECK(isSentence(passing("name = \"a"), "quotation mark"));
  CHECK(isSentence(passing("objective = mlm"), "it must be one of next_token, masked"));
  CHECK(isSentence(passing("kind = masked"), "is ambiguous"));
  CHECK(isSentence(passing("objective = masked,"), "is not a condition"));
}

TEST_CASE("Runs are sorted by any field, with numbers in names as numbers and missing values last") {
  CHECK(ordered("name", false) == "Other run-2 run-10 ");
  CHECK(ordered("name", true) == "run-10 run-2 Other ");
  CHECK(ordered("loss", false) == "run-2 run-10 Other ");
  CHECK(ordered("loss", true) == "run-10 run-2 Other ");
  CHECK(ordered("model.d_model", true) == "Other run-10 run-2 ");
  CHECK(ordered("step", true) == "run-10 run-2 Other ");  // all equal: the order is kept
}

TEST_CASE("The search finds every word in name, note, tags and notes") {
  const RunList runs = library();
  CHECK(isFound(*runs[0], "WORKS first"));
  CHECK(isFound(*runs[0], "wide run-10"));
  CHECK_FALSE(isFound(*runs[0], "wide second"));
  CHECK(isFound(*runs[2], "  "));
}

TEST_CASE("The differences of two runs are all config fields that differ and all final metrics") {
  const RunList runs = library();
  const auto all = whatDiffers({runs[0], runs[1]});
  REQUIRE(all.size() == 3);
  CHECK(all[0].key == "model.d_model");
  CHECK(all[0].values == std::vector<RunValue>{64.0, 32.0});
  CHECK(all[1].key == "objective.kind");
  CHECK(all[2].key == "loss");
  CHECK(all[2].metric);
  CHECK(all[2].values == std::vector<RunValue>{1.5, 0.5});
  CHECK(whatDiffers({runs[0], runs[0]}).size() == 1);  // the loss
}
