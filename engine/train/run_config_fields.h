// SPDX-License-Identifier: Apache-2.0
// The single table of the fields of a run's config: name, member, and range or allowed words, one line per field.
// Reading, writing and the list of valid names all use it. A visitor has
//   section(name) ... end()        opens and closes a nested object; fields before the first one are at top level
//   field(name, member)            string, Boolean, or list of strings
//   field(name, member, Range)     number(s) inside the range
//   field(name, member, words)     an enumeration: word i names value i
// Internal to engine/train; any thread.
#pragma once

#include <array>
#include <limits>
#include <string_view>

#include "engine/data/markov.h"
#include "engine/train/run_config.h"

namespace sepx::train {

struct Range {  ///< of a number, ends included
  double least = 0, most = 0;
};
inline constexpr double kAny = std::numeric_limits<double>::max();  ///< no upper end
inline constexpr Range kCount{0, 1e15};                             ///< number of steps; 0 has a special meaning
inline constexpr Range kProbability{0, 1};                          ///< both ends included
inline constexpr Range kNotNegative{0, kAny};                       ///< finite
inline constexpr Range kSeed{0, 18446744073709549568.0};            ///< the largest double below 2^64

template <std::size_t N>
using Words = std::array<std::string_view, N>;  ///< names of the values of an enumeration, in its order

inline constexpr Words<3> kInputs{"table", "bit", "patches"};                            ///< of Input
inline constexpr Words<2> kOutputs{"tied", "untied"};                                    ///< of Output
inline constexpr Words<2> kAttentions{"softmax", "linear"};                              ///< of AttentionKind
inline constexpr Words<5> kPositions{"none", "learned", "sinusoidal", "rope", "alibi"};  ///< of Positions
inline constexpr Words<3> kNorms{"none", "layer", "rms"};                                ///< of Norm
inline constexpr Words<2> kPlacements{"pre", "post"};                                    ///< of Placement
inline constexpr Words<4> kActivations{"relu", "gelu_erf", "gelu_tanh", "swiglu"};       ///< of Activation
/// Of SourceKind.
inline constexpr Words<10> kSources{"markov",  "pairs",  "repeats", "mirrored", "text",
                                    "english", "shapes", "cifar10", "idx",      "imagenet"};
inline constexpr Words<3> kTokens{"bytes", "characters", "byte_pairs"};  ///< of Tokens
/// Of InitialScheme.
inline constexpr Words<9> kSchemes{"gaussian",  "gpt2",     "bert",   "uniform", "rank_one",
                                   "canonical", "proposed", "bigram", "unigram"};
inline constexpr Words<2> kReadings{"scalars", "literal"};            ///< of ProposedReading
inline constexpr Words<3> kQueryKeys{"free", "symmetric", "skew"};    ///< of QueryKeyStart
inline constexpr Words<3> kConstraints{"none", "symmetric", "skew"};  ///< of ConstraintKind
inline constexpr Words<3> kRules{"sgd", "adam", "adamw"};             ///< of Rule
inline constexpr Words<3> kDecays{"constant", "linear", "cosine"};    ///< of Decay
inline constexpr Words<2> kStopLosses{"validation", "training"};      ///< of StopLoss

template <class Visitor, class Model>
void visitModel(Visitor& to, Model& model) {  ///< each field of "model"
  to.section("model");
  to.field("vocabulary", model.vocabulary, Range{0, 1 << 24});
  to.field("length", model.length, Range{1, 1 << 20});
  to.field("layers", model.layers, Range{1, 1000});
  to.field("d_model", model.d_model, Range{1, 1 << 16});
  to.field("heads", model.heads, Range{1, 4096});
  to.field("kv_heads", model.kvHeads, Range{0, 4096});
  to.field("head_dim", model.headDim, Range{0, 1 << 16});
  to.field("d_ff", model.d_ff, Range{-1, 1 << 20});
  to.field("input", model.input, kInputs);
  to.field("image", model.image, Range{1, 4096});
  to.field("channels", model.channels, Range{1, 64});
  to.field("patch", model.patch, Range{1, 4096});
  to.field("output", model.output, kOutputs);
  to.field("causal", model.causal);
  to.field("attention", model.attention, kAttentions);
  to.field("attention_scale", model.attentionScale, kNotNegative);
  to.field("positions", model.positions, kPositions);
  to.field("rope_base", model.ropeBase, Range{1, kAny});
  to.field("alibi_slope", model.alibiSlope, kNotNegative);
  to.field("alibi_signed", model.alibiSigned);
  to.field("residual", model.residual);
  to.field("norm", model.norm, kNorms);
  to.field("placement", model.placement, kPlacements);
  to.field("norm_epsilon", model.normEpsilon, Range{1e-30, 1});
  to.field("norm_bias", model.normBias);
  to.field("embedding_norm", model.embeddingNorm);
  to.field("final_norm", model.finalNorm);
  to.field("activation", model.activation, kActivations);
  to.field("attention_bias", model.attentionBias);
  to.field("projection_bias", model.projectionBias);
  to.field("feed_forward_bias", model.feedForwardBias);
  to.field("output_bias", model.outputBias);
  to.field("head_transform", model.headTransform);
  to.field("segments", model.segments, Range{0, 1024});
  to.field("embedding_dropout", model.embeddingDropout, Range{0, 0.99});
  to.field("attention_dropout", model.attentionDropout, Range{0, 0.99});
  to.field("residual_dropout", model.residualDropout, Range{0, 0.99});
  to.end();
}

template <class Visitor, class Data>
void visitData(Visitor& to, Data& data) {  ///< each field of "data"
  to.section("data");
  to.field("kind", data.kind, kSources);
  to.field("seed", data.seed, kSeed);
  to.field("order", data.order, Range{1, data::kMostOrder});
  to.field("p", data.p, kProbability);
  to.field("q", data.q, kProbability);
  to.field("kernel", data.kernel, kProbability);
  to.field("jitter", data.jitter, kProbability);
  to.field("path", data.path);
  to.field("field", data.field);
  to.field("validation_share", data.validationShare, Range{0, 0.9});
  to.field("tokens", data.tokens, kTokens);
  to.field("vocabulary", data.vocabulary, Range{0, 1 << 20});
  to.field("sentences", data.sentences, Range{1, 1e9});
  to.field("side", data.side, Range{8, 256});
  to.field("noise", data.noise, Range{0, 10});
  to.field("crop", data.augmentation.crop, Range{0, 128});
  to.field("flip", data.augmentation.flip);
  to.field("mixup", data.augmentation.mixup, Range{0, 100});
  to.field("cutmix", data.augmentation.cutmix, Range{0, 100});
  to.end();
}

template <class Visitor, class Config>
void visitStart(Visitor& to, Config& config) {  ///< each field of "objective", "initial" and "constraint"
  to.section("objective");
  to.field("kind", config.objective.kind, nn::objectiveWords());
  to.field("mask_probability", config.objective.maskProbability, kProbability);
  to.field("plain_mask", config.objective.plainMask);
  to.field("weighted", config.objective.weighted);
  to.field("label_smoothing", config.objective.labelSmoothing, Range{0, 0.999});
  to.end();
  to.section("initial");
  to.field("scheme", config.initial.scheme, kSchemes);
  to.field("sigma", config.initial.sigma, kNotNegative);
  to.field("e", config.initial.e, Range{-1e6, 1e6});
  to.field("w", config.initial.w, Range{-1e6, 1e6});
  to.field("a", config.initial.a, Range{-1e6, 1e6});
  to.field("b", config.initial.b, Range{-1e6, 1e6});
  to.field("reading", config.initial.reading, kReadings);
  to.field("query_key", config.initial.queryKey, kQueryKeys);
  to.field("norm_bias_start", config.initial.normBiasStart, Range{-1e6, 1e6});
  to.field("zero_output", config.initial.zeroOutput);
  to.end();
  to.section("constraint");
  to.field("kind", config.constraint.kind, kConstraints);
  to.field("gamma", config.constraint.gamma, kNotNegative);
  to.end();
}

template <class Visitor, class Optimising>
void visitOptimisation(Visitor& to, Optimising& optimisation) {  ///< each field of "optimisation"
  to.section("optimisation");
  to.field("rule", optimisation.rule.rule, kRules);
  to.field("learning_rate", optimisation.rule.learningRate, kNotNegative);
  to.field("momentum", optimisation.rule.momentum, Range{0, 0.999999999});
  to.field("nesterov", optimisation.rule.nesterov);
  to.field("beta1", optimisation.rule.beta1, Range{0, 0.999999999});
  to.field("beta2", optimisation.rule.beta2, Range{0, 0.999999999});
  to.field("epsilon", optimisation.rule.epsilon, Range{1e-30, 1});
  to.field("weight_decay", optimisation.rule.weightDecay, kNotNegative);
  to.field("decay", optimisation.decay, kDecays);
  to.field("warm_up", optimisation.warmUp, kCount);
  to.field("warm_up_start", optimisation.warmUpStart, kProbability);
  to.field("floor", optimisation.floor, kNotNegative);
  to.field("clip", optimisation.clip, kNotNegative);
  to.field("accumulate", optimisation.accumulate, Range{1, 1 << 20});
  to.field("decay_matrices_only", optimisation.decayMatricesOnly);
  to.field("frozen", optimisation.frozen);
  to.field("ema", optimisation.ema, Range{0, 0.999999999});
  to.field("ema_every", optimisation.emaEvery, Range{1, 1 << 20});
  to.end();
}

template <class Visitor, class Steps>
void visitSchedule(Visitor& to, Steps& schedule) {  ///< each field of "schedule"
  to.section("schedule");
  to.field("steps", schedule.steps, kCount);
  to.field("batch", schedule.batch, Range{1, 1 << 24});
  to.field("record_every", schedule.recordEvery, Range{1, 1e15});
  to.field("evaluate_every", schedule.evaluateEvery, kCount);
  to.field("evaluate_sequences", schedule.evaluateSequences, Range{1, 1 << 24});
  to.field("scores_every", schedule.scoresEvery, kCount);
  to.field("gradients_every", schedule.gradientsEvery, kCount);
  to.field("spectra_every", schedule.spectraEvery, kCount);
  to.field("film_every", schedule.storeEvery, kCount);
  to.field("watch", schedule.watch);
  to.field("save_every", schedule.saveEvery, kCount);
  to.field("save_seconds", schedule.saveSeconds, kCount);
  to.field("keep", schedule.keep, Range{0, 1 << 30});
  to.field("stop_patience", schedule.stopPatience, kCount);
  to.field("stop_improvement", schedule.stopImprovement, kNotNegative);
  to.field("stop_loss", schedule.stopLoss, kStopLosses);
  to.field("stop_factor", schedule.stopFactor, kNotNegative);
  to.end();
}

/// All fields, in the order of the file.
template <class Visitor, class Config>
void visitRun(Visitor& to, Config& config) {
  to.field("name", config.name);
  to.field("note", config.note);
  to.field("seed", config.seed, kSeed);
  visitModel(to, config.model);
  visitData(to, config.data);
  visitStart(to, config);
  visitOptimisation(to, config.optimisation);
  visitSchedule(to, config.schedule);
}

}  // namespace sepx::train
