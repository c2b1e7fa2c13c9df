// SPDX-License-Identifier: Apache-2.0
// sepx scores: symmetry and directionality of every layer, and optionally every head, of a checkpoint
// [Attention-Structure, Definitions 3.1 and 3.2, corrected], with the band in which the scores of random matrices lie.
#include <algorithm>
#include <cmath>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/checkpoint_arguments.h"
#include "app/cli/declare.h"
#include "app/cli/progress.h"
#include "app/cli/qk_scores.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "engine/core/number.h"
#include "engine/core/try.h"

namespace sepx::app::cli {
namespace {

using attention::Band;
using attention::RandomBands;

Json bandJson(const std::optional<RandomBands>& band) {
  if (!band) return nullptr;
  Json json = Json::object();
  json["level"] = band->level;
  json["symmetry"] = {band->symmetry.low, band->symmetry.high};
  json["directionality"] = {band->directionality.low, band->directionality.high};
  return json;
}

/// Null for a form that is not square. Its symmetry is undefined and is not counted as a non-finite number.
Json symmetryJson(const checkpoint::AttentionLayer& layer, double symmetry) {
  return layer.d_model == layer.d_key ? Json(symmetry) : Json(nullptr);
}

void addScores(Json& json, const ScoredLayer& row, const Scored& scored, const std::optional<RandomBands>& band) {
  json["symmetry"] = symmetryJson(*row.layer, scored.scores.symmetry);
  json["directionality"] = scored.scores.directionality;
  if (band) {
    json["inside"] = {{"symmetry", band->symmetry.holds(scored.scores.symmetry)},
                      {"directionality", band->directionality.holds(scored.scores.directionality)}};
  } else {
    json["inside"] = nullptr;
  }
  json["nonfinite_weights"] = scored.nonfinite;
}

Json layerJson(const ScoredLayer& row, bool heads) {
  Json json = Json::object();
  json["layer"] = row.layer->layer;
  json["stack"] = checkpoint::toString(row.layer->stack);
  addScores(json, row, row.all, row.band);
  json["band"] = bandJson(row.band);
  if (!heads) return json;
  json["heads"] = Json::array();
  for (std::size_t h = 0; h < row.heads.size(); ++h) {
    Json head = Json::object();
    head["head"] = h;
    addScores(head, row, row.heads[h], row.headBand);
    json["heads"].push_back(std::move(head));
  }
  json["heads_summary"] = toJson(acrossHeads(row));
  json["head_band"] = bandJson(row.headBand);
  return json;
}

/// What is printed, in any format.
struct ScoresAnswer {
  Model model;
  ScoreRequest request;
  std::vector<ScoredLayer> rows;
  std::string by, device, computed;
};

Json scoresJson(const ScoresAnswer& answer) {
  const attention::ScoreOptions& options = answer.request.options;
  Json json = beginDocument("scores");
  json["model"] = answer.model->checkpoint->name();
  json["family"] = answer.model->map.family;
  json["gamma"] = options.gamma;
  json["directionality_variant"] = toString(options.variant);
  json["ddof"] = options.ddof;
  json["gqa"] = toString(answer.request.pairing);
  json["compute"] = answer.by;
  json["device"] = orNull(answer.device);
  json["layers"] = Json::array();
  for (const ScoredLayer& row : answer.rows)
    json["layers"].push_back(layerJson(row, answer.request.heads));
  const std::vector<Summary> all = summaries(answer.rows);
  json["summary"] = toJson(all.front());
  json["summaries"] = Json::array();
  for (const Summary& one : all)
    json["summaries"].push_back(toJson(one));
  return json;
}

std::string csvNumber(double value) {
  return std::isfinite(value) ? formatShortest(value) : std::string();
}

std::string csvRow(const ScoredLayer& row, const std::string& head, const Scored& scored,
                   const std::optional<RandomBands>& band) {
  std::string text = fmt::format("{},{},", checkpoint::toString(row.layer->stack), row.layer->layer);
  if (!head.empty()) text += head + ",";
  text += csvNumber(scored.scores.symmetry) + "," + csvNumber(scored.scores.directionality);
  const auto ends = [&text](const Band* one) {
    text += one == nullptr ? ",," : "," + formatShortest(one->low) + "," + formatShortest(one->high);
  };
  ends(band ? &band->symmetry : nullptr);
  ends(band ? &band->directionality : nullptr);
  return text + fmt::format(",{}\n", scored.nonfinite);
}

std::string scoresCsv(const ScoresAnswer& answer) {
  std::string csv = answer.request.heads ? "stack,layer,head," : "stack,layer,";
  csv +=
      "symmetry,directionality,symmetry_band_low,symmetry_band_high,directionality_band_low,directionality_band_high,"
      "nonfinite_weights\n";
  for (const ScoredLayer& row : answer.rows) {
    if (!answer.request.heads) csv += csvRow(row, {}, row.all, row.band);
    for (std::size_t h = 0; h < row.heads.size(); ++h)
      csv += csvRow(row, std::to_string(h), row.heads[h], row.headBand);
  }
  return csv;
}

/// Four decimals; "~" after a score that lies inside the band of random matrices.
std::string cell(double value, const Band* band) {
  if (!std::isfinite(value)) return fmt::format("{:>12} ", "-");
  return fmt::format("{:>12.4f}{}", value, band != nullptr && band->holds(value) ? "~" : " ");
}

std::string cells(const Scored& scored, const std::optional<RandomBands>& band) {
  std::string text = cell(scored.scores.symmetry, band ? &band->symmetry : nullptr) +
                     cell(scored.scores.directionality, band ? &band->directionality : nullptr);
  if (scored.nonfinite > 0)
    text += "  " + counted(scored.nonfinite, "{} weight is not finite", "{} weights are not finite");
  return text + "\n";
}

/// Medians and quartiles across the heads of a layer.
void printHeads(std::ostream& out, const ScoredLayer& row) {
  const Summary heads = acrossHeads(row);
  const auto line = [&out](const char* name, double symmetry, double directionality) {
    out << fmt::format("{:<4}{:>12}", "", tr(name)) << cell(symmetry, nullptr) << cell(directionality, nullptr) << "\n";
  };
  line(N_("median"), heads.symmetry.median, heads.directionality.median);
  line(N_("quartiles"), heads.symmetry.q1, heads.directionality.q1);
  line("", heads.symmetry.q3, heads.directionality.q3);
}

void printStack(std::ostream& out, const ScoresAnswer& answer, const Summary& summary) {
  out << fmt::format("\n{:<10}{:>6}{:>13}{:>13}\n", checkpoint::toString(summary.stack), tr(N_("head")),
                     tr(N_("symmetry")), tr(N_("direction.")));
  for (const ScoredLayer& row : answer.rows) {
    if (row.layer->stack != summary.stack) continue;
    out << fmt::format("{:<10}{:>6}", trf(N_("layer {}"), row.layer->layer), tr(N_("all"))) << cells(row.all, row.band);
    for (std::size_t h = 0; h < row.heads.size(); ++h)
      out << fmt::format("{:<10}{:>6}", "", h) << cells(row.heads[h], row.headBand);
    if (row.heads.size() > 1) printHeads(out, row);
  }
  const auto line = [&out](const char* name, double symmetry, double directionality) {
    out << fmt::format("{:<16}", tr(name)) << cell(symmetry, nullptr) << cell(directionality, nullptr) << "\n";
  };
  line(N_("median"), summary.symmetry.median, summary.directionality.median);
  line(N_("lower quartile"), summary.symmetry.q1, summary.directionality.q1);
  line(N_("upper quartile"), summary.symmetry.q3, summary.directionality.q3);
}

void printTable(std::ostream& out, const ScoresAnswer& answer) {
  const attention::ScoreOptions& options = answer.request.options;
  out << trf(N_("{} ({}): {}"), answer.model->checkpoint->title(), answer.model->map.familyName,
             shapeDisplayText(answer.model->map))
      << "\n";
  out << trf(N_("gamma {}, directionality by {}, ddof {}; computed by {}"), displayText(options.gamma),
             toString(options.variant), options.ddof, answer.computed)
      << "\n";
  const bool grouped = std::any_of(answer.rows.begin(), answer.rows.end(),
                                   [](const ScoredLayer& row) { return row.layer->kvHeads != row.layer->heads; });
  if (grouped && answer.request.pairing == checkpoint::HeadPairing::Published)
    out << tr(N_("heads paired as the published code did, not as the model does (--gqa published)")) << "\n";
  bool banded = false;
  for (const ScoredLayer& row : answer.rows)
    banded = banded || row.band.has_value();
  for (const Summary& summary : summaries(answer.rows))
    printStack(out, answer, summary);
  if (banded)
    out << "\n" << tr(N_("~ inside the band that holds 95 % of random matrices of this size and rank")) << "\n";
}

class ScoresVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "checkpoint", file_, N_("a weight file, the index of a sharded checkpoint, or a folder"),
              "CHECKPOINT")
        ->required();
    addOption(command, "--by", by_, N_("layer (default), or head: every head as well"), "layer|head");
    addOption(command, "--stack", stack_, N_("only this stack (default: all stacks)"), "self|encoder|decoder|cross");
    scores_.declare(command);
    pairing_.declare(command);
    rules_.declare(command);
    addJsonFlag(command, json_);
    addFlag(command, "--csv", csv_, N_("Print rows of numbers; an empty field is a score that does not exist"));
    command.footer(tr(N_(
        "--compute gpu computes with the Vulkan kernel in single precision; the default is the CPU in double precision")));
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    SEPX_ASSIGN(auto request, read());
    SEPX_ASSIGN(const auto model, rules_.open(file_));
    SEPX_ASSIGN(const auto layers, layersOf(*model, stack_));
    SEPX_ASSIGN(auto computer, QkComputer::create(common));
    SEPX_ASSIGN(auto rows, [&] {
      Progress progress(console, tr(N_("scores")));
      return studies::scoreLayers(*model, layers, request, *computer, progress.function());
    }());
    const ScoresAnswer answer{
        model, request, std::move(rows), computer->processor(), computer->device(), computer->displayText()};
    if (json_)
      console.out << finishDocument(scoresJson(answer));
    else if (csv_)
      console.out << scoresCsv(answer);
    else
      printTable(console.out, answer);
    return Outcome::Done;
  }

 private:
  Result<ScoreRequest> read() const {
    if (json_ && csv_)
      return fail(ErrorKind::Usage, tr(N_("--json and --csv both write to standard output; leave one out")));
    if (by_ != "layer" && by_ != "head")
      return failf(ErrorKind::Usage, N_("--by: '{}' is neither layer nor head"), by_);
    SEPX_ASSIGN(const auto options, scores_.options());
    SEPX_ASSIGN(const auto pairing, pairing_.pairing());
    return ScoreRequest{options, pairing, by_ == "head", true};
  }

  std::string file_, by_ = "layer", stack_;
  ScoreArguments scores_;
  PairingArgument pairing_;
  RulesArgument rules_;
  bool json_ = false, csv_ = false;
};

}  // namespace

VerbEntry makeScores() {
  return {"scores", N_("Symmetry and directionality of every layer of a checkpoint"), std::make_unique<ScoresVerb>(),
          kReadsOnly};
}

}  // namespace sepx::app::cli
