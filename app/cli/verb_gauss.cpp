// SPDX-License-Identifier: Apache-2.0
// sepx gauss: how often theta0 ~ N(0, sigma^2 I) ends in the bad minimum, by quadrature of the exact basins and by
// counts over sampled initial points; and the expected excess loss over the best.
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/model_arguments.h"
#include "app/cli/progress.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "app/options.h"
#include "engine/core/try.h"
#include "engine/markov/chain_map.h"
#include "engine/markov/gaussian.h"
#include "engine/markov/gaussian_count.h"

namespace sepx::app::cli {
namespace {

struct GaussRequest {
  markov::Chain chain;
  markov::Model model = markov::Model::EW;
  double sigma = 1;
  std::int64_t samples = 0;
  std::uint64_t seed = 0;
};

struct GaussAnswer {
  std::optional<double> probability;  ///< empty if p + q = 1
  markov::GaussCount count;
};

const char* regimeOf(const markov::Chain& chain) {
  return chain.degenerate() ? "p+q=1" : chain.switching() > 0 ? "p+q>1" : "p+q<1";
}

Json shareJson(const markov::BinomialShare& share) {
  Json json = Json::object();
  json["hits"] = share.hits;
  json["share"] = share.share();
  json["low"] = share.low;
  json["high"] = share.high;
  return json;
}

Json gaussJson(const GaussRequest& request, const GaussAnswer& answer) {
  const markov::Chain& chain = request.chain;
  const double gap = markov::lossGap(chain);
  Json json = beginDocument("gauss");
  json["p"] = chain.p;
  json["q"] = chain.q;
  json["model"] = std::string(markov::modelName(request.model));
  json["sigma"] = request.sigma;
  json["regime"] = regimeOf(chain);
  json["status"] = chain.degenerate() ? "degenerate" : "regular";
  json["probability"] = answer.probability ? Json(*answer.probability) : Json(nullptr);
  json["method"] = "quadrature";
  json["loss_gap"] = gap;
  json["expected_excess_loss"] = answer.probability.value_or(0) * gap;
  if (!answer.probability || request.samples == 0) {
    json["samples"] = nullptr;
    return json;
  }
  json["samples"] = {{"count", request.samples},
                     {"seed", request.seed},
                     {"by_theory", shareJson(answer.count.byTheory)},
                     {"integrated", shareJson(answer.count.integrated)},
                     {"disagreements", answer.count.disagreements},
                     {"undecided", answer.count.undecided}};
  return json;
}

/// "1 - 3.7e-09" if the rounded number would read as 1.
std::string probabilityWords(double probability) {
  const std::string plain = displayText(probability);
  return probability < 1 && plain == displayText(1.0) ? fmt::format("1 - {:.2g}", 1 - probability) : plain;
}

void printTable(std::ostream& out, const GaussRequest& request, const GaussAnswer& answer) {
  const auto row = [&out](const char* name, const std::string& value) {
    out << fmt::format("{:<26}{}\n", tr(name), value);
  };
  const markov::Chain& chain = request.chain;
  const double gap = markov::lossGap(chain);
  row(N_("chain"), trf(N_("p = {}, q = {}, p + q - 1 = {}"), displayText(chain.p), displayText(chain.q),
                       displayText(chain.switching())));
  row(N_("model"), std::string(markov::modelName(request.model)));
  row(N_("sigma"), displayText(request.sigma));
  if (!answer.probability) {
    row(N_("P(I_min)"),
        tr(N_("none, degenerate: p + q = 1, so there is nothing to learn from the previous symbol and no basin")));
    return;
  }
  row(N_("P(I_min), quadrature"), probabilityWords(*answer.probability));
  const auto counted = [](const markov::BinomialShare& share) {
    return trf(N_("{} ({} of {}; 95 % interval {} to {})"), displayText(share.share()), share.hits, share.samples,
               displayText(share.low), displayText(share.high));
  };
  if (request.samples > 0) {
    row(N_("counted by the theorems"), counted(answer.count.byTheory));
    row(N_("counted by integration"), counted(answer.count.integrated));
    row(N_("the two disagree"),
        cli::counted(answer.count.disagreements, N_("on {} initial point"), N_("on {} initial points")));
    if (answer.count.undecided > 0)
      row(N_("integration leaves"), cli::counted(answer.count.undecided, "{} undecided", "{} undecided"));
  }
  row(N_("loss gap"), trf(N_("{} nats"), displayText(gap)));
  row(N_("expected excess loss"), trf(N_("{} nats"), displayText(*answer.probability * gap)));
}

class GaussVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    arguments_.declareChain(command);
    addOption(command, "--sigma", sigma_, N_("standard deviation of every component of theta0, above 0"), "S")
        ->required();
    addOption(command, "--model", model_, N_("ew or ewa (default: ew)"), "MODEL");
    addOption(command, "--samples", samples_,
              N_("number of initial points drawn and counted (default: 10000; 0: none)"), "N");
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    const Result<GaussRequest> request = read(common);
    if (!request) return tl::unexpected(request.error());
    GaussAnswer answer;
    if (!request->chain.degenerate()) {
      answer.probability =
          markov::probabilityLocalMinimum(request->model, request->sigma, request->chain.switching() > 0);
      Progress progress(console, "gauss");
      answer.count = markov::countLocalMinima(request->chain, request->model, request->sigma,
                                              {request->samples, true, request->seed}, {},
                                              [&progress](double share) { progress.at(share); });
    }
    if (json_)
      console.out << finishDocument(gaussJson(*request, answer));
    else
      printTable(console.out, *request, answer);
    return Outcome::Done;
  }

 private:
  Result<GaussRequest> read(const Options& common) const {
    SEPX_ASSIGN(const markov::Chain chain, arguments_.chain());
    const std::optional<markov::Model> model = markov::modelFromName(model_);
    if (!model || markov::hasFreeBias(*model))
      return failf(ErrorKind::Usage, N_("--model: '{}' is not one of ew, ewa"), model_);
    SEPX_ASSIGN(const double sigma, toNumber("--sigma", sigma_));
    constexpr double kLeast = 1e-3, kMost = 100;  // beyond these, integration in doubles is no evidence
    if (sigma < kLeast || sigma > kMost)
      return failf(ErrorKind::Usage, N_("--sigma: '{}' is not a number from 0.001 to 100"), sigma_);
    SEPX_ASSIGN(const long long samples, toInteger("--samples", samples_, 0, 10000000));
    return GaussRequest{chain, *model, sigma, samples, common.seed};
  }

  ModelArguments arguments_;
  std::string sigma_, model_ = "ew", samples_ = "10000";
  bool json_ = false;
};

}  // namespace

VerbEntry makeGauss() {
  return {"gauss", N_("How often a Gaussian initialisation ends in the bad minimum"), std::make_unique<GaussVerb>()};
}

}  // namespace sepx::app::cli
