// SPDX-License-Identifier: Apache-2.0
// Published scores beside measured ones, as JSON and as tables.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/cli/qk_scores.h"
#include "app/cli/reproduce.h"
#include "app/cli/text.h"

namespace sepx::app::cli {

using attention::Published;
using attention::PublishedModel;
using attention::PublishedValue;
using studies::Judged;
using studies::Measured;
using studies::PublishedScore;

namespace {

Json quartilesJson(const attention::Quartiles& quartiles) {
  Json json = Json::object();
  json["median"] = quartiles.median;
  json["minus"] = quartiles.median - quartiles.q1;
  json["plus"] = quartiles.q3 - quartiles.median;
  return json;
}

Json rowJson(const Judged& row, PublishedScore score) {
  Json json = Json::object();
  json["model"] = row.published->name;
  json["printed"] = row.published->printed;
  json["score"] = word(score);
  json["published"] = Json::array();
  for (const PublishedValue& value : valuesOf(*row.published, score))
    json["published"].push_back(Json::object({{"median", value.median}, {"minus", value.minus}, {"plus", value.plus}}));
  json["safe"] = row.published->isSafe();
  json["why_unsafe"] = row.published->isSafe() ? Json(nullptr) : Json(row.published->unsafe);
  json["parameters"] = row.published->parameters;
  json["measured"] = row.measured ? quartilesJson(quartilesOf(row.measured->stacks.front(), score)) : Json(nullptr);
  json["published_pairing"] = row.measured && !row.measured->publishedPairing.empty()
                                  ? quartilesJson(quartilesOf(row.measured->publishedPairing.front(), score))
                                  : Json(nullptr);
  json["checkpoint"] = row.measured ? Json(row.measured->title) : Json(nullptr);
  json["difference"] = row.off ? Json(*row.off) : Json(nullptr);
  json["agrees"] = row.agrees ? Json(*row.agrees) : Json(nullptr);
  return json;
}

Json checkpointJson(const Measured& measured) {
  Json json = Json::object();
  json["model"] = measured.title;
  json["row"] = measured.row ? Json(measured.row->name) : Json(nullptr);
  json["row_by"] = !measured.row ? Json(nullptr) : Json(measured.byShape ? "shape" : "name");
  json["parameters"] = measured.parameters;
  json["causal"] = measured.causal;
  json["stacks"] = Json::array();
  for (const Summary& one : measured.stacks)
    json["stacks"].push_back(toJson(one));
  return json;
}

}  // namespace

Json scoresJson(const studies::ScoreTables& answer) {
  Json json = beginDocument("reproduce");
  json["id"] = answer.study().id;
  json["quick"] = answer.quick;
  json["source"] = answer.published.source;
  json["tolerance"] = attention::kPrintTolerance;
  json["checkpoints"] = Json::array();
  for (const Measured& one : answer.measured)
    json["checkpoints"].push_back(checkpointJson(one));
  json["rows"] = Json::array();
  for (const auto& [score, rows] : answer.tables) {
    for (const Judged& row : rows)
      json["rows"].push_back(rowJson(row, score));
  }
  json["passed"] = answer.passed();
  return json;
}

namespace {

std::string printed(const PublishedValue& value) {
  return fmt::format("{:>6.2f}  -{:.2f} +{:.2f}", value.median, value.minus, value.plus);
}

std::string measuredText(const attention::Quartiles& value) {
  if (!std::isfinite(value.median)) return fmt::format("{:>24}", "-");
  return fmt::format("{:>8.4f}  -{:.4f} +{:.4f}", value.median, value.median - value.q1, value.q3 - value.median);
}

/// Why rows are no anchor, each reason once.
std::vector<std::string> reasonsOf(const Published& published) {
  std::vector<std::string> reasons;
  for (const PublishedModel& model : published.models) {
    if (!model.isSafe() && std::find(reasons.begin(), reasons.end(), model.unsafe) == reasons.end())
      reasons.push_back(model.unsafe);
  }
  return reasons;
}

std::string verdict(const Judged& row, const std::vector<std::string>& reasons) {
  if (!row.published->isSafe()) {
    const auto reason = std::find(reasons.begin(), reasons.end(), row.published->unsafe);
    return trf(N_("not comparable ({})"), reason - reasons.begin() + 1);
  }
  if (!row.measured) return {};
  if (row.measured->byShape) return tr(N_("not judged: it has the shape of a row and another name"));
  if (!row.agrees) return tr(N_("not judged"));
  return *row.agrees ? tr(N_("agrees")) : trf(N_("DISAGREES by {}"), forPeople(*row.off));
}

void printRow(std::ostream& out, const Judged& row, PublishedScore score, const std::vector<std::string>& reasons) {
  out << fmt::format("{:<17}{:<22}{:<26}{}\n", row.published->name, printed(valuesOf(*row.published, score).front()),
                     row.measured ? measuredText(quartilesOf(row.measured->stacks.front(), score)) : "",
                     verdict(row, reasons));
  if (row.measured && !row.measured->publishedPairing.empty()) {
    out << fmt::format("{:<39}{:<26}{}\n", "", measuredText(quartilesOf(row.measured->publishedPairing.front(), score)),
                       tr(N_("heads paired as published")));
  }
}

}  // namespace

std::string scoresText(const studies::ScoreTables& answer) {
  std::ostringstream out;
  const std::vector<std::string> reasons = reasonsOf(answer.published);
  for (const auto& [score, rows] : answer.tables) {
    out << trf(N_("{}: median and how far its quartiles lie below and above"), word(score)) << "\n";
    out << fmt::format("{:<17}{:<22}{:<26}\n", "", tr(N_("published")), tr(N_("measured")));
    for (const Judged& row : rows) {
      if (row.measured || answer.measured.empty()) printRow(out, row, score, reasons);
    }
    out << "\n";
  }
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const bool shown = std::any_of(answer.tables.begin(), answer.tables.end(), [&](const auto& table) {
      return std::any_of(table.second.begin(), table.second.end(), [&](const Judged& row) {
        return row.published->unsafe == reasons[i] && (row.measured || answer.measured.empty());
      });
    });
    if (shown) out << fmt::format("({}) {}\n", i + 1, reasons[i]);
  }
  for (const Measured& one : answer.measured) {
    if (one.row != nullptr) continue;
    const Summary& first = one.stacks.front();
    out << trf(N_("{}: no row has this name (NAME=PATH says which); s {}, d {}"), one.title,
               forPeople(first.symmetry.median), forPeople(first.directionality.median))
        << "\n";
  }
  if (answer.quick) out << tr(N_("quick: a part of the layers, so nothing is judged")) << "\n";
  return out.str();
}

}  // namespace sepx::app::cli
