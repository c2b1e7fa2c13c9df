// SPDX-License-Identifier: Apache-2.0
// Figures 3, S3, S4, S5 and Table 1 of Attention-Structure at the scale of a desktop: how symmetry and directionality
// of W_qk grow in an encoder and a decoder, and what a symmetric start does. The paper trains BERT of 4, 12 and 24
// layers on three texts for 200,000 steps of 256 sequences, from sigma = 0.02; here a model of 2 layers and d = 64
// learns generated text in seconds. Encoder and decoder start with sigma = 0.02 too. A symmetric start is compared at
// sigma = 0.05: raw scores begin with a size that goes with sigma^2 d, which is 0.16 then, between BERT-Mini's 0.10 and
// BERT's 0.31; at 0.02 it is 0.03, and it hardly matters whether W_K = W_Q. What this scale shows is judged (checks()):
// statistics and bounds of our own, on seeds that did not set them. What the paper says stands beside ours
// (observations()), also where it does not come out. A quick run is judged where its encoder has learnt, and compared
// with the paper nowhere. Each run has one thread; several run at once. Workers only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/studies/study.h"
#include "engine/studies/training_study.h"
#include "engine/train/run_config.h"

namespace sepx::studies {

/// Of Attention-Structure.
enum class EmergenceId { Figure3, FigureS3, FigureS4, Table1, FigureS5 };
/// Of Table 1 and Figure S5: a free start beside a symmetric one; the others compare encoder and decoder.
inline bool comparesStarts(EmergenceId id) {
  return id == EmergenceId::Table1 || id == EmergenceId::FigureS5;
}

enum class Trainee { Encoder, Decoder, SymmetricEncoder };  ///< who is trained
const char* toString(Trainee trainee);                      ///< "encoder", "decoder", "symmetric-encoder": in JSON
const char* words(Trainee trainee);                         ///< for people

/// What is learned.
struct EmergenceSource {
  const char* name = "";  ///< "characters"
  const char* what = "";  ///< one line
  bool judged = true;     ///< else what comes out is shown
  data::SourceConfig data;
  int layers = 2;  ///< of the models; from 3 on there are middle layers
};

/// The scores of every layer at one step, with the conventions of the published tables.
struct ScorePoint {
  std::int64_t step = 0;
  std::vector<double> symmetry, directionality, rowColumnCv;          ///< [layers]; rowColumnCv: train/metrics.h
  std::vector<std::vector<double>> headSymmetry, headDirectionality;  ///< [layers][heads]
};

struct EmergenceRun {  ///< one training
  std::size_t source = 0;
  Trainee trainee = Trainee::Encoder;
  std::uint64_t seed = 0;
  std::vector<LossPoint> curve;  ///< validation loss
  std::vector<ScorePoint> scores;
  std::string failure;            ///< why it stopped early; empty: it did not
  double symmetry() const;        ///< median over the layers, at the end
  double directionality() const;  ///< likewise
};

/// Of runs whose loss stays on a plateau first: the first step at which `run` has made a quarter of the way that `free`
/// makes from its loss at a tenth of the steps to its last one; -1: never.
std::int64_t plateauEnd(const EmergenceRun& free, const EmergenceRun& run);
/// In the manner of Table 1: the share of the steps that are left when the symmetric start has reached the last loss of
/// the free one; 0: it never does. The paper says "loss" and the authors' notebook takes the training loss; here it is
/// the validation loss.
double speedUp(const EmergenceRun& free, const EmergenceRun& symmetric);

/// Whether the loss has left its plateau: at the end it is a tenth below that at a tenth of the steps.
bool hasLearnt(const EmergenceRun& run);

/// Of Figure 3 c: means of a score over the layers that belong neither to the first nor to the last third (rounded
/// down, at least one), and over those that do. `middle` is NaN where there are none: fewer than three layers.
struct LayerThirds {
  double middle = 0, outer = 0;
};
LayerThirds thirdsOf(const std::vector<double>& layers);
/// The first step of the curves at which a layer has half of the symmetry that it has at the end; -1: that is below
/// 0.1.
std::int64_t halfSymmetry(const EmergenceRun& run, std::size_t layer);

/// A row of Table 1.
struct PublishedLoss {
  int layers = 0;
  const char* text = "";
  double loss = 0, symmetricLoss = 0;
  double speedUp = 0;  ///< share of the epochs, 0.26 for 26 %
};
std::span<const PublishedLoss> publishedLosses();

struct EmergenceStudy {
  EmergenceId id = EmergenceId::Figure3;
  bool quick = false;
  std::vector<EmergenceSource> sources;
  std::vector<EmergenceRun> runs;  ///< by source, seed, trainee
  /// Steps of the longest run.
  std::int64_t steps() const;
  /// Null: not trained here.
  const EmergenceRun* find(std::size_t source, Trainee trainee, std::uint64_t seed) const;
  std::vector<std::uint64_t> seeds() const;
  /// What is judged: of every seed on the judged sources.
  std::vector<Check> checks() const;
  /// A published observation beside ours each; passed() says whether it came out so.
  std::vector<Check> observations() const;
  bool passed() const { return studies::passed(checks()); }
};

/// Quick: one seed, fewer steps, models of two layers alone.
Result<EmergenceStudy> computeEmergence(EmergenceId id, const Work& work);

}  // namespace sepx::studies
