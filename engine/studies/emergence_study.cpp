// SPDX-License-Identifier: Apache-2.0
// All runs of a figure or table of Attention-Structure, and how they are judged.
#include "engine/studies/emergence_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/attention/scores.h"
#include "engine/core/try.h"
#include "engine/studies/emergence_run.h"
#include "engine/studies/run_all.h"

namespace sepx::studies {
namespace {

constexpr int kCurvePoints = 50;
constexpr double kNever = std::numeric_limits<double>::quiet_NaN();
constexpr double kNoSymmetry = 0.1;  // |s| below this counts as no symmetry, also in judged checks
constexpr const char* kStillOnPlateau = N_("the quick run of the encoder has not left its plateau");
constexpr const char* kStoppedEarly = N_("a quick run stops before it has settled");

std::vector<Trainee> traineesOf(EmergenceId id) {
  if (comparesStarts(id)) return {Trainee::Encoder, Trainee::SymmetricEncoder};
  return {Trainee::Encoder, Trainee::Decoder};
}

/// Relative cost of a run. Byte pairs have an output layer with ten times as many tokens as characters.
double costOf(const EmergenceSource& source) {
  return (source.data.vocabulary > 0 ? 2 : 1) * source.layers / 2.0;
}

double medianOf(const std::vector<double>& values) {
  return attention::quartiles(values).median;
}

const ScorePoint& last(const EmergenceRun& run) {
  return run.scores.back();
}

/// Least median over the layers during training.
double leastSymmetry(const EmergenceRun& run) {
  double least = std::numeric_limits<double>::infinity();
  for (const ScorePoint& point : run.scores)
    least = std::min(least, medianOf(point.symmetry));
  return least;
}

/// Largest absolute median over the layers during training.
double mostMedian(const EmergenceRun& run) {
  double most = 0;
  for (const ScorePoint& point : run.scores)
    most = std::max(most, std::abs(medianOf(point.symmetry)));
  return most;
}

/// A free encoder and the run it is compared with, of the same source and seed.
struct Pairing {
  const EmergenceSource* source = nullptr;
  std::uint64_t seed = 0;
  const EmergenceRun *free = nullptr, *other = nullptr;
  bool whole() const { return free != nullptr && other != nullptr && free->failure.empty() && other->failure.empty(); }
};

std::vector<Pairing> pairingsOf(const EmergenceStudy& study) {
  const Trainee other = traineesOf(study.id)[1];
  std::vector<Pairing> pairings;
  for (std::size_t s = 0; s < study.sources.size(); ++s)
    for (const std::uint64_t seed : study.seeds())
      pairings.push_back({&study.sources[s], seed, study.find(s, Trainee::Encoder, seed), study.find(s, other, seed)});
  return pairings;
}

/// Adds checks of a pairing, with the reason why they are not judged, if there is one.
class Judge {
 public:
  Judge(const Pairing& of, const char* notJudged, std::vector<Check>& into)
      : of_(of), notJudged_(notJudged), into_(into) {}
  void add(const char* what, double value, const char* relation, double bound, const char* published = "") {
    into_.push_back({0, 0, what, 1, of_.whole() ? value : kNever, relation, bound, notJudged_,
                     sentence(N_("{}, seed {}"), of_.source->name, of_.seed), published});
  }

 private:
  const Pairing& of_;
  const char* notJudged_;
  std::vector<Check>& into_;
};

/// Loss at a tenth of the steps.
double plateauLoss(const EmergenceRun& run) {
  double plateau = run.curve.front().loss;
  for (const LossPoint& point : run.curve)
    if (10 * point.step <= run.curve.back().step) plateau = point.loss;
  return plateau;
}

void judgeObjectives(const Pairing& pairing, EmergenceId id, Judge judge) {
  const ScorePoint &encoder = last(*pairing.free), &decoder = last(*pairing.other);
  if (id == EmergenceId::FigureS3) {
    judge.add(N_("median symmetry of the encoder minus that of the decoder"),
              pairing.free->symmetry() - pairing.other->symmetry(), ">=", 0.3);
    return;
  }
  judge.add(N_("symmetry of the encoder's first layer"), encoder.symmetry[0], ">=", 0.5);
  judge.add(N_("absolute symmetry of the decoder's first layer"), std::abs(decoder.symmetry[0]), "<", kNoSymmetry);
  judge.add(N_("CV of rows minus CV of columns, first layer: decoder minus encoder"),
            decoder.rowColumnCv[0] - encoder.rowColumnCv[0], "<=", -0.3);
}

void judgeStarts(const Pairing& pairing, EmergenceId id, Judge judge) {
  if (id == EmergenceId::Table1) {
    const std::int64_t free = plateauEnd(*pairing.free, *pairing.free),
                       symmetric = plateauEnd(*pairing.free, *pairing.other);
    judge.add(N_("step at which the symmetric start leaves its plateau, minus that of the free start"),
              free < 0 || symmetric < 0 ? kNever : static_cast<double>(symmetric - free), "<=", 0);
    return;
  }
  const double least = leastSymmetry(*pairing.other);
  judge.add(N_("minimum symmetry after a symmetric start, where it is 1 at step 0"), least, "<", 0.75);
  judge.add(N_("symmetry at the end minus its minimum"), pairing.other->symmetry() - least, ">=", 0.1);
}

/// What the paper says about medians [Figures 3 a, b; S3].
void observeMedians(const Pairing& pairing, Judge judge) {
  const EmergenceRun &encoder = *pairing.free, &decoder = *pairing.other;
  judge.add(N_("median symmetry, encoder minus decoder"), encoder.symmetry() - decoder.symmetry(), ">=", 0,
            N_("above 0"));
  judge.add(N_("median directionality, decoder minus encoder"), decoder.directionality() - encoder.directionality(),
            "<", 0, N_("below 0"));
}

/// What the paper says about the encoder's layers [Figures 3 c; S4].
void observeEncoder(const Pairing& pairing, Judge judge) {
  const EmergenceRun& encoder = *pairing.free;
  const std::vector<double>& symmetry = last(encoder).symmetry;
  judge.add(N_("symmetry of the encoder, last layer minus first"), symmetry.back() - symmetry.front(), ">=", 0,
            N_("above 0"));
  const std::int64_t late = halfSymmetry(encoder, symmetry.size() - 1), early = halfSymmetry(encoder, 0);
  judge.add(N_("step at half of the final symmetry, the encoder's last layer minus its first"),
            late < 0 || early < 0 ? kNever : static_cast<double>(late - early), "<", 0, N_("below 0"));
}

/// What the paper says about the decoder's layers, at the end and during training [Figures 3 c, d; S4]. Directionality
/// has the sign of the tables: a stronger one is further below 0.
void observeDecoder(const Pairing& pairing, Judge judge) {
  const EmergenceRun &encoder = *pairing.free, &decoder = *pairing.other;
  const std::vector<double>&symmetry = last(decoder).symmetry, &directionality = last(decoder).directionality;
  judge.add(N_("absolute median symmetry of the decoder, largest over training"), mostMedian(decoder), "<", kNoSymmetry,
            N_("near 0"));
  judge.add(N_("median directionality of the decoder, end minus start"),
            decoder.directionality() - medianOf(decoder.scores.front().directionality), "<", 0, N_("below 0"));
  judge.add(N_("directionality of the decoder, last layer minus first"), directionality.back() - directionality.front(),
            "<", 0, N_("below 0"));
  judge.add(N_("directionality of the encoder, last layer minus first"),
            last(encoder).directionality.back() - last(encoder).directionality.front(), "<", 0, N_("below 0"));
  judge.add(N_("directionality of the last layer, decoder minus encoder"),
            directionality.back() - last(encoder).directionality.back(), "<", 0, N_("below 0"));
  const LayerThirds thirds = thirdsOf(symmetry);
  if (!std::isfinite(thirds.middle)) return;  // fewer than three layers
  judge.add(N_("symmetry of the decoder's middle layers, mean"), thirds.middle, "<", 0, N_("below 0"));
  judge.add(N_("symmetry of the decoder, middle layers minus the others"), thirds.middle - thirds.outer, "<", 0,
            N_("below 0"));
}

void observeStarts(const Pairing& pairing, Judge judge) {
  judge.add(N_("loss at the end, symmetric start minus free start"),
            pairing.other->curve.back().loss - pairing.free->curve.back().loss, "<", 0,
            N_("below 0 in eight of nine models"));
  judge.add(N_("symmetry at the end, symmetric start minus free start"),
            pairing.other->symmetry() - pairing.free->symmetry(), ">=", 0, N_("above 0"));
}

}  // namespace

const char* toString(Trainee trainee) {
  switch (trainee) {
    case Trainee::Encoder:
      return "encoder";
    case Trainee::Decoder:
      return "decoder";
    default:
      return "symmetric-encoder";
  }
}

const char* words(Trainee trainee) {
  switch (trainee) {
    case Trainee::Encoder:
      return N_("encoder");
    case Trainee::Decoder:
      return N_("decoder");
    default:
      return N_("encoder, symmetric start");
  }
}

double EmergenceRun::symmetry() const {
  return medianOf(scores.back().symmetry);
}

double EmergenceRun::directionality() const {
  return medianOf(scores.back().directionality);
}

std::int64_t plateauEnd(const EmergenceRun& free, const EmergenceRun& run) {
  const std::int64_t steps = free.curve.back().step;
  const double plateau = plateauLoss(free);
  const double level = plateau + 0.25 * (free.curve.back().loss - plateau);
  for (const LossPoint& point : run.curve)
    if (10 * point.step > steps && point.loss <= level) return point.step;
  return -1;
}

LayerThirds thirdsOf(const std::vector<double>& layers) {
  const std::size_t third = std::max<std::size_t>(1, layers.size() / 3);
  LayerThirds sums;
  double middle = 0, outer = 0;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const bool inside = layer >= third && layer + third < layers.size();
    (inside ? sums.middle : sums.outer) += layers[layer];
    (inside ? middle : outer) += 1;
  }
  return {middle > 0 ? sums.middle / middle : kNever, sums.outer / outer};
}

std::int64_t halfSymmetry(const EmergenceRun& run, std::size_t layer) {
  const double end = last(run).symmetry[layer];
  for (const ScorePoint& point : run.scores)
    if (end >= kNoSymmetry && point.symmetry[layer] >= end / 2) return point.step;
  return -1;
}

bool hasLearnt(const EmergenceRun& run) {
  return run.curve.back().loss <= 0.9 * plateauLoss(run);
}

double speedUp(const EmergenceRun& free, const EmergenceRun& symmetric) {
  const double steps = static_cast<double>(free.curve.back().step), level = free.curve.back().loss;
  for (const LossPoint& point : symmetric.curve)
    if (point.loss <= level) return std::max(0.0, 1 - static_cast<double>(point.step) / steps);
  return 0;
}

std::span<const PublishedLoss> publishedLosses() {
  static constexpr std::array<PublishedLoss, 9> kRows{{{4, "Jigsaw", 2.782, 2.758, 0.26},
                                                       {4, "Wikipedia", 0.984, 0.812, 0.73},
                                                       {4, "Red Pajama", 1.106, 0.907, 0.69},
                                                       {12, "Jigsaw", 1.419, 1.430, 0},
                                                       {12, "Wikipedia", 0.256, 0.247, 0.20},
                                                       {12, "Red Pajama", 0.297, 0.274, 0.35},
                                                       {24, "Jigsaw", 0.786, 0.739, 0.14},
                                                       {24, "Wikipedia", 0.192, 0.166, 0.44},
                                                       {24, "Red Pajama", 0.209, 0.189, 0.34}}};
  return kRows;
}

const EmergenceRun* EmergenceStudy::find(std::size_t source, Trainee trainee, std::uint64_t seed) const {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const EmergenceRun& run) {
    return run.source == source && run.trainee == trainee && run.seed == seed;
  });
  return found == runs.end() ? nullptr : &*found;
}

std::int64_t EmergenceStudy::steps() const {
  std::int64_t most = 0;
  for (const EmergenceRun& run : runs)
    most = std::max(most, run.curve.back().step);
  return most;
}

std::vector<std::uint64_t> EmergenceStudy::seeds() const {
  std::vector<std::uint64_t> seeds;
  for (const EmergenceRun& run : runs)
    if (std::find(seeds.begin(), seeds.end(), run.seed) == seeds.end()) seeds.push_back(run.seed);
  return seeds;
}

std::vector<Check> EmergenceStudy::checks() const {
  std::vector<Check> all;
  for (const Pairing& pairing : pairingsOf(*this)) {
    if (!pairing.source->judged || pairing.free == nullptr || pairing.other == nullptr) continue;
    const bool plateau = quick && pairing.whole() && !hasLearnt(*pairing.free);
    const Judge judge(pairing, plateau ? kStillOnPlateau : notJudgedSeed(pairing.seed), all);
    if (comparesStarts(id))
      judgeStarts(pairing, id, judge);
    else
      judgeObjectives(pairing, id, judge);
  }
  return all;
}

std::vector<Check> EmergenceStudy::observations() const {
  std::vector<Check> all;
  for (const Pairing& pairing : pairingsOf(*this)) {
    if (pairing.free == nullptr || pairing.other == nullptr) continue;
    const Judge judge(pairing, quick ? kStoppedEarly : nullptr, all);
    if (comparesStarts(id))
      observeStarts(pairing, judge);
    else
      observeMedians(pairing, judge);
    if (id != EmergenceId::Figure3 && id != EmergenceId::FigureS4) continue;
    observeEncoder(pairing, judge);
    observeDecoder(pairing, judge);
  }
  return all;
}

Result<EmergenceStudy> computeEmergence(EmergenceId id, const Work& work) {
  EmergenceStudy study;
  study.id = id;
  study.quick = work.quick;
  study.sources = emergenceSources(id);
  if (work.quick) std::erase_if(study.sources, [](const EmergenceSource& source) { return source.layers > 2; });
  std::vector<double> costs;
  for (std::size_t s = 0; s < study.sources.size(); ++s)
    for (std::uint64_t seed = work.seed; seed < work.seed + (work.quick ? 1 : 3); ++seed)
      for (const Trainee trainee : traineesOf(id)) {
        EmergenceRun& run = study.runs.emplace_back();
        run.source = s;
        run.trainee = trainee;
        run.seed = seed;
        costs.push_back(costOf(study.sources[s]));
      }
  SEPX_TRY(runAll(work, costs, [&](std::size_t i, const std::function<void(double)>& made) -> Result<void> {
    EmergenceRun& run = study.runs[i];
    const EmergenceSource& source = study.sources[run.source];
    const std::int64_t quick = comparesStarts(id) ? 1000 : 2000;
    const std::int64_t steps = !work.quick ? 2500 : source.judged ? quick : quick / 2;
    auto followed = followEmergence(emergenceConfig(source, run.trainee, run.seed, steps, emergenceSigma(id)),
                                    kCurvePoints, made, work.cancelled);
    if (!followed) return tl::unexpected(followed.error());
    followed->source = run.source;
    followed->trainee = run.trainee;
    run = std::move(*followed);
    return {};
  }));
  return study;
}

}  // namespace sepx::studies
