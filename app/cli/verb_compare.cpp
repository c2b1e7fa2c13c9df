// SPDX-License-Identifier: Apache-2.0
// sepx compare: compares two checkpoints layer by layer and head by head: |A - B|_F of their forms, its size relative
// to both, the cosine between them, and the scores of each.
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
#include "engine/attention/difference.h"
#include "engine/core/try.h"

namespace sepx::app::cli {
namespace {

using attention::Difference;
using attention::LayerFactors;
using checkpoint::AttentionLayer;

/// One layer of both checkpoints; no difference if the shapes do not agree.
struct LayerPair {
  const AttentionLayer *a = nullptr, *b = nullptr;
  std::optional<Difference> difference;
  std::vector<Difference> heads;  ///< empty if the shapes or the numbers of heads differ
  attention::Scores scoresA, scoresB;
};

struct CompareRequest {
  attention::ScoreOptions options;
  checkpoint::HeadPairing pairing = checkpoint::HeadPairing::Grouped;
};

struct CompareAnswer {
  Model a, b;
  CompareRequest request;
  std::vector<LayerPair> pairs;
  std::vector<std::string> notes;
  std::string compute, device;  ///< of the scores; differences are computed on the CPU
};

bool sameShape(const AttentionLayer& a, const AttentionLayer& b) {
  return a.d_model == b.d_model && a.d_key == b.d_key;
}

Result<LayerFactors> factorsOf(const checkpoint::Model& model, const AttentionLayer& layer,
                               const CompareRequest& request) {
  return checkpoint::loadFactors(*model.checkpoint, layer, {.pairing = request.pairing});
}

Result<LayerPair> comparePair(const CompareAnswer& answer, const AttentionLayer& a, const AttentionLayer& b,
                              QkComputer& computer) {
  LayerPair pair;
  pair.a = &a;
  pair.b = &b;
  SEPX_ASSIGN(const auto factorsA, factorsOf(*answer.a, a, answer.request));
  SEPX_ASSIGN(const auto factorsB, factorsOf(*answer.b, b, answer.request));
  SEPX_ASSIGN(const auto momentsA, computer.moments(factorsA));
  SEPX_ASSIGN(const auto momentsB, computer.moments(factorsB));
  pair.scoresA = attention::scoresOf(momentsA, answer.request.options);
  pair.scoresB = attention::scoresOf(momentsB, answer.request.options);
  if (!sameShape(a, b)) return pair;
  const auto cancelled = [&computer] { return computer.interrupts().seen(); };
  pair.difference = attention::difference(factorsA, factorsB, &computer.pool(), cancelled);
  if (!pair.difference) return QkComputer::interrupted();
  if (a.heads != b.heads) return pair;
  for (int head = 0; head < a.heads; ++head) {
    if (computer.interrupts().seen()) return QkComputer::interrupted();
    pair.heads.push_back(attention::difference(attention::headOf(factorsA, head), attention::headOf(factorsB, head)));
  }
  return pair;
}

/// What cannot be compared and why, one sentence each.
std::vector<std::string> notesOf(const CompareAnswer& answer, const Layers& a, const Layers& b) {
  std::vector<std::string> notes;
  if (answer.pairs.size() < std::max(a.size(), b.size()))
    notes.push_back(trf(N_("{} of {} and {} layers are in both"), answer.pairs.size(), a.size(), b.size()));
  const auto differs = std::find_if(answer.pairs.begin(), answer.pairs.end(),
                                    [](const LayerPair& pair) { return !sameShape(*pair.a, *pair.b); });
  if (differs != answer.pairs.end()) {
    notes.push_back(trf(N_("no difference is computed where W_qk is {} x {} in one and {} x {} in the other"),
                        differs->a->d_model, differs->a->d_key, differs->b->d_model, differs->b->d_key));
  }
  const auto heads = std::find_if(answer.pairs.begin(), answer.pairs.end(),
                                  [](const LayerPair& pair) { return pair.a->heads != pair.b->heads; });
  if (heads != answer.pairs.end()) {
    notes.push_back(trf(N_("heads are not compared: {} in one, {} in the other"), heads->a->heads, heads->b->heads));
  }
  return notes;
}

Json differenceJson(const Difference& difference) {
  Json json = Json::object();
  json["norm"] = difference.norm;
  json["relative"] = difference.relative;
  json["cosine"] = difference.cosine;
  json["norm_a"] = difference.normA;
  json["norm_b"] = difference.normB;
  return json;
}

Json scoresJson(const AttentionLayer& layer, const attention::Scores& scores) {
  Json json = Json::object();
  json["symmetry"] = layer.d_model == layer.d_key ? Json(scores.symmetry) : Json(nullptr);
  json["directionality"] = scores.directionality;
  return json;
}

Json modelJson(const checkpoint::Model& model) {
  Json json = Json::object();
  json["model"] = model.checkpoint->name();
  json["family"] = model.map.family;
  return json;
}

Json compareJson(const CompareAnswer& answer) {
  Json json = beginDocument("compare");
  json["a"] = modelJson(*answer.a);
  json["b"] = modelJson(*answer.b);
  json["gamma"] = answer.request.options.gamma;
  json["directionality_variant"] = toString(answer.request.options.variant);
  json["ddof"] = answer.request.options.ddof;
  json["gqa"] = toString(answer.request.pairing);
  json["compute"] = answer.compute;
  json["device"] = orNull(answer.device);
  json["notes"] = answer.notes;
  json["layers"] = Json::array();
  for (const LayerPair& pair : answer.pairs) {
    Json row = Json::object();
    row["layer"] = pair.a->layer;
    row["stack"] = checkpoint::toString(pair.a->stack);
    row["difference"] = pair.difference ? differenceJson(*pair.difference) : Json(nullptr);
    row["a"] = scoresJson(*pair.a, pair.scoresA);
    row["b"] = scoresJson(*pair.b, pair.scoresB);
    row["heads"] = Json::array();
    for (std::size_t h = 0; h < pair.heads.size(); ++h) {
      Json head = Json::object();
      head["head"] = h;
      head["difference"] = differenceJson(pair.heads[h]);
      row["heads"].push_back(std::move(head));
    }
    json["layers"].push_back(std::move(row));
  }
  return json;
}

std::string cell(double value) {
  return std::isfinite(value) ? fmt::format("{:>11.4f}", value) : fmt::format("{:>11}", "-");
}

std::string cells(const std::optional<Difference>& difference) {
  const double none = std::nan("");
  return cell(difference ? difference->norm : none) + cell(difference ? difference->relative : none) +
         cell(difference ? difference->cosine : none);
}

std::string named(const checkpoint::Model& model) {
  return trf(N_("{} ({}): {}"), model.checkpoint->title(), model.map.familyName, shapeDisplayText(model.map));
}

void printTable(std::ostream& out, const CompareAnswer& answer) {
  out << "A  " << named(*answer.a) << "\n";
  out << "B  " << named(*answer.b) << "\n";
  for (const std::string& note : answer.notes)
    out << note << "\n";
  out << fmt::format("\n{:<17}{:>11}{:>11}{:>11}{:>11}{:>11}{:>11}{:>11}\n", "", "|A - B|", tr(N_("relative")),
                     tr(N_("cosine")), "s(A)", "s(B)", "d(A)", "d(B)");
  for (const LayerPair& pair : answer.pairs) {
    out << fmt::format("{:<17}", trf(N_("{} layer {}"), checkpoint::toString(pair.a->stack), pair.a->layer))
        << cells(pair.difference) << cell(pair.scoresA.symmetry) << cell(pair.scoresB.symmetry)
        << cell(pair.scoresA.directionality) << cell(pair.scoresB.directionality) << "\n";
    for (std::size_t h = 0; h < pair.heads.size(); ++h)
      out << fmt::format("{:<17}", trf(N_("  head {}"), h)) << cells(pair.heads[h]) << "\n";
  }
}

class CompareVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "checkpoints", files_, N_("two weight files, indices or folders"), "CHECKPOINT CHECKPOINT")
        ->expected(2)
        ->required();
    addOption(command, "--stack", stack_, N_("only this stack (default: all stacks)"), "self|encoder|decoder|cross");
    scores_.declare(command);
    pairing_.declare(command);
    rules_.declare(command);
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    CompareAnswer answer;
    SEPX_ASSIGN(const auto options, scores_.options());
    SEPX_ASSIGN(const auto pairing, pairing_.pairing());
    answer.request = {options, pairing};
    SEPX_TRY(compare(answer, console, common));
    if (json_)
      console.out << finishDocument(compareJson(answer));
    else
      printTable(console.out, answer);
    return Outcome::Done;
  }

 private:
  Result<void> compare(CompareAnswer& answer, Console& console, const Options& common) const {
    Layers layers[2];
    for (const std::size_t i : {0U, 1U}) {
      SEPX_ASSIGN(const auto model, rules_.open(files_[i]));
      (i == 0 ? answer.a : answer.b) = model;
      SEPX_ASSIGN(layers[i], layersOf(*model, stack_));
    }
    SEPX_ASSIGN(auto computer, QkComputer::create(common));
    answer.compute = computer->processor();
    answer.device = computer->device();
    Progress progress(console, tr(N_("compare")));
    for (const AttentionLayer* a : layers[0]) {
      progress.at(static_cast<double>(a - layers[0].front()) / static_cast<double>(layers[0].size()));
      if (computer->interrupts().seen()) return QkComputer::interrupted();
      const AttentionLayer* b = answer.b->map.find(a->stack, a->layer);
      if (b == nullptr) continue;
      SEPX_ASSIGN(auto pair, comparePair(answer, *a, *b, *computer));
      answer.pairs.push_back(std::move(pair));
    }
    if (answer.pairs.empty()) {
      return failf(ErrorKind::BadInput, N_("{}: has no attention stack in common with {}; there is nothing to compare"),
                   files_[0], files_[1]);
    }
    answer.notes = notesOf(answer, layers[0], layers[1]);
    return {};
  }

  std::vector<std::string> files_;
  std::string stack_;
  ScoreArguments scores_;
  PairingArgument pairing_;
  RulesArgument rules_;
  bool json_ = false;
};

}  // namespace

VerbEntry makeCompare() {
  return {"compare", N_("Two checkpoints: the difference of their W_qk by layer and head"),
          std::make_unique<CompareVerb>(), kReadsOnly};
}

}  // namespace sepx::app::cli
