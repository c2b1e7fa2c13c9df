// SPDX-License-Identifier: Apache-2.0
// The table of experiments. Numbers in the texts were measured with the configs named, seed 0 unless stated otherwise.
#include "ui/exhibits/training/shared/experiments.h"

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

std::vector<Experiment> makeExperiments() {
  return {
      {"encoder-decoder",
       N_("Encoder against decoder"),
       N_("Two transformers read the same text. The attention of the one that predicts masked tokens becomes "
          "symmetric; that of the one that predicts the next token does not."),
       N_("Attention-Structure, section 4: bidirectional training makes W_qk symmetric, autoregressive training makes "
          "a few of its columns heavy. Here both models have 2 layers of width 64 and read generated English, letter "
          "by letter. The symmetry of layer 0 of the encoder rises when its loss leaves the plateau, after about "
          "1,000 steps, to 0.9; that of layer 1 follows after 1,600 steps, to about 0.5. The decoder stays near 0. The "
          "directionality of Definition 3.2 rests on very few rows at this width: the difference of the coefficients "
          "of variation of row and column norms is steadier."),
       ExperimentSketch::Objectives,
       {"small-encoder", "small-decoder"},
       {N_("encoder"), N_("decoder")},
       {"loss", "symmetry", "row_column_cv"},
       false,
       {"lessons/encoder", "lessons/decoder"}},
      {"symmetric-start",
       N_("Symmetric start"),
       N_("An encoder that starts with W_K = W_Q against one that starts as usual: which leaves the plateau first?"),
       N_("Attention-Structure, Table 1 reports that a symmetric start reaches the final loss of the standard start "
          "in fewer epochs. The speed-up is (T − t)/T, in the manner of that table: t is the step at which the "
          "symmetric run first reaches the final loss of the standard run, T the number of steps. The paper says "
          "loss, the authors' notebook takes the training loss, and here it is the validation loss. The published "
          "models have 4 to 24 layers. Here, from sigma = 0.05, the symmetric run leaves the plateau earlier: at step "
          "750 its loss is lower by 0.06 to 0.28 with each of the seeds 0 to 5. At step 2,500 the two starts are "
          "alike, so the speed-up of this setup is near 0 and noisy. From sigma = 0.02 (small-encoder on the page New "
          "run) the symmetric start is a few hundred steps behind with seed 0. In both cases the symmetry first falls "
          "from 1."),
       ExperimentSketch::Starts,
       {"small-encoder-wide-start-symmetric", "small-encoder-wide-start"},
       {N_("symmetric start"), N_("standard start")},
       {"loss", "validation", "symmetry"},
       true},
      {"constraints",
       N_("Constraints on W_qk"),
       N_("A term added to the loss pulls W_qk of the encoder towards a symmetric matrix and that of the decoder "
          "towards a skew one."),
       N_("The term is from the training appendix of an earlier version of Attention-Structure; the model and the "
          "data are from a section that is commented out in its source. The term is 2 gamma/(1 + s) for a symmetric "
          "and 2 gamma/(1 - s) for a skew W_qk, with s the symmetry of the layer. The data are linear sequences, "
          "mirrored; the model is one layer of softmax attention and nothing else. The text gives neither size nor "
          "gamma: both can be changed in the config."),
       ExperimentSketch::Constraints,
       {"linear-attention-mirrored-encoder-symmetric-constraint", "linear-attention-mirrored-decoder-skew-constraint"},
       {N_("encoder, symmetric"), N_("decoder, skew")},
       {"loss", "constraint", "symmetry"},
       false},
      {"linear-attention",
       N_("Mirrored sequences"),
       N_("One layer of attention with skip connections learns to copy mirrored sequences, as encoder and as decoder."),
       N_("Data set two of a section that is commented out in the source of Attention-Structure. The encoder's "
          "symmetry reaches 0.67 with seed 0. The decoder's depends on what the text leaves open: with sinusoidal "
          "positions and jitter it reaches 0.20, with learned positions and no jitter 0.97, since copying can match a "
          "token with itself. So these sequences alone do not separate the two objectives. Nothing is claimed."),
       ExperimentSketch::Linear,
       {"linear-attention-mirrored-encoder", "linear-attention-mirrored-decoder",
        "linear-attention-mirrored-decoder-learned"},
       {N_("encoder"), N_("decoder"), N_("decoder, learned positions")},
       {"loss", "symmetry", "row_column_cv"},
       false},
      {"markov-start",
       N_("What a small start costs"),
       N_("A transformer on a binary Markov chain: from the standard start its loss stops at the unigram entropy, from "
          "the proposed one it reaches the entropy rate."),
       N_("Local-to-Global, Figure 4. The contrast needs a model without layer norms, and SGD, or AdamW with d = 4. "
          "With AdamW and d = 8 the standard start is only a plateau: the loss leaves it after 1,000 to 1,600 steps. "
          "With layer norms both starts reach the entropy rate. Here: SGD, d = 8, no norms, p = 0.5, q = 0.8; two "
          "configs for AdamW with d = 4 are beside them."),
       ExperimentSketch::Entropies,
       {"figure-4-sgd-standard", "figure-4-sgd-proposed", "figure-4-adamw-standard", "figure-4-adamw-proposed"},
       {N_("standard, SGD"), N_("proposed, SGD"), N_("standard, AdamW"), N_("proposed, AdamW")},
       {"loss", "validation", "gradient_norm"},
       false,
       {"lessons/standard-sgd", "lessons/proposed-sgd", "lessons/standard-adamw", "lessons/proposed-adamw"}},
      {"rank-one",
       N_("Rank-one growth"),
       N_("The weights of a one-layer transformer start as noise or as rank-one matrices: the ratio of their two "
          "largest singular values says whether they become or stay rank one."),
       N_("Local-to-Global, Figures 3 and 6, p = 0.2, q = 0.3. With AdamW at 0.001 and sigma = 0.02, which the "
          "released arrays fit, W_1, W_2 and W_O W_V become nearly of rank one within 200 steps: σ₁/σ₂ is 17 or more "
          "at step 800 with each of the seeds 0 to 5. With SGD and sigma = 0.001, as printed (the rate is not; here "
          "0.1), it stays below 2.2, though the loss is learnt. Two crossed settings tell the two differences apart: "
          "with AdamW and sigma = 0.001 the ratio grows too (that of W_O W_V falls again, to no less than 3), with "
          "SGD and sigma = 0.02 it does not. So it is the optimiser with its learning rate, not sigma, that matters "
          "in these runs (sepx reproduce local-to-global-figure-3)."),
       ExperimentSketch::RankOne,
       {"figure-3-released", "figure-6-released"},
       {N_("from noise"), N_("from rank one")},
       {"loss", "sigma_ratio"},
       false},
      {"vision",
       N_("Symmetric start of a ViT"),
       N_("A vision transformer that starts with W_K = W_Q against one that starts as usual, on generated images."),
       N_("Attention-Structure, appendix C and Table 3: on CIFAR-10 and ImageNet-1k the two starts end at nearly the "
          "same loss and accuracy. Those runs take eleven days (CIFAR-10, two cores) or longer. Here a ViT of 4 "
          "layers and d = 64 learns to tell eight generated figures apart, 16 x 16 pixels in patches of 4. With seed "
          "0 the two end at losses of 0.584 and 0.579 (symmetric) and at 79 and 77 % of correct answers; the symmetry "
          "of the symmetric start falls from 1 to 0.56 in layer 0 and to below 0.2 in the others, that of the "
          "standard start stays below 0.15. The configs vit-6-cifar10 and vit-6-cifar10-symmetric have the settings "
          "of the appendix, for the files of CIFAR-10 (docs/vision.md)."),
       ExperimentSketch::Patches,
       {"vit-shapes-symmetric", "vit-shapes"},
       {N_("symmetric start"), N_("standard start")},
       {"loss", "validation", "accuracy", "symmetry"},
       true},
      {"own",
       N_("New run"),
       N_("Every field of a config as a control, from any of the configs that ship with the program."),
       N_("Runs of a config that you changed, or that you opened."),
       ExperimentSketch::Own,
       {},
       {},
       {"loss", "validation", "symmetry"},
       false},
  };
}

ShippedRuns shippedOf(const Experiment& experiment, const Document& document, const std::string& assets) {
  ShippedRuns folders;
  if (document.at("training.shipped") != true) return folders;
  for (const char* const run : experiment.shipped)
    folders.push_back(assets + "/runs/" + run);
  return folders;
}

}  // namespace

std::span<const Experiment> experiments() {
  static const std::vector<Experiment> all = makeExperiments();
  return all;
}

const RaceKind& trainingRaces() {
  static const RaceKind kind{
      .exhibit = "training",
      .experiments = experiments(),
      .page = "curves",
      .own = "own",
      .noRuns = N_("No run is open. Choose an experiment on the page Experiments, or press Start."),
      .shipped = shippedOf,
      .shippedOnRequest = true};
  return kind;
}

}  // namespace sepx::ui
