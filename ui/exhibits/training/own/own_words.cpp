// SPDX-License-Identifier: Apache-2.0
// The label and the explanation of every config field: one entry per field, in the order of docs/training.md.
#include "ui/exhibits/training/own/own_words.h"

#include <algorithm>

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

// clang-format off
constexpr FieldWords kWords[] = {
    {"name", N_("Name"), N_("What the run is called.")},
    {"note", N_("Note"), N_("A remark for the reader, for example where the run differs from a paper.")},
    {"seed", N_("Seed"), N_("The seed of all random numbers: initial weights, masks and dropout. The same seed "
        "gives the same run.")},
    {"model.vocabulary", N_("Vocabulary"), N_("The number of tokens. 0: as many as the data have.")},
    {"model.length", N_("Sequence length"), N_("The number of tokens of a sequence.")},
    {"model.layers", N_("Layers"), N_("The number of transformer blocks.")},
    {"model.d_model", N_("Width"), N_("The width d_model of the residual stream.")},
    {"model.heads", N_("Heads"), N_("The number of attention heads. It divides the width unless the head width "
        "is given.")},
    {"model.kv_heads", N_("Key and value heads"), N_("The number of key and value heads of grouped-query attention; "
        "it divides the number of heads. 0: as many as heads.")},
    {"model.head_dim", N_("Head width"), N_("The width of a head. 0: the width divided by the number of heads.")},
    {"model.d_ff", N_("Feed-forward width"), N_("The width of the feed-forward part. −1: four times the width, "
        "0: there is none.")},
    {"model.input", N_("Input"), N_("A table with one vector per token; for binary chains one vector e that stands "
        "for the bit; for images patches.")},
    {"model.image", N_("Side of an image"), N_("The side of the images that the model reads, in pixels.")},
    {"model.channels", N_("Channels"), N_("The numbers per pixel: 3 for colour, 1 for grey.")},
    {"model.patch", N_("Patch"), N_("The side of a patch, in pixels. The sequence length is the number of patches plus 1.")},
    {"model.output", N_("Output"), N_("Logits from the embedding (tied) or from a matrix of their own (untied).")},
    {"model.causal", N_("Causal"), N_("On: a token sees those before it, as in a decoder. Off: it sees all, as "
        "in an encoder.")},
    {"model.attention", N_("Attention"), N_("The softmax, or the linear mean of (q·k) v over the allowed keys.")},
    {"model.attention_scale", N_("Attention scale"), N_("The factor of q·k. 0: one over the square root of the "
        "head width.")},
    {"model.positions", N_("Positions"), N_("How the model knows the position of a token.")},
    {"model.rope_base", N_("RoPE base"), N_("The base of the angles of rotary positions.")},
    {"model.alibi_slope", N_("ALiBi slope"), N_("The slope of every head. 0: the usual slopes, which decrease from "
        "head to head.")},
    {"model.alibi_signed", N_("ALiBi signed"), N_("On: the bias is proportional to j − i. Off: to its modulus, "
        "with a minus sign.")},
    {"model.residual", N_("Residual stream"), N_("On: the output of a branch is added to its input. Off: it "
        "replaces it.")},
    {"model.norm", N_("Norm"), N_("The normalisation: none, layer norm or RMS norm.")},
    {"model.placement", N_("Placement"), N_("Whether the norm is before a block (pre) or after the sum (post).")},
    {"model.norm_epsilon", N_("Norm epsilon"), N_("The number added to the variance in a norm.")},
    {"model.norm_bias", N_("Norm bias"), N_("Whether a layer norm has a bias.")},
    {"model.embedding_norm", N_("Embedding norm"), N_("A norm right after the embedding, as in BERT.")},
    {"model.final_norm", N_("Final norm"), N_("A norm before the logits.")},
    {"model.activation", N_("Activation"), N_("The activation of the feed-forward part.")},
    {"model.attention_bias", N_("Attention bias"), N_("Biases of W_Q, W_K and W_V.")},
    {"model.projection_bias", N_("Projection bias"), N_("A bias of W_O.")},
    {"model.feed_forward_bias", N_("Feed-forward bias"), N_("Biases of W_1, W_2 and the gate.")},
    {"model.output_bias", N_("Output bias"), N_("A bias of the logits.")},
    {"model.head_transform", N_("Head transform"), N_("One more linear layer with activation and norm before "
        "the logits, as in BERT.")},
    {"model.segments", N_("Segments"), N_("The number of rows of the segment table, whose first row is added "
        "everywhere; BERT has two.")},
    {"model.embedding_dropout", N_("Embedding dropout"), N_("The share of the embedding that is dropped.")},
    {"model.attention_dropout", N_("Attention dropout"), N_("The share of the attention probabilities that is "
        "dropped.")},
    {"model.residual_dropout", N_("Residual dropout"), N_("The share of a block's output that is dropped before it is added.")},
    {"data.kind", N_("Data"), N_("What the sequences are: a binary chain, pairs of letters, two artificial sets, a "
        "text file, generated sentences, or images.")},
    {"data.seed", N_("Seed of the data"), N_("The seed of the sequences. If it is not set, it is the seed of the run.")},
    {"data.order", N_("Order"), N_("The order of the Markov chain.")},
    {"data.p", N_("P(1 after 0)"), N_("The probability p of a 1 after a 0 in a chain of order 1.")},
    {"data.q", N_("P(0 after 1)"), N_("The probability q of a 0 after a 1 in a chain of order 1.")},
    {"data.kernel", N_("Kernel"), N_("The probabilities of a 1 after the last k bits: 2^k numbers separated by "
        "commas; the oldest bit is the most significant.")},
    {"data.jitter", N_("Jitter"), N_("The share of the training tokens that are replaced by others.")},
    {"data.path", N_("Text file or folder"), N_("The file that is read: .txt, .csv or .jsonl, also compressed with "
        "gzip. For images the folder of their files; empty: the default folder.")},
    {"data.field", N_("Column of the text"), N_("The column or member that holds the text of a .csv or .jsonl file.")},
    {"data.validation_share", N_("Validation share"), N_("The share of the text, at its end, that is kept for "
        "validation.")},
    {"data.tokens", N_("Tokens"), N_("What a token is: a byte, a character, or a pair learned from the text.")},
    {"data.vocabulary", N_("Vocabulary of pairs"), N_("The number of tokens that are learned with byte pairs. "
        "0: 1,024.")},
    {"data.sentences", N_("Sentences"), N_("How many sentences the generated English has.")},
    {"data.side", N_("Side of an image"), N_("The side of the generated images, in pixels.")},
    {"data.noise", N_("Noise"), N_("The standard deviation of the noise that is added to every number of the "
        "generated images. Black is −1, white 1.")},
    {"data.crop", N_("Random crop"), N_("In training each image is moved at random by at most this many pixels.")},
    {"data.flip", N_("Random flip"), N_("In training each image is mirrored with probability 1/2.")},
    {"data.mixup", N_("Mixup"), N_("In training two images are blended, with a share drawn from Beta(α, α). 0: never.")},
    {"data.cutmix", N_("Cutmix"), N_("In training a rectangle of one image is put into another; its share is drawn "
        "from Beta(α, α). 0: never.")},
    {"objective.kind", N_("Objective"), N_("What the model predicts: the next token, masked tokens, each token "
        "from all others, all masked tokens at a random share (diffusion), or the class of an image.")},
    {"objective.mask_probability", N_("Mask probability"), N_("The share of the tokens that are masked.")},
    {"objective.plain_mask", N_("Plain mask"), N_("On: every chosen token becomes a mask. Off: 80 % a mask, 10 "
        "% random, 10 % kept.")},
    {"objective.weighted", N_("Weighted"), N_("Whether the loss of masked diffusion is weighted by one over the "
        "share of masked tokens.")},
    {"objective.label_smoothing", N_("Label smoothing"), N_("In training this share of the probability of the right "
        "class is spread over all classes.")},
    {"initial.scheme", N_("Initial weights"), N_("How the weights are drawn before the first step.")},
    {"initial.sigma", N_("Sigma"), N_("The standard deviation of the initial weights.")},
    {"initial.e", N_("Initial e"), N_("The canonical number e of the initial weights.")},
    {"initial.w", N_("Initial w"), N_("The canonical number w of the initial weights.")},
    {"initial.a", N_("Initial a"), N_("The canonical number a of the initial weights. Not 0: attention is linear.")},
    {"initial.b", N_("Initial b"), N_("The canonical number b of the initial weights.")},
    {"initial.reading", N_("Reading"), N_("How the proposed initial weights are read: as the canonical numbers "
        "(e, w) = (0.5, −1), or literally, every entry of the matrices.")},
    {"initial.query_key", N_("Initial W_qk"), N_("Free, symmetric (W_K = W_Q), or skew in every head.")},
    {"initial.norm_bias_start", N_("Initial norm bias"), N_("The initial value of the biases of norms.")},
    {"initial.zero_output", N_("Zero output layer"), N_("On: an untied output layer starts at 0, as in the public "
        "code of RADD.")},
    {"constraint.kind", N_("Constraint"), N_("A term of the loss, by layer, that pulls W_qk towards a symmetric "
        "or a skew matrix.")},
    {"constraint.gamma", N_("Gamma"), N_("The weight of the constraint.")},
    {"optimisation.rule", N_("Optimiser"), N_("The rule by which weights are updated: SGD, Adam or AdamW.")},
    {"optimisation.learning_rate", N_("Learning rate"), N_("The largest learning rate of the schedule.")},
    {"optimisation.momentum", N_("Momentum"), N_("The momentum of SGD.")},
    {"optimisation.nesterov", N_("Nesterov"), N_("Whether SGD uses Nesterov momentum.")},
    {"optimisation.beta1", N_("Beta 1"), N_("The decay of the first moment of Adam.")},
    {"optimisation.beta2", N_("Beta 2"), N_("The decay of the second moment of Adam.")},
    {"optimisation.epsilon", N_("Epsilon"), N_("The number added to the root of the second moment of Adam.")},
    {"optimisation.weight_decay", N_("Weight decay"), N_("How strongly weights are pulled towards 0; with AdamW "
        "separately from the gradient.")},
    {"optimisation.decay", N_("Decay of the rate"), N_("Whether the learning rate stays constant, or falls linearly "
        "or as a cosine to its floor at the last step.")},
    {"optimisation.warm_up", N_("Warm-up"), N_("The number of steps in which the learning rate rises to its peak.")},
    {"optimisation.warm_up_start", N_("Start of the warm-up"), N_("The share of the peak at which the learning rate "
        "begins to rise.")},
    {"optimisation.floor", N_("Floor"), N_("The learning rate at the end of the decay.")},
    {"optimisation.clip", N_("Gradient clipping"), N_("The largest norm of the whole gradient. 0: it is not "
        "clipped.")},
    {"optimisation.accumulate", N_("Accumulation"), N_("The number of batches whose mean gradient makes a step.")},
    {"optimisation.decay_matrices_only", N_("Decay of matrices only"), N_("On: biases and norms have no weight "
        "decay.")},
    {"optimisation.frozen", N_("Frozen"), N_("Parameters that are not trained: names, or the groups embedding, "
        "positions, queries, keys, values, projections, feed_forward, norms, output, storage and routing.")},
    {"optimisation.ema", N_("Averaged parameters"), N_("The decay of a running average of the parameters. 0: "
        "there is none.")},
    {"optimisation.ema_every", N_("Average every"), N_("Steps between two updates of the averaged parameters.")},
    {"schedule.steps", N_("Steps"), N_("The number of steps of the run.")},
    {"schedule.batch", N_("Batch"), N_("The number of sequences of a batch.")},
    {"schedule.record_every", N_("Loss every"), N_("Steps between two recorded losses.")},
    {"schedule.evaluate_every", N_("Validation every"), N_("Steps between two validations. 0: never.")},
    {"schedule.evaluate_sequences", N_("Validation sequences"), N_("The number of sequences of a validation; they are "
        "always the same.")},
    {"schedule.scores_every", N_("Scores every"), N_("Steps between two measurements of symmetry and "
        "directionality. 0: never.")},
    {"schedule.gradients_every", N_("Gradients every"), N_("Steps between two measurements of the gradient "
        "norms of single parameters. 0: never.")},
    {"schedule.spectra_every", N_("Singular values every"), N_("Steps between two measurements of singular "
        "values. 0: never.")},
    {"schedule.watch", N_("Watched parameters"), N_("Names of the parameters whose singular values are "
        "measured, separated by commas. Empty: the matrices of layer 0.")},
    {"schedule.film_every", N_("Matrices every"), N_("Steps between two stored copies of W_Q and W_K. The slider "
        "shows these copies. 0 in a run of the window whose matrices are small: as often as the scores. 0 in any other run: never.")},
    {"schedule.save_every", N_("Checkpoint every"), N_("Steps between two checkpoints; start and end are always "
        "saved. 0: only those.")},
    {"schedule.save_seconds", N_("Checkpoint after"), N_("Seconds after which a checkpoint is saved in any "
        "case; the next one replaces it. 0: never.")},
    {"schedule.keep", N_("Checkpoints kept"), N_("The number of newest checkpoints that are kept. 0: all.")},
    {"schedule.stop_patience", N_("Stop: patience"), N_("The run has converged, and ends, when its loss has not "
        "improved for this many steps. 0: it continues to its last step.")},
    {"schedule.stop_improvement", N_("Stop: improvement"), N_("By how many nats a loss must be below the previous "
        "best one to count as an improvement.")},
    {"schedule.stop_loss", N_("Stop: loss"), N_("The loss that must improve: the validation loss, or the mean of the "
        "training losses over as many steps as the patience.")},
    {"schedule.stop_factor", N_("Stop: divergence"), N_("The run has diverged, and ends, when a recorded loss is "
        "above this many times its first one. 0: only when it is NaN or infinite.")},
};
// clang-format on

}  // namespace

const FieldWords* wordsOf(std::string_view place) {
  const auto found =
      std::find_if(std::begin(kWords), std::end(kWords), [place](const FieldWords& one) { return one.place == place; });
  return found == std::end(kWords) ? nullptr : &*found;
}

}  // namespace sepx::ui
