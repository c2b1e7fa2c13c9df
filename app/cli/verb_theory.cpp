// SPDX-License-Identifier: Apache-2.0
// sepx theory: closed forms of the papers for given numbers. counts: how often a token is context and how often it is
// predicted, in autoregressive and bidirectional training [Attention-Structure, A.9, (S111)]. entropy: entropies of
// chains of order k (theory_entropy.h). The others: bounds of RoPE (theory_reversal.h).
#include <algorithm>
#include <cmath>
#include <ostream>

#include <CLI/CLI.hpp>

#include "app/cli/declare.h"
#include "app/cli/json_out.h"
#include "app/cli/label_table.h"
#include "app/cli/text.h"
#include "app/cli/theory_entropy.h"
#include "app/cli/theory_reversal.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "app/options.h"
#include "engine/attention/counts.h"
#include "engine/core/try.h"

namespace sepx::app::cli {
namespace {

using attention::MaskedPairs;
using attention::TokenCounts;

constexpr long long kLongest = 10'000'000;

struct Counts {
  std::vector<double> P;
  bool stationary = false;  ///< P is the same at every place
  double mask = 0;
  TokenCounts autoregressive, bidirectional;
  double mean = 0;
  double delta = std::nan(""), epsilon = std::nan("");  ///< (S80), (S82); NaN: the token is not left of the middle
  MaskedPairs pairs;
  auto length() const { return P.size(); }
  bool hasPairs() const { return mask * static_cast<double>(P.size()) >= 1; }
};

Json countsJson(const TokenCounts& counts) {
  return Json::object(
      {{"context", counts.context}, {"predicted", counts.predicted}, {"ratio", orNull(counts.ratio())}});
}

Json theoryJson(const Counts& counts) {
  Json json = beginDocument("theory");
  json["what"] = "counts";
  json["length"] = counts.length();
  json["mask"] = counts.mask;
  json["probabilities"] = counts.stationary ? Json(counts.P.front()) : Json(counts.P);
  json["mean_position"] = orNull(counts.mean);
  json["autoregressive"] = countsJson(counts.autoregressive);
  json["ratio_bound"] = Json::object({{"delta", orNull(counts.delta)}, {"epsilon", orNull(counts.epsilon)}});
  json["bidirectional"] = countsJson(counts.bidirectional);
  json["masked_pairs"] = Json::object({{"ratio", counts.hasPairs() ? Json(counts.pairs.ratio) : Json(nullptr)},
                                       {"ratio_limit", counts.pairs.limit},
                                       {"share", counts.hasPairs() ? Json(counts.pairs.share) : Json(nullptr)}});
  json["corrected"] = Json::array({"att-10", "att-11"});
  return json;
}

std::string numberOrNone(double value) {
  return std::isfinite(value) ? displayText(value) : tr(N_("none"));
}

void printTable(std::ostream& out, const Counts& counts) {
  LabelTable table;
  const auto row = [&table](const std::string& name, const std::string& value) { table.row(name, value); };
  row(tr(N_("positions, N")), fmt::format("{}", counts.length()));
  row(tr(N_("mean position of the token, mu")), numberOrNone(counts.mean));
  row(tr(N_("autoregressive: tokens it helps to predict")), displayText(counts.autoregressive.context));
  row(tr(N_("autoregressive: tokens that predict it")), displayText(counts.autoregressive.predicted));
  row(tr(N_("their ratio, (N - mu)/(mu - 1)")), numberOrNone(counts.autoregressive.ratio()));
  row(tr(N_("distance left of the middle, delta of (S80)")), numberOrNone(counts.delta));
  row(tr(N_("ratio at least 1 + epsilon (S82), epsilon")), numberOrNone(counts.epsilon));
  row(trf(N_("bidirectional, {} masked: either of the two"), displayText(counts.mask)),
      displayText(counts.bidirectional.context));
  const double none = std::nan("");
  row(tr(N_("masked-masked to masked-unmasked pairs")),
      trf(N_("{} ({} for long sequences)"), numberOrNone(counts.hasPairs() ? counts.pairs.ratio : none),
          displayText(counts.pairs.limit)));
  row(tr(N_("share of terms of two masked positions")), numberOrNone(counts.hasPairs() ? counts.pairs.share : none));
  table.print(out);
  out << "\n"
      << tr(N_("Corrected: (S67) runs to l = N, (S73) and (S74) have a factor N too many (att-10); (S111) is a ratio, "
               "not a share (att-11)."))
      << "\n";
}

class TheoryVerb final : public Verb {
 public:
  void declare(CLI::App& command) override {
    addOption(command, "what", what_,
              N_("counts: how often a token is context and how often it is predicted; rope-trace, rope-integral, "
                 "cantelli, asymmetric: bounds of the correlation of forward and reverse scores; entropy: unigram, "
                 "block entropies and entropy rate of a binary chain of order k"),
              "counts|rope-trace|rope-integral|cantelli|asymmetric|entropy");
    addOption(command, "--probabilities", probabilities_, N_("Pr[t_k = t*] at the positions k = 1, …, N"), "P1,P2,…");
    addOption(command, "--length", length_, N_("N, if the token is equally likely at every position"), "N");
    addOption(command, "--probability", probability_, N_("with --length: that probability (default 1)"), "P");
    addOption(command, "--mask", mask_, N_("share of masked positions in bidirectional training (default 0.15)"),
              "RHO");
    addOption(command, "--delta", delta_,
              N_("the mean position is at least this far left of the middle (default: its actual distance)"), "DELTA");
    addOption(command, "--dimensions", bounds_.dimensions, N_("D of RoPE, an even number (default 64)"), "D");
    addOption(command, "--base", bounds_.base, N_("base of RoPE's angles (default 10000)"), "BASE");
    addOption(command, "--reach", bounds_.reach, N_("rope-trace: the largest distance (default 50)"), "N");
    addOption(command, "--distances", bounds_.distances,
              N_("cantelli, rope-integral: distances (default 10,20,30,40,50)"), "D1,…");
    addOption(command, "--least", bounds_.least, N_("cantelli: correlations (default 0.1,0.2,0.3)"), "C1,…");
    addOption(command, "--forward", bounds_.forward, N_("asymmetric: Delta1 (default: smallest bound for 0 to 30)"),
              "N");
    addOption(command, "--reverse", bounds_.reverse, N_("asymmetric: Delta2"), "N");
    addOption(command, "--samples", bounds_.samples,
              N_("asymmetric: number of random draws in addition to the quadrature (--seed)"), "N");
    addOption(command, "--kernel", kernel_,
              N_("entropy: P(1 after the last k bits), 2^k numbers; the oldest bit is the most significant"),
              "P1,P2,…");
    addOption(command, "--blocks", blocks_, N_("entropy: the longest block, in bits (default k + 2)"), "N");
    addJsonFlag(command, json_);
  }

  Result<Outcome> run(Console& console, const Options& common) override {
    constexpr const char* kThere = "counts, rope-trace, rope-integral, cantelli, asymmetric, entropy";
    if (what_.empty()) return failf(ErrorKind::Usage, N_("name a theory; available: {}"), kThere);
    const bool entropies = what_ == "entropy";
    if (!entropies && !(kernel_.empty() && blocks_.empty()))
      return fail(ErrorKind::Usage, tr(N_("--kernel and --blocks can be used only with entropy")));
    if (isReversalTheory(what_)) return bounds(console, common);
    if (entropies) return entropy(console);
    if (what_ != "counts")
      return failf(ErrorKind::Usage, N_("'{}' is not a theory of this program; available: {}"), what_, kThere);
    if (!bounds_.isEmpty())
      return fail(ErrorKind::Usage,
                  tr(N_("counts takes --probabilities, --length, --probability, --mask and --delta only")));
    SEPX_ASSIGN(Counts counts, read());
    counts.autoregressive = attention::autoregressiveCounts(counts.P);
    counts.bidirectional = attention::bidirectionalCounts(counts.P, counts.mask);
    counts.mean = attention::meanPosition(counts.P);
    SEPX_TRY(bound(counts));
    counts.pairs = attention::maskedPairs(static_cast<double>(counts.length()), counts.mask);
    if (json_)
      console.out << finishDocument(theoryJson(counts));
    else
      printTable(console.out, counts);
    return Outcome::Done;
  }

 private:
  Result<Outcome> entropy(Console& console) const {
    if (!probabilities_.empty() || !length_.empty() || !probability_.empty() || !delta_.empty() || !bounds_.isEmpty())
      return fail(ErrorKind::Usage, tr(N_("entropy takes --kernel and --blocks only")));
    SEPX_ASSIGN(const TheoryAnswer answer, entropyTheory(kernel_, blocks_));
    console.out << (json_ ? finishDocument(answer.json) : answer.text);
    return Outcome::Done;
  }

  Result<Outcome> bounds(Console& console, const Options& common) const {
    if (!probabilities_.empty() || !length_.empty() || !probability_.empty() || !delta_.empty())
      return fail(ErrorKind::Usage,
                  tr(N_("--probabilities, --length, --probability and --delta can be used only with counts")));
    SEPX_ASSIGN(const TheoryAnswer answer, reversalTheory(what_, bounds_, common.seed));
    console.out << (json_ ? finishDocument(answer.json) : answer.text);
    return Outcome::Done;
  }

  static Result<void> within(const char* option, double value, bool open) {
    if (open ? value > 0 && value < 1 : value >= 0 && value <= 1) return {};
    return open ? failf(ErrorKind::Usage, N_("{}: {} is not a number above 0 and below 1"), option, displayText(value))
                : failf(ErrorKind::Usage, N_("{}: {} is not a number from 0 to 1"), option, displayText(value));
  }

  Result<Counts> read() const {
    Counts counts;
    SEPX_ASSIGN(const double mask, toNumber("--mask", mask_));
    SEPX_TRY(within("--mask", mask, true));
    counts.mask = mask;
    SEPX_ASSIGN(counts.P, places());
    counts.stationary = probabilities_.empty();
    return counts;
  }

  /// Computes (S80) and (S82) if the mean place is left of the middle.
  Result<void> bound(Counts& counts) const {
    const double most = attention::leftOfMiddle(static_cast<double>(counts.length()), counts.mean);
    if (delta_.empty() && !(most > 0)) return {};
    double delta = most;
    if (!delta_.empty()) {
      SEPX_ASSIGN(delta, toNumber("--delta", delta_));
      if (!(delta > 0 && delta <= most))
        return failf(
            ErrorKind::Usage,
            N_("--delta: {} is not above 0 and at most {}, the distance by which the mean position is left of the middle"),
            displayText(delta), numberOrNone(most));
    }
    counts.delta = delta;
    counts.epsilon = attention::ratioMargin(delta, counts.mean);
    return {};
  }

  Result<std::vector<double>> places() const {
    if (probabilities_.empty() == length_.empty())
      return fail(ErrorKind::Usage, tr(N_("give either --probabilities P1,P2,… or --length N")));
    if (!probability_.empty() && length_.empty())
      return fail(ErrorKind::Usage,
                  tr(N_("--probability can be used only with --length; --probabilities gives every position")));
    if (length_.empty()) {
      SEPX_ASSIGN(auto P, toNumbers("--probabilities", probabilities_));
      for (const double value : P)
        SEPX_TRY(within("--probabilities", value, false));
      if (P.size() < 2)
        return fail(ErrorKind::Usage, tr(N_("--probabilities: a sequence must have at least two positions")));
      return P;
    }
    SEPX_ASSIGN(const long long length, toInteger("--length", length_, 2, kLongest));
    SEPX_ASSIGN(const double probability, toNumber("--probability", probability_.empty() ? "1" : probability_));
    SEPX_TRY(within("--probability", probability, false));
    return std::vector<double>(static_cast<std::size_t>(length), probability);
  }

  ReversalTheory bounds_;
  std::string what_, probabilities_, length_, probability_, mask_ = "0.15", delta_, kernel_, blocks_;
  bool json_ = false;
};

}  // namespace

VerbEntry makeTheory() {
  return {"theory",
          N_("Closed forms of the papers for your own numbers: counts of a token, bounds of RoPE, entropies of chains"),
          std::make_unique<TheoryVerb>()};
}

}  // namespace sepx::app::cli
