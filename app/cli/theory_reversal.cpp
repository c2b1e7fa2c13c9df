// SPDX-License-Identifier: Apache-2.0
#include "app/cli/theory_reversal.h"

#include <cmath>
#include <string_view>
#include <vector>

#include "app/cli/text.h"
#include "app/cli/values.h"
#include "engine/core/try.h"
#include "engine/reversal/rope_bounds.h"
#include "engine/reversal/rope_correlation.h"

namespace sepx::app::cli {
namespace {

constexpr int kLargestDistance = 30;  ///< of Table 5
constexpr long long kMostReach = 100'000, kMostSamples = 10'000'000;

const std::string& orElse(const std::string& given, const std::string& usual) {
  return given.empty() ? usual : given;
}

struct Rope {
  int dimensions = 0;
  double base = 0;
  std::vector<double> angles;
};
Result<Rope> ropeOf(const ReversalTheory& given) {
  Rope rope;
  SEPX_ASSIGN(const long long dimensions,
              toInteger("--dimensions", orElse(given.dimensions, "64"), 2, reversal::kMostDimensions));
  SEPX_ASSIGN(rope.base, toNumber("--base", orElse(given.base, "10000")));
  rope.dimensions = static_cast<int>(dimensions);
  SEPX_TRY(reversal::checkRope(rope.dimensions, rope.base));
  rope.angles = reversal::ropeAngles(rope.dimensions, rope.base);
  return rope;
}

Json begin(const char* schema, const Rope& rope) {
  Json json = beginDocument(schema);
  json["D"] = rope.dimensions;
  json["base"] = rope.base;
  return json;
}

Result<TheoryAnswer> ropeTrace(const ReversalTheory& given) {
  SEPX_ASSIGN(const Rope rope, ropeOf(given));
  SEPX_ASSIGN(const long long reach, toInteger("--reach", orElse(given.reach, "50"), 1, kMostReach));
  const reversal::LeastTrace least = reversal::leastTrace(rope.angles, static_cast<int>(reach));
  TheoryAnswer answer;
  answer.json = begin("rope-trace", rope);
  answer.json["rows"] = Json::array();
  answer.text =
      trf(N_("Tr R(2 Delta)/D, D = {}, base {} [Reversal, Theorem 4.3]"), rope.dimensions, displayText(rope.base)) +
      "\n\n" + fmt::format("{:>8}  {}\n", "Delta", tr(N_("trace")));
  for (long long delta = 1; delta <= reach; ++delta) {
    const double trace = reversal::ropeTrace(rope.angles, 2.0 * static_cast<double>(delta));
    answer.json["rows"].push_back(Json::object({{"delta", delta}, {"trace", trace}}));
    answer.text += fmt::format("{:>8}  {:.6f}\n", delta, trace);
  }
  answer.json["min"] = least.trace;
  answer.json["argmin"] = least.distance;
  answer.text += "\n" + trf(N_("minimum: {} at Delta = {}"), fmt::format("{:.6f}", least.trace), least.distance) + "\n";
  return answer;
}

Result<std::vector<double>> distancesOf(const ReversalTheory& given) {
  SEPX_ASSIGN(auto distances, toNumbers("--distances", orElse(given.distances, "10,20,30,40,50")));
  for (const double distance : distances)
    if (!(distance >= 0 && distance <= kMostReach))
      return failf(ErrorKind::Usage, N_("--distances: {} is not a distance from 0 to {}"), displayText(distance),
                   kMostReach);
  return distances;
}

Result<TheoryAnswer> ropeIntegrals(const ReversalTheory& given) {
  SEPX_ASSIGN(const Rope rope, ropeOf(given));
  SEPX_ASSIGN(const auto distances, distancesOf(given));
  TheoryAnswer answer;
  answer.json = begin("rope-integral", rope);
  answer.json["rows"] = Json::array();
  answer.text =
      trf(N_("The limit of Tr R(2 Delta)/D for many dimensions, base {}: (Ci(2 Delta) - Ci(2 Delta/base))/log "
             "base [Reversal, B.1], beside the trace of D = {}"),
          displayText(rope.base), rope.dimensions) +
      "\n\n" + fmt::format("{:>8}  {:>9}  {:>9}\n", "Delta", tr(N_("integral")), tr(N_("trace")));
  for (const double distance : distances) {
    const double integral = reversal::ropeIntegral(distance, rope.base),
                 trace = reversal::ropeTrace(rope.angles, 2 * distance);
    answer.json["rows"].push_back(Json::object(
        {{"delta", distance}, {"integral", integral}, {"trace", trace}, {"difference", trace - integral}}));
    answer.text += fmt::format("{:>8}  {:>9.6f}  {:>9.6f}\n", displayText(distance), integral, trace);
  }
  answer.json["corrected"] = Json::array({"rev-5"});
  answer.text += "\n" +
                 std::string(tr(N_("The limit is approached slowly: where angles are undersampled the trace is far "
                                   "from it (rev-5)."))) +
                 "\n";
  return answer;
}

Result<TheoryAnswer> cantelli(const ReversalTheory& given) {
  SEPX_ASSIGN(const Rope rope, ropeOf(given));
  SEPX_ASSIGN(const auto distances, distancesOf(given));
  SEPX_ASSIGN(const auto thresholds, toNumbers("--least", orElse(given.least, "0.1,0.2,0.3")));
  TheoryAnswer answer;
  answer.json = begin("cantelli", rope);
  answer.json["rows"] = Json::array();
  answer.text =
      trf(N_("Pr[correlation >= c] is at least the number shown, m = {} planes [Reversal, B.2]"), rope.dimensions / 2) +
      "\n\n" + fmt::format("{:>8}  {:>6}  {:>9}\n", "Delta", "c", tr(N_("bound")));
  for (const double distance : distances)
    for (const double c : thresholds) {
      const auto bound = reversal::cantelliBound(rope.angles, distance, c);
      const reversal::TraceSpread spread = reversal::traceSpread(rope.angles, distance);
      answer.json["rows"].push_back(Json::object({{"delta", distance},
                                                  {"c", c},
                                                  {"mean", spread.mean},
                                                  {"variance", spread.variance},
                                                  {"bound", bound ? Json(*bound) : Json(nullptr)}}));
      answer.text += fmt::format("{:>8}  {:>6}  {:>9}\n", displayText(distance), displayText(c),
                                 bound ? fmt::format("{:.6f}", *bound) : std::string(tr(N_("none"))));
    }
  answer.text +=
      "\n" + std::string(tr(N_("none: c is not below the mean, so Cantelli's inequality gives no bound"))) + "\n";
  return answer;
}

struct Place {
  int forward = 0, reverse = 0;
  double mean = 0;
};

/// The smallest bound for 0 <= Delta1, Delta2 <= 30. The bound is symmetric in both.
Place leastPlace(const std::vector<double>& angles) {
  Place least;
  for (int forward = 0; forward <= kLargestDistance; ++forward)
    for (int reverse = forward; reverse <= kLargestDistance; ++reverse) {
      const double mean = reversal::asymmetricBound(angles, forward, reverse);
      if ((forward == 0 && reverse == 0) || mean < least.mean) least = {forward, reverse, mean};
    }
  return least;
}

Result<TheoryAnswer> asymmetric(const ReversalTheory& given, std::uint64_t seed) {
  SEPX_ASSIGN(const Rope rope, ropeOf(given));
  if (given.forward.empty() != given.reverse.empty())
    return fail(ErrorKind::Usage,
                tr(N_("give --forward and --reverse together, or neither for the smallest bound for 0 to 30")));
  Place place;
  if (given.forward.empty()) {
    place = leastPlace(rope.angles);
  } else {
    SEPX_ASSIGN(const long long forward, toInteger("--forward", given.forward, 0, kMostReach));
    SEPX_ASSIGN(const long long reverse, toInteger("--reverse", given.reverse, 0, kMostReach));
    place = {static_cast<int>(forward), static_cast<int>(reverse), 0};
    place.mean = reversal::asymmetricBound(rope.angles, place.forward, place.reverse);
  }
  SEPX_ASSIGN(const long long samples, toInteger("--samples", orElse(given.samples, "0"), 0, kMostSamples));
  TheoryAnswer answer;
  answer.json = begin("asymmetric", rope);
  answer.json["forward"] = place.forward;
  answer.json["reverse"] = place.reverse;
  answer.json["mean"] = place.mean;
  answer.json["sampled"] = nullptr;
  answer.text = trf(N_("D = {}, Delta1 = {}, Delta2 = {}: the mean over plane weights of the minimum surrogate is {}, "
                       "by quadrature [Reversal, B.3]"),
                    rope.dimensions, place.forward, place.reverse, fmt::format("{:.6f}", place.mean)) +
                "\n";
  if (samples > 0) {
    const auto sampled =
        reversal::sampledAsymmetricBound(rope.angles, place.forward, place.reverse, static_cast<int>(samples), seed);
    answer.json["sampled"] =
        Json::object({{"samples", samples}, {"seed", seed}, {"mean", sampled.mean}, {"error", orNull(sampled.error)}});
    answer.text += trf(N_("by {} draws with seed {}: {} +- {}"), samples, seed, fmt::format("{:.6f}", sampled.mean),
                       fmt::format("{:.6f}", sampled.error)) +
                   "\n";
  }
  return answer;
}

/// Usage if an option is given that `what` does not read.
Result<void> onlyOwn(const std::string& what, const ReversalTheory& given) {
  const struct {
    const char *option, *theories;
    const std::string& value;
  } options[] = {
      {"--reach", "rope-trace", given.reach},     {"--distances", "cantelli, rope-integral", given.distances},
      {"--least", "cantelli", given.least},       {"--forward", "asymmetric", given.forward},
      {"--reverse", "asymmetric", given.reverse}, {"--samples", "asymmetric", given.samples}};
  for (const auto& one : options)
    if (!one.value.empty() && std::string_view(one.theories).find(what) == std::string_view::npos)
      return failf(ErrorKind::Usage, N_("{} can be used only with {}; leave it out"), one.option, one.theories);
  return {};
}

}  // namespace

bool isReversalTheory(const std::string& what) {
  return what == "rope-trace" || what == "rope-integral" || what == "cantelli" || what == "asymmetric";
}

Result<TheoryAnswer> reversalTheory(const std::string& what, const ReversalTheory& given, std::uint64_t seed) {
  SEPX_TRY(onlyOwn(what, given));
  if (what == "rope-trace") return ropeTrace(given);
  if (what == "rope-integral") return ropeIntegrals(given);
  if (what == "cantelli") return cantelli(given);
  return asymmetric(given, seed);
}

}  // namespace sepx::app::cli
