// SPDX-License-Identifier: Apache-2.0
// The result of Tables 4 and 5 and Figure 2 of Attention-Structure as tables, and the three studies (score_study.h).
#include "engine/studies/score_result.h"

#include <algorithm>
#include <cmath>

#include "engine/core/file.h"
#include "engine/core/try.h"

namespace sepx::studies {

namespace {

using attention::PublishedValue;

Json distancesJson(const Summary* stack, PublishedScore score) {
  if (stack == nullptr) return {};
  const attention::Quartiles& of = quartilesOf(*stack, score);
  return {{"median", of.median}, {"minus", of.median - of.q1}, {"plus", of.q3 - of.median}};
}

/// The summary with heads paired as in the published code; null if queries are not grouped or nothing was measured.
const Summary* pairingOf(const Judged& row) {
  return row.measured && !row.measured->publishedPairing.empty() ? &row.measured->publishedPairing.front() : nullptr;
}

Json judgedJson(const Judged& row, PublishedScore score) {
  Json json{{"model", row.published->name}, {"printed", row.published->printed}, {"score", toString(score)}};
  json["published"] = overPoints(valuesOf(*row.published, score), [](const PublishedValue& value) {
    return Json{{"median", value.median}, {"minus", value.minus}, {"plus", value.plus}};
  });
  json["safe"] = row.published->isSafe();
  json["why_unsafe"] = wordOrNull(row.published->unsafe);
  json["parameters"] = row.published->parameters;
  json["source"] = wordOrNull(valuesOf(*row.published, score).front().source);
  json["measured"] = distancesJson(row.own, score);
  json["published_pairing"] = distancesJson(pairingOf(row), score);
  json["checkpoint"] = row.measured ? Json(row.measured->title) : Json();
  json["difference"] = row.off ? Json(*row.off) : Json();
  json["agrees"] = row.agrees ? Json(*row.agrees) : Json();
  return json;
}

Json checkpointJson(const Measured& measured) {
  Json json{{"model", measured.title}};
  json["row"] = measured.row ? Json(measured.row->name) : Json();
  json["row_by"] = !measured.row ? Json() : Json(measured.byShape ? "shape" : "name");
  json["parameters"] = measured.parameters;
  json["causal"] = measured.causal;
  json["stacks"] = overPoints(measured.stacks, [](const Summary& one) { return toJson(one); });
  return json;
}

std::string measuredText(const Summary& stack, PublishedScore score) {
  const attention::Quartiles& value = quartilesOf(stack, score);
  if (!std::isfinite(value.median)) return fmt::format("{:>24}", "-");
  return fmt::format("{:>8.4f}  -{:.4f} +{:.4f}", value.median, value.median - value.q1, value.q3 - value.median);
}

/// The reasons why rows cannot be compared, and the sources of rows that are in neither table, each once.
std::vector<std::string> reasonsOf(const attention::Published& published) {
  std::vector<std::string> reasons;
  const auto add = [&reasons](const std::string& reason) {
    if (!reason.empty() && std::find(reasons.begin(), reasons.end(), reason) == reasons.end())
      reasons.push_back(reason);
  };
  for (const attention::PublishedModel& model : published.models) {
    add(model.unsafe);
    for (const auto* values : {&model.symmetry, &model.directionality})
      for (const PublishedValue& value : *values)
        add(value.source);
  }
  return reasons;
}

Sentence verdictOf(const Judged& row, PublishedScore score, const std::vector<std::string>& reasons) {
  const auto number = [&reasons](const std::string& reason) {
    return std::find(reasons.begin(), reasons.end(), reason) - reasons.begin() + 1;
  };
  const std::string& source = valuesOf(*row.published, score).front().source;
  if (!row.published->isSafe() && !source.empty())
    return sentence(N_("not comparable ({}), in neither table ({})"), number(row.published->unsafe), number(source));
  if (!row.published->isSafe()) return sentence(N_("not comparable ({})"), number(row.published->unsafe));
  if (!row.measured) return {};
  if (!source.empty() && !row.measured->byShape)
    return sentence(N_("off by {}; in neither table ({})"), fmt::format("{:.4f}", *row.off), number(source));
  if (row.measured->byShape) return N_("not judged: it has the shape of a row but another name");
  if (!row.agrees) return N_("not judged");
  return *row.agrees ? Sentence(N_("agrees")) : sentence(N_("DISAGREES by {}"), fmt::format("{:.6g}", *row.off));
}

/// Whether a row is shown: if anything was measured, only the measured rows.
bool isShown(const Judged& row, const ScoreTables& tables) {
  return row.measured || tables.measured.empty();
}

StudyTable scoreTable(const ScoreTables& tables, PublishedScore score, const std::vector<Judged>& rows,
                      const std::vector<std::string>& reasons) {
  StudyTable table;
  table.heading = sentence(N_("{}: median and how far its quartiles lie below and above"), toString(score));
  table.indent = 0;
  table.columns = {
      {.width = -23}, {.title = N_("published"), .width = -22}, {.title = N_("measured"), .width = -26}, {}};
  for (const Judged& row : rows) {
    if (!isShown(row, tables)) continue;
    const PublishedValue& printed = valuesOf(*row.published, score).front();
    Row& made = table.rows.emplace_back();
    made.cells = {Cell(row.published->name),
                  Cell(fmt::format("{:>6.2f}  -{:.2f} +{:.2f}", printed.median, printed.minus, printed.plus)),
                  Cell(row.own ? measuredText(*row.own, score) : std::string()), Cell(verdictOf(row, score, reasons))};
    if (const Summary* pairing = pairingOf(row))
      table.rows.push_back(Row{{"", "", Cell(measuredText(*pairing, score)), Cell(N_("heads paired as published"))}});
  }
  return table;
}

/// The notes below the tables: numbered reasons, and checkpoints without a row.
StudyTable scoreNotes(const ScoreTables& tables, const std::vector<std::string>& reasons) {
  StudyTable notes;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const bool shown = std::any_of(tables.tables.begin(), tables.tables.end(), [&](const auto& table) {
      return std::any_of(table.second.begin(), table.second.end(), [&](const Judged& row) {
        const bool of =
            row.published->unsafe == reasons[i] || valuesOf(*row.published, table.first).front().source == reasons[i];
        return of && isShown(row, tables);
      });
    });
    if (shown) notes.notes.push_back(sentence("({}) {}", i + 1, reasons[i]));
  }
  for (const Measured& one : tables.measured) {
    const bool shown = std::any_of(tables.tables.begin(), tables.tables.end(), [&one](const auto& table) {
      return std::any_of(table.second.begin(), table.second.end(),
                         [&one](const Judged& row) { return row.measured == &one; });
    });
    if (shown) continue;
    notes.notes.push_back(sentence(one.row == nullptr
                                       ? N_("{}: no row has this name (NAME=PATH chooses one); s {}, d {}")
                                       : N_("{}: no value is published for it here; s {}, d {}"),
                                   one.title, fmt::format("{:.6g}", one.stacks.front().symmetry.median),
                                   fmt::format("{:.6g}", one.stacks.front().directionality.median)));
  }
  if (tables.quick) notes.notes.push_back(N_("quick: only some of the layers, so nothing is judged"));
  return notes;
}

/// The printed medians, and for a table also the quartiles; nothing is measured.
Result<StudyResult> printedScores(const std::string& assets, const std::string& id,
                                  const std::vector<PublishedScore>& scores) {
  constexpr std::size_t kLargest = std::size_t{1} << 20;
  SEPX_ASSIGN(const std::string text, readFile(assets + "/published/attention_structure.json", kLargest));
  SEPX_ASSIGN(const attention::Published published, attention::parsePublished(text));
  StudyResult result;
  result.study = &studyOf(id);
  StudyTable& table = result.tables.emplace_back();
  table.name = "published";
  table.inText = false;
  table.onPage = true;
  table.columns = {{.key = "model", .title = N_("model"), .share = 2}};
  const auto add = [&table](const char* key, const char* title) {
    table.columns.push_back({.key = key, .title = title, .width = 10, .digits = 2, .share = 1});
  };
  const bool both = scores.size() > 1;
  if (both || scores.front() == PublishedScore::Symmetry) add("symmetry", both ? N_("symmetry") : N_("median"));
  if (both || scores.front() == PublishedScore::Directionality)
    add("directionality", both ? N_("directionality") : N_("median"));
  if (!both) add("q1", N_("lower quartile"));
  if (!both) add("q3", N_("upper quartile"));
  for (const attention::PublishedModel& model : published.models) {
    Row row{.cells = {Cell(model.name)}, .published = true};
    for (const PublishedScore score : scores) {
      const std::vector<PublishedValue>& values = valuesOf(model, score);
      if (values.empty() || !values.front().isPrinted()) break;
      const PublishedValue& value = values.front();
      row.cells.emplace_back(value.median);
      if (both) continue;
      row.cells.emplace_back(value.median - value.minus);
      row.cells.emplace_back(value.median + value.plus);
    }
    if (row.cells.size() == table.columns.size()) table.rows.push_back(std::move(row));
  }
  return result;
}

Study scoreStudy(StudyForm form, const char* id, const char* title, const char* about, const char* claim,
                 std::vector<PublishedScore> scores) {
  return {.id = id,
          .form = form,
          .paper = kAttentionStructure,
          .title = title,
          .about = about,
          .claim = claim,
          .assumptions = N_(
              "W_qk as the model computes it, excess variant, gamma 2, ddof 1, median over the layers; rows that the "
              "published code computed differently are not judged"),
          .shipped =
              [id, scores = std::move(scores)](const std::string& assets) { return printedScores(assets, id, scores); },
          .ofCheckpoints = true};
}

}  // namespace

StudyResult resultOf(const std::shared_ptr<const ScoreTables>& tables) {
  StudyResult result;
  result.study = tables->study;
  result.quick = tables->quick;
  const std::vector<std::string> reasons = reasonsOf(tables->published);
  for (const auto& [score, rows] : tables->tables)
    result.tables.push_back(scoreTable(*tables, score, rows, reasons));
  result.tables.push_back(scoreNotes(*tables, reasons));
  result.checks = tables->checks();
  result.numbers = {{"source", tables->published.source}, {"tolerance", attention::kPrintTolerance}};
  result.numbers["checkpoints"] = overPoints(tables->measured, checkpointJson);
  Json& rows = result.numbers["rows"] = Json::array();
  for (const auto& table : tables->tables)
    for (const Judged& row : table.second)
      rows.push_back(judgedJson(row, table.first));
  result.drawn = tables;
  return result;
}

std::vector<Study> describeScores() {
  return {scoreStudy(StudyForm::Table, "attention-structure-table-4", N_("Symmetry of pretrained models"),
                     N_("symmetry of pretrained models, median and quartiles by layer"),
                     N_("The median over the layers of the symmetry of W_qk equals the printed value."),
                     {PublishedScore::Symmetry}),
          scoreStudy(StudyForm::Table, "attention-structure-table-5", N_("Directionality of pretrained models"),
                     N_("directionality of pretrained models, median and quartiles by layer"),
                     N_("The median over the layers of the directionality of W_qk equals the printed value."),
                     {PublishedScore::Directionality}),
          scoreStudy(StudyForm::Figure, "attention-structure-figure-2",
                     N_("Symmetry and directionality of pretrained models"),
                     N_("both scores against the number of parameters (--out picture)"),
                     N_("The medians of both scores equal the printed values."),
                     {PublishedScore::Symmetry, PublishedScore::Directionality})};
}

}  // namespace sepx::studies
