// SPDX-License-Identifier: Apache-2.0
// The requests of the page's lanes and their computation, the state of the page, and closed forms.
#include "ui/exhibits/flow/chain/chain_results.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "engine/markov/gaussian_count.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr int kSquareSize = 160;  // pixels per side, for quantities with a closed form
constexpr int kCurvePoints = 49;  // values of sigma
constexpr int kCountPoints = 10;
constexpr int kAlongPoints = 81;
constexpr double kCurveError = 1e-4;  // relative, of the quadrature in (e, w, a), for curves
constexpr double kReadError = 1e-7;   // the same, for displayed numbers
constexpr double kBesideLine = 1e-6;  // in t

/// A chain on that side of p + q = 1. The basins depend on nothing else of p and q.
markov::Chain sideChain(bool above) {
  return above ? markov::Chain{0.75, 0.75} : markov::Chain{0.25, 0.25};
}

double probabilityOf(markov::Model model, double sigma, bool above, double error = kReadError) {
  return markov::hasAttention(model) ? markov::probabilityLocalMinimum3(sigma, above, error)
                                     : markov::probabilityLocalMinimum(sigma, above);
}

/// Sizes of the pictures to make, in order. The slow quantity has coarse pictures first.
std::vector<int> sizesOf(ChainQuantity quantity, markov::Model model) {
  if (quantity != ChainQuantity::Time) return {kSquareSize};
  return markov::hasAttention(model) ? std::vector<int>{12, 24, 48} : std::vector<int>{16, 32, 64};
}

double sigmaAt(double place) {
  return kLeastSigma * std::pow(kMostSigma / kLeastSigma, place);
}

ChainCurve curveOf(markov::Model model, bool above, ThreadPool& pool, const LaneWork& work) {
  ChainCurve curve{model, above, {}, {}};
  for (int i = 0; i < kCurvePoints; ++i)
    curve.sigma.push_back(sigmaAt(static_cast<double>(i) / (kCurvePoints - 1)));
  curve.probability.assign(curve.sigma.size(), std::numeric_limits<double>::quiet_NaN());
  pool.parallelFor(0, curve.sigma.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last && !work.cancelled(); ++i)
      curve.probability[i] = probabilityOf(model, curve.sigma[i], above, kCurveError);
  });
  return curve;
}

std::vector<ChainCount> countsOf(markov::Model model, bool above, int samples, std::uint64_t seed, ThreadPool& pool,
                                 const LaneWork& work) {
  std::vector<ChainCount> counts;
  for (int i = 0; i < kCountPoints; ++i)
    counts.push_back({model, above, sigmaAt((i + 0.5 + (markov::hasAttention(model) ? 0.2 : 0)) / kCountPoints), {}});
  pool.parallelFor(0, counts.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const markov::GaussCountOptions options{samples, true, seed + i};
      counts[i].share = markov::countLocalMinima(sideChain(above), model, counts[i].sigma, options, [&work] {
                          return work.cancelled();
                        }).integrated;
    }
  });
  return counts;
}

std::shared_ptr<const std::vector<float>> placesOf(ChainQuantity quantity, const std::vector<float>& values) {
  std::vector<float> places(values.size());
  std::transform(values.begin(), values.end(), places.begin(),
                 [quantity](float value) { return static_cast<float>(colorPlace(quantity, value)); });
  return std::make_shared<const std::vector<float>>(std::move(places));
}

/// Evenly spaced t. If the path crosses p + q = 1, also the crossing and a place on either side of it.
std::vector<double> placesOn(const ChainPath& path) {
  std::vector<double> t;
  for (int i = 0; i < kAlongPoints; ++i)
    t.push_back(static_cast<double>(i) / (kAlongPoints - 1));
  if (const std::optional<double> crossing = path.crossing()) {
    for (const double beside : {*crossing - kBesideLine, *crossing, *crossing + kBesideLine})
      if (beside > 0 && beside < 1) t.push_back(beside);
    std::sort(t.begin(), t.end());
  }
  return t;
}

}  // namespace

double colorPlace(ChainQuantity quantity, double value) {
  const bool loss = quantity == ChainQuantity::Excess || quantity == ChainQuantity::Gap;
  return loss ? std::sqrt(std::max(value, 0.0)) : value;
}

ColorLimits scaleOf(ChainQuantity quantity, const std::vector<float>& values) {
  switch (quantity) {
    case ChainQuantity::Excess:
    case ChainQuantity::Gap:
      return {0, std::log(2.0)};  // for a fair coin that always repeats its last result, or never does
    case ChainQuantity::S_star:
      return {-8, 8};
    case ChainQuantity::Distance:
      return {0, 2.2};
    case ChainQuantity::Time:
      break;
  }
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const float value : values)
    if (std::isfinite(value)) low = std::min<double>(low, value), high = std::max<double>(high, value);
  if (!(low < high)) return {0, 1};
  constexpr double kStep = 0.5;  // of a power of ten, so that finer pictures keep the scale
  return {kStep * std::floor(low / kStep), kStep * std::ceil(high / kStep)};
}

void ChainResults::update(const ChainState& state, const std::optional<markov::Chain>& hover, ExhibitContext& context) {
  updatePlaces(state, hover, context);
  updatePicture(state, context);
  updatePathValues(state, context);
  updateCurves(state, context);
}

void ChainResults::updatePicture(const ChainState& state, ExhibitContext& context) {
  picture_.refresh(context.jobs);
  markov::ChainMapRequest wanted{state.show, state.model, state.sigma, sizesOf(state.show, state.model).back()};
  // A change of something that the quantity does not depend on must not start a new picture.
  if (state.show != ChainQuantity::Excess && state.show != ChainQuantity::Time)
    wanted.model = markov::Model::EW, wanted.sigma = 1;
  picture_.request(context.jobs, wanted, tr("square of p and q"),
                   [&pool = context.pool](const markov::ChainMapRequest& request, auto& output) {
                     for (const int size : sizesOf(request.quantity, request.model)) {
                       ChainPicture picture{request, nullptr, nullptr, {}};
                       picture.request.size = size;
                       std::vector<float> values = markov::chainMap(
                           picture.request, pool, [&output] { return output.cancelled(); },
                           [&output](double share) { output.progress(share); });
                       if (output.cancelled()) return;
                       picture.scale = scaleOf(request.quantity, values);
                       picture.places = placesOf(request.quantity, values);
                       picture.values = std::make_shared<const std::vector<float>>(std::move(values));
                       output.publish(std::move(picture), size == request.size);
                     }
                   });
}

void ChainResults::updateCurves(const ChainState& state, ExhibitContext& context) {
  curves_.refresh(context.jobs);
  const CurvesRequest wanted{state.counts, state.counts ? state.samples : 0,
                             context.seed + static_cast<std::uint64_t>(state.seed)};
  if (curves_.isFor(wanted)) return;
  curves_.start(context.jobs, wanted, tr("P(local minimum) against σ"),
                [known = curves().curves, &pool = context.pool](const CurvesRequest& request, auto& output) {
                  constexpr std::array kModels{markov::Model::EW, markov::Model::EWA};
                  ChainCurves made;
                  if (known.size() == 2 * kModels.size()) made.curves = known;  // independent of the request
                  const bool make = made.curves.empty();
                  for (const markov::Model model : kModels) {
                    for (const bool above : {true, false})
                      if (make && !output.cancelled()) made.curves.push_back(curveOf(model, above, pool, output));
                    if (!output.publish(made, !request.counts && model == kModels.back())) return;
                  }
                  for (const markov::Model model : kModels) {
                    for (const bool above : {true, false}) {
                      if (!request.counts || output.cancelled()) return;
                      const auto more = countsOf(model, above, request.samples, request.seed, pool, output);
                      made.counts.insert(made.counts.end(), more.begin(), more.end());
                    }
                    if (!output.publish(made, model == kModels.back())) return;
                  }
                });
}

void ChainResults::updatePathValues(const ChainState& state, ExhibitContext& context) {
  pathValues_.refresh(context.jobs);
  if (!state.showPath) return;
  pathValues_.request(context.jobs, {state.path, state.model, state.sigma}, tr("values along the path"),
                      [&pool = context.pool](const PathValuesRequest& request, auto& output) {
                        ChainPathValues along{request.path, placesOn(request.path), {}};
                        along.at.resize(along.t.size());
                        const double above = probabilityOf(request.model, request.sigma, true);
                        const double below = probabilityOf(request.model, request.sigma, false);
                        pool.parallelFor(0, along.t.size(), 4, [&](std::size_t first, std::size_t last) {
                          for (std::size_t i = first; i < last && !output.cancelled(); ++i) {
                            ChainReading& reading = along.at[i];
                            reading = readingAt(request.path.at(along.t[i]));
                            if (reading.chain.degenerate()) continue;
                            reading.probability = reading.chain.switching() > 0 ? above : below;
                            reading.excess = *reading.probability * reading.gap;
                            reading.time = markov::medianTime(reading.chain, request.model, request.sigma);
                          }
                        });
                        return along;
                      });
}

void ChainResults::updatePlaces(const ChainState& state, const std::optional<markov::Chain>& hover,
                                ExhibitContext& context) {
  places_.refresh(context.jobs);
  PlacesRequest wanted{state.model, state.sigma, {{state.chain.p, state.chain.q}}};
  if (state.showPath) {
    const markov::Chain head = state.path.at(state.head);
    wanted.places.push_back({head.p, head.q});
  }
  if (hover) wanted.places.push_back({hover->p, hover->q});
  // While the pointer moves, a request that was started is completed before the current place is requested.
  if (places_.pending() || places_.isFor(wanted)) return;
  // Both probabilities remain valid while only the places change.
  std::optional<Places> known;
  if (places_.result() && places_.answered()->sameStarts(wanted)) known = *places_.result();
  places_.start(
      context.jobs, std::move(wanted), tr("quantities at p and q"),
      [known = std::move(known)](const PlacesRequest& request, auto&) {
        const auto probability = [&](bool above) { return probabilityOf(request.model, request.sigma, above); };
        Places places{known ? known->above : probability(true), known ? known->below : probability(false), {}};
        for (const Place& place : request.places)
          places.times.push_back(markov::medianTime({place.p, place.q}, request.model, request.sigma));
        return places;
      });
}

std::optional<double> ChainResults::probability(bool above) const {
  if (!places_.result() || !places_.answered()->sameStarts(*places_.requested())) return std::nullopt;
  return above ? places_.result()->above : places_.result()->below;
}

ChainReading ChainResults::reading(const markov::Chain& chain) const {
  ChainReading reading = readingAt(chain);
  if (chain.degenerate()) return reading;
  reading.probability = probability(chain.switching() > 0);
  if (reading.probability) reading.excess = *reading.probability * reading.gap;
  if (!reading.probability) return reading;
  for (std::size_t i = 0; i < places_.result()->times.size(); ++i)
    if (places_.answered()->places[i] == Place{chain.p, chain.q}) reading.time = places_.result()->times[i];
  return reading;
}

namespace {

constexpr const char* kWords[] = {"excess", "gap", "S_star", "distance", "time"};

}  // namespace

const char* quantityWord(ChainQuantity quantity) {
  return kWords[static_cast<int>(quantity)];
}

std::string quantityName(ChainQuantity quantity) {
  constexpr const char* kNames[] = {N_("Expected excess loss"), N_("Loss gap"), N_("Best value of S"),
                                    N_("Distance of Θ⋆"), N_("Time to converge")};
  return tr(kNames[static_cast<int>(quantity)]);
}

std::string quantityTitle(ChainQuantity quantity) {
  constexpr const char* kTitles[] = {N_("excess (nats)"), N_("gap (nats)"), N_("S⋆"), N_("|Θ⋆|"), N_("time to 99 %")};
  return tr(kTitles[static_cast<int>(quantity)]);
}

std::optional<double> ChainPath::crossing() const {
  const double before = p0 + q0 - 1, after = p1 + q1 - 1;
  if (before == after || (before > 0) == (after > 0)) return std::nullopt;
  return std::clamp(before / (before - after), 0.0, 1.0);
}

ChainState readChainState(const Document& document, const PropertyRegistry& registry, const FlowState& flow) {
  ChainState state;
  state.chain = flow.chain;
  registry.read(document, state);
  state.sigma = flow.sigma;
  state.seed = flow.seed;
  state.speed = flow.speed;
  return state;
}

ChainReading readingAt(const markov::Chain& chain) {
  ChainReading reading;
  reading.chain = chain;
  reading.gap = markov::lossGap(chain);
  reading.S_star = chain.degenerate() ? 0 : chain.S_star();
  reading.nearest = markov::nearestMinimum(chain);
  reading.distance = std::hypot(reading.nearest.e, reading.nearest.w);
  reading.clock = markov::clockUnit(chain);
  return reading;
}

markov::Chain roundedChain(double p, double q, bool coarse) {
  const double step = coarse ? 0.05 : 0.005;  // so that the numbers stay short; finer values can be typed
  const auto value = [step](double raw) {
    if (!std::isfinite(raw)) return 0.5;
    // Rounded to three decimals, so that 0.35 is the double that prints as 0.35.
    return std::clamp(std::round(std::round(raw / step) * step * 1000) / 1000, step, 1 - step);
  };
  return {value(p), value(q)};
}

double roundedPlace(double t) {
  return std::round(std::clamp(t, 0.0, 1.0) * 200) / 200;
}

}  // namespace sepx::ui
