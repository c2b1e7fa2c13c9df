// SPDX-License-Identifier: Apache-2.0
#include "ui/exhibits/training/published/published_rows.h"

#include <algorithm>
#include <cmath>

#include <fmt/args.h>
#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

using studies::Check;
using studies::EmergenceStudy;
using studies::Trainee;

std::span<const PublishedStudy> publishedStudies() {
  using studies::StudyKind;
  static const std::vector<PublishedStudy> all{
      {"figure-3",
       N_("Figure 3"),
       "attention-structure-figure-3",
       StudyKind::Emergence,
       3,
       {N_("12 layers, Wikipedia: the symmetry of the encoder rises, that of the decoder stays low (a)."),
        N_("The directionality of the decoder is further below 0 than that of the encoder (b)."),
        N_("Late layers of the encoder become more symmetric, and earlier (c).")}},
      {"figure-s3",
       N_("Figure S3"),
       "attention-structure-figure-s3",
       StudyKind::Emergence,
       103,
       {N_("12 layers, Jigsaw and Red Pajama: the medians behave as in figure 3."),
        N_("The directionality differs less between the two than on Wikipedia.")}},
      {"figure-s4",
       N_("Figure S4"),
       "attention-structure-figure-s4",
       StudyKind::Emergence,
       104,
       {N_("12 layers, Jigsaw and Red Pajama, by layer: late layers of the encoder are more symmetric."),
        N_("Late layers of the decoder have the larger directionality.")}},
      {"table-1",
       N_("Table 1"),
       "attention-structure-table-1",
       StudyKind::Emergence,
       1,
       {N_("A symmetric start ends at a lower loss in eight of nine models."),
        N_("It reaches the last loss of the free start after 27 to 100 % of the epochs."),
        N_("The text says up to 75 % faster for 4 layers; the table has 73 %.")}},
      {"figure-s5",
       N_("Figure S5"),
       "attention-structure-figure-s5",
       StudyKind::Emergence,
       105,
       {N_("4 layers, Red Pajama: the loss of the symmetric start falls earlier (a)."),
        N_("Its symmetry falls first, and ends higher than that of the free start (b)."),
        N_("The layers differ less (c).")}},
      {"theorem-2-3",
       N_("Theorem 2.3"),
       "attention-structure-theorem-2-3",
       StudyKind::Growth,
       3,
       {N_("(17): the mean squared norm of every column is larger than that of the rows m with Σ_mm < Tr Σ/d."),
        N_("(18): above some γ more columns than rows have a larger norm, so that columns dominate."),
        N_("Ours: (S56) holds, (18) does not follow from it. The page Norms shows it.")}}};
  return all;
}

const PublishedStudy& publishedStudy(const std::string& word) {
  const auto all = publishedStudies();
  for (const PublishedStudy& one : all)
    if (word == one.word) return one;
  return all.front();
}

namespace {

/// A text of the engine, translated, with its values in it.
std::string trSentence(const Sentence& sentence) {
  fmt::dynamic_format_arg_store<fmt::format_context> values;
  for (const std::string& value : sentence.values)
    values.push_back(value);
  return fmt::vformat(tr(sentence.pattern), values);
}

/// "≥ 0.5"
std::string boundText(const Check& check) {
  const std::string_view sign = check.relation;
  const char* const shown = sign == ">=" ? "≥" : sign == "<=" ? "≤" : sign == "=" ? "=" : "<";
  return fmt::format("{} {:g}", shown, check.bound);
}

std::string numberText(double value) {
  return std::isfinite(value) ? fmt::format("{:.3g}", value) : "–";
}

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

void addChecks(PublishedTable& table, const std::vector<Check>& checks) {
  for (const Check& check : checks)
    table.rows.push_back({{trSentence(check.what), trFormat("bound {}", boundText(check)), numberText(check.value)},
                          check.passed() ? Verdict::Holds : Verdict::Fails});
}

/// What is told has the published observation in its words: "… (published: below 0)".
void addTold(PublishedTable& table, const std::vector<Check>& told) {
  constexpr std::string_view kMark = "(published: ";
  for (const Check& check : told) {
    std::string what = trSentence(check.what), published = boundText(check);
    if (const std::size_t at = what.find(kMark); at != std::string::npos) {
      published = what.substr(at + kMark.size());
      if (published.ends_with(')')) published.pop_back();
      what.resize(at > 0 ? at - 1 : 0);
    }
    table.rows.push_back(
        {{what, published, numberText(check.value)}, check.passed() ? Verdict::AsPublished : Verdict::NotAsPublished});
  }
}

/// "characters, seed 0: " of every row goes into the title of the column.
void shareBeginning(PublishedTable& table) {
  if (table.rows.empty()) return;
  const std::string& first = table.rows.front().cells.front();
  const std::size_t end = first.find(": ");
  if (end == std::string::npos) return;
  const std::string beginning = first.substr(0, end + 2);
  const auto has = [&](const PublishedTable::Row& row) { return row.cells.front().starts_with(beginning); };
  if (!std::all_of(table.rows.begin(), table.rows.end(), has)) return;
  table.columns.front() = beginning.substr(0, end);
  for (PublishedTable::Row& row : table.rows)
    row.cells.front().erase(0, beginning.size());
}

PublishedTable lossTable(const EmergenceStudy* study) {
  PublishedTable table;
  table.columns = {tr("model and text"), tr("loss"), "W_k = W_q", tr("speed-up")};
  for (const studies::PublishedLoss& row : studies::publishedLosses())
    table.rows.push_back({{trFormat("{} layers, {}", row.layers, row.text), fmt::format("{:.3f}", row.loss),
                           fmt::format("{:.3f}", row.symmetricLoss), percent(row.speedUp)},
                          Verdict::None,
                          true});
  if (!study) return table;
  for (std::size_t s = 0; s < study->sources.size(); ++s)
    for (const std::uint64_t seed : study->seeds()) {
      const auto *const free = study->find(s, Trainee::Encoder, seed), *const symmetric = study->find(
                                                                           s, Trainee::SymmetricEncoder, seed);
      if (!free || !symmetric || free->curve.empty() || symmetric->curve.empty()) continue;
      const double share = speedUp(*free, *symmetric), loss = free->curve.back().loss,
                   other = symmetric->curve.back().loss;
      table.rows.push_back({{trFormat("2 layers, {}, seed {}", study->sources[s].name, seed),
                             fmt::format("{:.3f}", loss), fmt::format("{:.3f}", other), percent(share)},
                            other < loss ? Verdict::AsPublished : Verdict::NotAsPublished});
    }
  return table;
}

}  // namespace

std::vector<Check> PublishedResult::checks() const {
  return emergence ? emergence->checks() : theorem ? theorem->checks : std::vector<Check>();
}

std::vector<Check> PublishedResult::told() const {
  return emergence ? emergence->told() : std::vector<Check>();
}

std::size_t passedOf(const std::vector<Check>& checks) {
  return static_cast<std::size_t>(
      std::count_if(checks.begin(), checks.end(), [](const Check& check) { return check.passed(); }));
}

std::vector<std::string> checkLines(const std::vector<Check>& checks) {
  std::vector<std::string> lines;
  for (const Check& check : checks)
    lines.push_back(fmt::format("{}: {} ({}), {}", trSentence(check.what), numberText(check.value), boundText(check),
                                verdictWords(check.passed() ? Verdict::Holds : Verdict::Fails)));
  return lines;
}

PublishedTable publishedTable(const PublishedStudy& study, const PublishedResult* result) {
  const EmergenceStudy* const emergence = result && result->emergence ? &*result->emergence : nullptr;
  if (study.number == 1 && study.kind == studies::StudyKind::Emergence) return lossTable(emergence);
  PublishedTable table;
  table.columns = {tr("number"), tr("claim"), tr("here")};
  if (emergence) {
    addChecks(table, result->checks());
    addTold(table, result->told());
  } else if (result) {
    addChecks(table, result->checks());
  }
  shareBeginning(table);
  return table;
}

std::string verdictWords(Verdict verdict) {
  switch (verdict) {
    case Verdict::Holds:
      return tr("holds");
    case Verdict::Fails:
      return tr("does not hold");
    case Verdict::AsPublished:
      return tr("as published");
    case Verdict::NotAsPublished:
      return tr("not as published");
    default:
      return {};
  }
}

}  // namespace sepx::ui
