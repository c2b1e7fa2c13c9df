// SPDX-License-Identifier: Apache-2.0
// Starts and collects the page's work. Jobs capture values and their channel only. A part whose stamp is not the
// present one is dropped.
#include "ui/exhibits/flow/chain/chain_results.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kMapLane = "flow.chain.map";
constexpr const char* kCurvesLane = "flow.chain.curves";
constexpr const char* kAlongLane = "flow.chain.along";
constexpr const char* kPlacesLane = "flow.chain.places";

constexpr int kSquareSize = 160;  // pixels a side of what has a closed form
constexpr int kCurvePoints = 49;  // of sigma
constexpr int kCountPoints = 10;
constexpr int kAlongPoints = 81;
constexpr double kCurveError = 1e-4;  // relative, of the quadrature in space
constexpr double kReadError = 1e-7;   // of what is read as a number
constexpr double kBesideLine = 1e-6;  // of t

/// A chain on that side of the line; the basins know no more of p and q.
markov::Chain sideChain(bool above) {
  return above ? markov::Chain{0.75, 0.75} : markov::Chain{0.25, 0.25};
}

double probabilityOf(markov::Model model, double sigma, bool above, double error = kReadError) {
  return markov::hasAttention(model) ? markov::probabilityLocalMinimum3(sigma, above, error)
                                     : markov::probabilityLocalMinimum(sigma, above);
}

/// Coarse pictures of the slow quantity first.
std::vector<int> sizesOf(ChainQuantity quantity, markov::Model model) {
  if (quantity != ChainQuantity::Time) return {kSquareSize};
  return markov::hasAttention(model) ? std::vector<int>{12, 24, 48} : std::vector<int>{16, 32, 64};
}

double sigmaAt(double place) {
  return kLeastSigma * std::pow(kMostSigma / kLeastSigma, place);
}

ChainCurve curveOf(markov::Model model, bool above, ThreadPool& pool, const JobContext& job) {
  ChainCurve curve{model, above, {}, {}};
  for (int i = 0; i < kCurvePoints; ++i)
    curve.sigma.push_back(sigmaAt(static_cast<double>(i) / (kCurvePoints - 1)));
  curve.probability.assign(curve.sigma.size(), std::numeric_limits<double>::quiet_NaN());
  pool.parallelFor(0, curve.sigma.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last && !job.cancelled(); ++i)
      curve.probability[i] = probabilityOf(model, curve.sigma[i], above, kCurveError);
  });
  return curve;
}

std::vector<ChainCount> countsOf(markov::Model model, bool above, int samples, std::uint64_t seed, ThreadPool& pool,
                                 const JobContext& job) {
  std::vector<ChainCount> counts;
  for (int i = 0; i < kCountPoints; ++i)
    counts.push_back({model, above, sigmaAt((i + 0.5 + (markov::hasAttention(model) ? 0.2 : 0)) / kCountPoints), {}});
  pool.parallelFor(0, counts.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const markov::GaussCountOptions options{samples, true, seed + i};
      counts[i].share = markov::countLocalMinima(sideChain(above), model, counts[i].sigma, options, [&job] {
                          return job.cancelled();
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

/// Even steps, and where the line is crossed a place on either side of it.
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
      return {0, std::log(2.0)};  // of a fair coin that repeats itself, or never does
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

ChainResults::ChainResults()
    : pictureChannel_(std::make_shared<Exchange<PicturePart>>()),
      curvesChannel_(std::make_shared<Exchange<CurvesPart>>()),
      alongChannel_(std::make_shared<Exchange<AlongPart>>()),
      placesChannel_(std::make_shared<Exchange<PlacesPart>>()) {}

void ChainResults::update(const ChainState& state, const std::optional<markov::Chain>& hover, ExhibitContext& context) {
  idle_ = context.jobs.idle();  // before anything is collected: a job that was cancelled by hand leaves nothing pending
  updatePlaces(state, hover, context);
  updatePicture(state, context);
  updateAlong(state, context);
  updateCurves(state, context);
}

void ChainResults::updatePicture(const ChainState& state, ExhibitContext& context) {
  markov::ChainMapRequest wanted{state.show, state.model, state.sigma, sizesOf(state.show, state.model).back()};
  // What the quantity does not depend on is no reason to paint it again.
  if (state.show != ChainQuantity::Excess && state.show != ChainQuantity::Time)
    wanted.model = markov::Model::EW, wanted.sigma = 1;
  if (pictureChannel_->refresh() && pictureChannel_->latest().stamp == pictureStamp_) {
    picture_ = pictureChannel_->latest().picture;
    pictureDone_ = pictureChannel_->latest().finished;
    ++pictureRevision_;
  }
  if (idle_) pictureDone_ = true;
  if (pictureRequest_ == wanted) return;
  pictureRequest_ = wanted;
  startPicture(context);
}

void ChainResults::startPicture(ExhibitContext& context) {
  ++pictureStamp_;
  pictureDone_ = false;
  context.jobs.start(kMapLane, tr("square of p and q"),
                     [request = *pictureRequest_, stamp = pictureStamp_, channel = pictureChannel_,
                      &pool = context.pool](JobContext& job) -> Result<void> {
                       const std::vector<int> sizes = sizesOf(request.quantity, request.model);
                       for (const int size : sizes) {
                         markov::ChainMapRequest level = request;
                         level.size = size;
                         std::vector<float> values = markov::chainMap(
                             level, pool, [&job] { return job.cancelled(); }, [&job](double s) { job.progress(s); });
                         if (job.cancelled()) return {};
                         PicturePart& part = channel->slot();
                         part.stamp = stamp;
                         part.picture.request = level;
                         part.picture.scale = scaleOf(level.quantity, values);
                         part.picture.places = placesOf(level.quantity, values);
                         part.picture.values = std::make_shared<const std::vector<float>>(std::move(values));
                         part.finished = size == sizes.back();
                         channel->publish();
                         job.published();
                       }
                       return {};
                     });
}

void ChainResults::updateCurves(const ChainState& state, ExhibitContext& context) {
  const CurvesRequest wanted{state.counts, state.counts ? state.samples : 0,
                             context.seed + static_cast<std::uint64_t>(state.seed)};
  if (curvesChannel_->refresh() && curvesChannel_->latest().stamp == curvesStamp_) {
    curves_ = curvesChannel_->latest().curves;
    curvesDone_ = curvesChannel_->latest().finished;
    ++curvesRevision_;
  }
  if (idle_) curvesDone_ = true;
  if (curvesRequest_ == wanted) return;
  curvesRequest_ = wanted;
  startCurves(context);
}

void ChainResults::startCurves(ExhibitContext& context) {
  ++curvesStamp_;
  curvesDone_ = false;
  std::vector<ChainCurve> known = curves_.curves;  // they depend on nothing
  context.jobs.start(kCurvesLane, tr("P(local minimum) against σ"),
                     [request = *curvesRequest_, stamp = curvesStamp_, channel = curvesChannel_,
                      known = std::move(known), &pool = context.pool](JobContext& job) -> Result<void> {
                       constexpr std::array kModels{markov::Model::EW, markov::Model::EWA};
                       ChainCurves curves;
                       curves.curves = known.size() == 2 * kModels.size() ? known : std::vector<ChainCurve>{};
                       const auto hand = [&](bool finished) {
                         if (job.cancelled()) return false;
                         CurvesPart& part = channel->slot();
                         part.stamp = stamp;
                         part.curves = curves;
                         part.finished = finished;
                         channel->publish();
                         job.published();
                         return true;
                       };
                       const bool make = curves.curves.empty();
                       for (const markov::Model model : kModels) {
                         for (const bool above : {true, false})
                           if (make && !job.cancelled()) curves.curves.push_back(curveOf(model, above, pool, job));
                         if (!hand(!request.counts && model == kModels.back())) return {};
                       }
                       for (const markov::Model model : kModels) {
                         for (const bool above : {true, false}) {
                           if (!request.counts || job.cancelled()) return {};
                           const auto more = countsOf(model, above, request.samples, request.seed, pool, job);
                           curves.counts.insert(curves.counts.end(), more.begin(), more.end());
                         }
                         if (!hand(model == kModels.back())) return {};
                       }
                       return {};
                     });
}

void ChainResults::updateAlong(const ChainState& state, ExhibitContext& context) {
  if (alongChannel_->refresh() && alongChannel_->latest().stamp == alongStamp_) {
    along_ = alongChannel_->latest().along;
    alongDone_ = true;
    ++alongRevision_;
  }
  if (idle_) alongDone_ = true;
  const AlongRequest wanted{state.path, state.model, state.sigma};
  if (!state.showPath || alongRequest_ == wanted) return;
  alongRequest_ = wanted;
  ++alongStamp_;
  alongDone_ = false;
  context.jobs.start(
      kAlongLane, tr("values along the path"),
      [wanted, stamp = alongStamp_, channel = alongChannel_, &pool = context.pool](JobContext& job) -> Result<void> {
        ChainAlong along;
        along.path = wanted.path;
        along.t = placesOn(wanted.path);
        along.at.resize(along.t.size());
        const double above = probabilityOf(wanted.model, wanted.sigma, true);
        const double below = probabilityOf(wanted.model, wanted.sigma, false);
        pool.parallelFor(0, along.t.size(), 4, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last && !job.cancelled(); ++i) {
            ChainReading& reading = along.at[i];
            reading = readingAt(wanted.path.at(along.t[i]));
            if (reading.chain.degenerate()) continue;
            reading.probability = reading.chain.switching() > 0 ? above : below;
            reading.excess = *reading.probability * reading.gap;
            reading.time = markov::medianTime(reading.chain, wanted.model, wanted.sigma);
          }
        });
        if (job.cancelled()) return {};
        AlongPart& part = channel->slot();
        part.stamp = stamp;
        part.along = std::move(along);
        channel->publish();
        job.published();
        return {};
      });
}

void ChainResults::updatePlaces(const ChainState& state, const std::optional<markov::Chain>& hover,
                                ExhibitContext& context) {
  if (placesChannel_->refresh() && placesChannel_->latest().stamp <= placesStamp_) {
    places_ = placesChannel_->latest();
    placesKnown_ = true;
    placesDone_ = places_.stamp == placesStamp_;
    ++placesRevision_;
  }
  if (idle_) placesDone_ = true;
  PlacesRequest wanted{state.model, state.sigma, {{state.chain.p, state.chain.q}}};
  if (state.showPath) {
    const markov::Chain head = state.path.at(state.head);
    wanted.places.push_back({head.p, head.q});
  }
  if (hover) wanted.places.push_back({hover->p, hover->q});
  if (placesRequest_ == wanted) return;
  placesRequest_ = wanted;
  ++placesStamp_;
  placesDone_ = false;
  // Both probabilities stay while only places change.
  std::optional<std::array<double, 2>> known;
  if (placesKnown_ && places_.request.sameStarts(wanted)) known = {places_.above, places_.below};
  context.jobs.start(kPlacesLane, tr("quantities at p and q"),
                     [wanted, known, stamp = placesStamp_, channel = placesChannel_](JobContext& job) -> Result<void> {
                       const double above = known ? (*known)[0] : probabilityOf(wanted.model, wanted.sigma, true);
                       const double below = known ? (*known)[1] : probabilityOf(wanted.model, wanted.sigma, false);
                       std::vector<std::optional<double>> times;
                       for (const Place& place : wanted.places)
                         times.push_back(markov::medianTime({place.p, place.q}, wanted.model, wanted.sigma));
                       PlacesPart& part = channel->slot();
                       part.stamp = stamp;
                       part.request = wanted;
                       part.above = above;
                       part.below = below;
                       part.times = std::move(times);
                       channel->publish();
                       job.published();
                       return {};
                     });
}

std::optional<double> ChainResults::probability(bool above) const {
  if (!placesKnown_ || !placesRequest_ || !places_.request.sameStarts(*placesRequest_)) return std::nullopt;
  return above ? places_.above : places_.below;
}

ChainReading ChainResults::reading(const markov::Chain& chain) const {
  ChainReading reading = readingAt(chain);
  if (chain.degenerate()) return reading;
  reading.probability = probability(chain.switching() > 0);
  if (reading.probability) reading.excess = *reading.probability * reading.gap;
  if (!reading.probability) return reading;
  for (std::size_t i = 0; i < places_.times.size(); ++i)
    if (places_.request.places[i] == Place{chain.p, chain.q}) reading.time = places_.times[i];
  return reading;
}

}  // namespace sepx::ui
