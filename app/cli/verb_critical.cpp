// SPDX-License-Identifier: Apache-2.0
// sepx critical: the critical sets of a canonical model (Theorems 1, 7, 10, 9): equation, kind, loss, and the loss,
// gradient and Hessian at points drawn from each.
#include <array>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/flow_json.h"
#include "app/cli/model_arguments.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "app/options.h"
#include "engine/core/try.h"
#include "engine/markov/critical_points.h"

namespace sepx::app::cli {
namespace {

using markov::CriticalFindings;
using markov::CriticalSet;
using markov::CriticalSetInfo;

constexpr std::size_t kShown = 3;  // sample points that are printed

struct CriticalRequest {
  markov::Chain chain;
  markov::Model model = markov::Model::EW;
  int points = 0;
  std::uint64_t seed = 0;
};

/// One set and the findings at its points.
struct Row {
  CriticalSetInfo info;
  std::vector<markov::State> points;
  CriticalFindings found;
};

std::vector<Row> rowsOf(const CriticalRequest& request) {
  std::vector<Row> rows;
  for (const CriticalSetInfo& info : markov::criticalSetsOf(request.chain, request.model)) {
    Row row{info, markov::criticalPoints(request.chain, request.model, info.set, request.points, request.seed), {}};
    row.found = markov::examine(request.chain, request.model, info, row.points);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Whether the set consists of saddles whose points, except at its edge, have a direction of descent and one of ascent.
bool strict(const Row& row) {
  return row.info.kind == markov::LimitKind::Saddle && row.found.most.negative > 0 && row.found.most.positive > 0;
}

Json sampleJson(const CriticalRequest& request, const markov::State& theta) {
  const markov::Evaluation at = markov::evaluate(request.chain, request.model, theta);
  Json json = Json::object();
  json["theta"] = toJson(theta);
  json["loss"] = at.loss;
  json["gradient_norm"] = at.gradient.norm();
  json["hessian_eigenvalues"] = toJson(markov::hessianEigenvalues(at.hessian));
  return json;
}

Json rowJson(const CriticalRequest& request, const Row& row) {
  const CriticalFindings& found = row.found;
  Json json = Json::object();
  json["name"] = std::string(row.info.name);
  json["kind"] = std::string(markov::limitName(row.info.kind));
  json["strict"] = strict(row);
  json["equation"] = std::string(row.info.equation);
  json["dimensions"] = row.info.dimensions;
  json["loss"] = row.info.loss;
  json["points"] = found.points;
  json["largest_gradient"] = found.largestGradient;
  json["largest_loss_error"] = found.largestLossError;
  json["eigenvalues"] = {{"negative", {found.least.negative, found.most.negative}},
                         {"zero", {found.least.zero, found.most.zero}},
                         {"positive", {found.least.positive, found.most.positive}},
                         {"lowest", found.lowestEigenvalue},
                         {"highest", found.highestEigenvalue}};
  json["as_theorem"] = found.asTheorem;
  json["samples"] = Json::array();
  for (std::size_t i = 0; i < std::min(kShown, row.points.size()); ++i)
    json["samples"].push_back(sampleJson(request, row.points[i]));
  return json;
}

Json criticalJson(const CriticalRequest& request, const std::vector<Row>& rows) {
  const markov::Chain& chain = request.chain;
  Json json = beginDocument("critical");
  json["p"] = chain.p;
  json["q"] = chain.q;
  json["model"] = std::string(markov::modelName(request.model));
  json["theorem"] = markov::criticalTheorem(request.model);
  json["status"] = chain.degenerate() ? "degenerate" : "regular";
  json["S_star"] = chain.degenerate() ? 0 : chain.S_star();
  json["entropy"] = {{"marginal", chain.marginalEntropy()}, {"rate", chain.entropyRate()}};
  json["sets"] = Json::array();
  for (const Row& row : rows)
    json["sets"].push_back(rowJson(request, row));
  return json;
}

std::string shapeWords(int dimensions) {
  constexpr std::array kWords{N_("a point"), N_("curves"), N_("surfaces")};
  return tr(kWords[static_cast<std::size_t>(std::min(dimensions, 2))]);
}

std::string signWords(const Row& row) {
  const auto range = [](int least, int most) {
    return least == most ? fmt::format("{}", least) : fmt::format("{}-{}", least, most);
  };
  const CriticalFindings& found = row.found;
  return trf(N_("{} negative, {} zero, {} positive, from {} to {}"), range(found.least.negative, found.most.negative),
             range(found.least.zero, found.most.zero), range(found.least.positive, found.most.positive),
             displayText(found.lowestEigenvalue), displayText(found.highestEigenvalue));
}

/// How the published statement differs; empty if it does not.
std::string noteOn(const CriticalRequest& request, const Row& row) {
  if (request.chain.degenerate()) return {};
  if (row.info.set == CriticalSet::Station)
    return tr(N_("published: not classified; corrected: strict saddles with the loss H(pi) (l2g-3)"));
  if (row.info.set == CriticalSet::Star && request.model == markov::Model::EWAB)
    return tr(N_("published without the bars of |1 + a e^2|; corrected (l2g-4)"));
  return {};
}

void printRow(std::ostream& out, const CriticalRequest& request, const Row& row) {
  const auto line = [&out](const char* name, const std::string& value) {
    out << fmt::format("  {:<20}{}\n", tr(name), value);
  };
  out << fmt::format("\n{}  {}{} ({})\n", row.info.name, strict(row) ? tr(N_("strict ")) : "",
                     markov::limitName(row.info.kind), shapeWords(row.info.dimensions));
  line(N_("equation"), std::string(row.info.equation));
  line(N_("loss"), trf(N_("{} nats"), displayText(row.info.loss)));
  line(N_("largest gradient"), ui::trEither(row.found.points == 1, N_("{} on {} point"), N_("{} on {} points"),
                                            displayText(row.found.largestGradient), row.found.points));
  line(N_("Hessian eigenvalues"), signWords(row));
  if (!row.points.empty()) line(N_("example"), pointDisplayText(row.points.front()));
  if (!row.found.asTheorem) line(N_("check"), tr(N_("the signs are not those of the theorem")));
  if (const std::string note = noteOn(request, row); !note.empty()) line(N_("note"), note);
}

void printTable(std::ostream& out, const CriticalRequest& request, const std::vector<Row>& rows) {
  const markov::Chain& chain = request.chain;
  out << trf(N_("Theorem {}, model {}: p = {}, q = {}, p + q - 1 = {}, S_star = {}"),
             markov::criticalTheorem(request.model), markov::modelName(request.model), displayText(chain.p),
             displayText(chain.q), displayText(chain.switching()), displayText(chain.degenerate() ? 0 : chain.S_star()))
      << "\n";
  if (chain.degenerate())
    out << tr(N_("degenerate: p + q = 1, S_star = 0, and only the set S = 0 is left, all of it global minima "
                 "(l2g-17)"))
        << "\n";
  for (const Row& row : rows)
    printRow(out, request, row);
}

class CriticalVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    arguments_.declareChain(command);
    addOption(command, "--model", model_, N_("ew, ewb, ewa or ewab (default: ew)"), "MODEL");
    addOption(command, "--points", points_, N_("number of points drawn from each set and checked (default: 1000)"),
              "N");
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    SEPX_ASSIGN(const markov::Chain chain, arguments_.chain());
    const std::optional<markov::Model> model = markov::modelFromName(model_);
    if (!model) return failf(ErrorKind::Usage, N_("--model: '{}' is not one of ew, ewb, ewa, ewab"), model_);
    SEPX_ASSIGN(const long long points, toInteger("--points", points_, 1, 1000000));
    const CriticalRequest request{chain, *model, static_cast<int>(points), common.seed};
    const std::vector<Row> rows = rowsOf(request);
    if (json_)
      console.out << finishDocument(criticalJson(request, rows));
    else
      printTable(console.out, request, rows);
    return Outcome::Done;
  }

 private:
  ModelArguments arguments_;
  std::string model_ = "ew", points_ = "1000";
  bool json_ = false;
};

}  // namespace

VerbEntry makeCritical() {
  return {"critical", N_("The critical sets of a canonical model and what is found on them"),
          std::make_unique<CriticalVerb>()};
}

}  // namespace sepx::app::cli
