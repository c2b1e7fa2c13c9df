// SPDX-License-Identifier: Apache-2.0
// Figures 3, S3, S4, S5 and Table 1 of Attention-Structure at the scale of a desktop: how symmetry and directionality
// of W_qk grow in an encoder and a decoder, and the effect of a symmetric initialisation. The paper trains BERT of 4,
// 12 and 24 layers on three texts for 200,000 steps of 256 sequences, from sigma = 0.02; here a model of 2 layers and d
// = 64 learns generated text in seconds. Encoder and decoder are compared at sigma = 0.02 too. A symmetric
// initialisation is compared at sigma = 0.05. The initial size of raw scores is proportional to sigma^2 d, which is
// then 0.16, between BERT-Mini's 0.10 and BERT's 0.31; at sigma = 0.02 it is 0.03, and W_K = W_Q has hardly any effect.
// checks() judges what this scale shows, with our own statistics and bounds, on seeds that were not used to set them.
// observations() compares the statements of the paper, also those that do not hold here. A quick run is judged if its
// encoder has learnt, and is never compared with the paper. Each run has one thread; several run at once. Worker
// threads only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/studies/study.h"
#include "engine/studies/training_study.h"
#include "engine/train/run_config.h"

namespace sepx::studies {

/// The figures and the table of Attention-Structure.
enum class EmergenceId { Figure3, FigureS3, FigureS4, Table1, FigureS5 };
/// Table 1 and Figure S5 compare a free with a symmetric initialisation, the others an encoder with a decoder.
inline bool comparesStarts(EmergenceId id) {
  return id == EmergenceId::Table1 || id == EmergenceId::FigureS5;
}

enum class Trainee { Encoder, Decoder, SymmetricEncoder };  ///< the model that is trained
const char* toString(Trainee trainee);                      ///< "encoder", "decoder", "symmetric-encoder": in JSON
const char* words(Trainee trainee);                         ///< for text output

/// The data that a model learns.
struct EmergenceSource {
  const char* name = "";  ///< "characters"
  const char* what = "";  ///< one line
  bool judged = true;     ///< false: the outcome is only shown
  data::SourceConfig data;
  int layers = 2;  ///< layers of the models; with 3 or more there are middle layers
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

/// The end of the initial plateau of the loss: the first step at which `run` reaches the level that lies a quarter of
/// the way from the loss of `free` at a tenth of the steps to its last loss; -1: never.
std::int64_t plateauEnd(const EmergenceRun& free, const EmergenceRun& run);
/// As in Table 1: the share of the steps that remain when the symmetric run reaches the last loss of the free run; 0 if
/// it never does. The paper says "loss", the authors' notebook takes the training loss, and here it is the validation
/// loss.
double speedUp(const EmergenceRun& free, const EmergenceRun& symmetric);

/// Whether the loss has left its plateau: at the end it is at least a tenth below its value at a tenth of the steps.
bool hasLearnt(const EmergenceRun& run);

/// For Figure 3 c: means of a score over the layers that belong neither to the first nor to the last third (rounded
/// down, at least one), and over those that do. `middle` is NaN if there are fewer than three layers.
struct LayerThirds {
  double middle = 0, outer = 0;
};
LayerThirds thirdsOf(const std::vector<double>& layers);
/// The first step of the curves at which a layer has half of its final symmetry; -1 if that is below 0.1.
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
  /// The run; null if it was not trained.
  const EmergenceRun* find(std::size_t source, Trainee trainee, std::uint64_t seed) const;
  std::vector<std::uint64_t> seeds() const;
  /// The checks of every seed on the judged sources.
  std::vector<Check> checks() const;
  /// One check per published observation; passed() says whether it holds here.
  std::vector<Check> observations() const;
  bool passed() const { return studies::passed(checks()); }
};

/// Quick: one seed, fewer steps, only models of two layers.
Result<EmergenceStudy> computeEmergence(EmergenceId id, const Work& work);

}  // namespace sepx::studies
