// SPDX-License-Identifier: Apache-2.0
// See own_presets.h.
#include "ui/exhibits/training/own/own_presets.h"

#include <algorithm>

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

// clang-format off
constexpr OwnPreset kSmall[] = {
    {"small-encoder", N_("Small encoder"),
     N_("2 layers of width 64 on generated English, masked tokens: minutes on a CPU.")},
    {"small-decoder", N_("Small decoder"),
     N_("2 layers of width 64 on generated English, next token: minutes on a CPU.")},
    {"small-encoder-symmetric", N_("Small encoder, symmetric start"),
     N_("W_K = W_Q at the start.")},
    {"small-encoder-wide-start", N_("Small encoder, larger start"),
     N_("The small encoder with a larger σ.")},
    {"small-encoder-wide-start-symmetric", N_("Small encoder, larger symmetric start"),
     N_("W_K = W_Q with a larger σ.")},
    {"model-encoder", N_("The shipped encoder"),
     N_("How the encoder that ships with the program was trained: 4 layers, by words.")},
    {"model-decoder", N_("The shipped decoder"),
     N_("How the decoder that ships with the program was trained: 4 layers, by words.")},
};
constexpr OwnPreset kLocal[] = {
    {"local-to-global-table-2-d4", N_("Table 2, d = 4"),
     N_("A one-layer transformer of width 4 on a binary chain, as in Table 2.")},
    {"local-to-global-table-2-d8", N_("Table 2, d = 8"),
     N_("The same of width 8.")},
    {"local-to-global-table-2-d16", N_("Table 2, d = 16"),
     N_("The same of width 16.")},
    {"local-to-global-table-2-d32", N_("Table 2, d = 32"),
     N_("The same of width 32.")},
    {"local-to-global-table-2-d64", N_("Table 2, d = 64"),
     N_("The same of width 64.")},
    {"figure-3-printed", N_("Figure 3, as printed"),
     N_("Do W_1 and W_V become rank one? SGD and σ = 0.001, as the paper prints them.")},
    {"figure-3-released", N_("Figure 3, as released"),
     N_("The same with AdamW and σ = 0.02, as in the released arguments.")},
    {"figure-4-sgd-standard", N_("Figure 4, SGD, usual start"),
     N_("A binary chain from the usual Gaussian start, with SGD.")},
    {"figure-4-sgd-proposed", N_("Figure 4, SGD, proposed start"),
     N_("The same from the start that the paper proposes.")},
    {"figure-4-adamw-standard", N_("Figure 4, AdamW, usual start"),
     N_("A binary chain from the usual Gaussian start, with AdamW.")},
    {"figure-4-adamw-proposed", N_("Figure 4, AdamW, proposed start"),
     N_("The same from the start that the paper proposes, read as canonical numbers.")},
    {"figure-4-adamw-proposed-literal", N_("Figure 4, AdamW, literal start"),
     N_("The proposed start read literally: every entry of the matrices.")},
    {"figure-6-printed", N_("Figure 6, as printed"),
     N_("From random rank-one matrices: does the rank stay one? Settings of Figure 3 as printed.")},
    {"figure-6-released", N_("Figure 6, as released"),
     N_("The same with AdamW and σ = 0.02.")},
};
constexpr OwnPreset kAttentionStructure[] = {
    {"bert-mini-encoder", N_("BERT-Mini, encoder"),
     N_("4 layers of width 256, masked tokens: W_qk becomes symmetric.")},
    {"bert-mini-decoder", N_("BERT-Mini, decoder"),
     N_("4 layers of width 256, next token: W_qk becomes directional.")},
    {"bert-mini-encoder-symmetric", N_("BERT-Mini, encoder, symmetric start"),
     N_("W_K = W_Q in every layer at the start.")},
    {"bert-mini-decoder-skew", N_("BERT-Mini, decoder, skew start"),
     N_("A skew W_qk in every head at the start.")},
    {"bert-mini-encoder-symmetric-constraint", N_("BERT-Mini, encoder, constraint"),
     N_("A term of the loss pulls W_qk towards a symmetric matrix.")},
    {"bert-mini-decoder-skew-constraint", N_("BERT-Mini, decoder, constraint"),
     N_("A term of the loss pulls W_qk towards a skew matrix.")},
    {"bert-encoder", N_("BERT, encoder"),
     N_("12 layers of width 768, masked tokens; days on a CPU.")},
    {"bert-decoder", N_("BERT, decoder"),
     N_("12 layers of width 768, next token; days on a CPU.")},
    {"bert-encoder-symmetric", N_("BERT, encoder, symmetric start"),
     N_("12 layers of width 768 with W_K = W_Q at the start; days on a CPU.")},
    {"bert-decoder-skew", N_("BERT, decoder, skew start"),
     N_("12 layers of width 768 with a skew W_qk at the start; days on a CPU.")},
    {"bert-encoder-symmetric-constraint", N_("BERT, encoder, constraint"),
     N_("12 layers of width 768 with a term of the loss towards a symmetric W_qk; days on a CPU.")},
    {"bert-decoder-skew-constraint", N_("BERT, decoder, constraint"),
     N_("12 layers of width 768 with a term of the loss towards a skew W_qk; days on a CPU.")},
    {"bert-large-encoder", N_("BERT-Large, encoder"),
     N_("24 layers of width 1,024, masked tokens; for a large machine.")},
    {"bert-large-decoder", N_("BERT-Large, decoder"),
     N_("24 layers of width 1,024, next token; for a large machine.")},
    {"bert-large-encoder-symmetric", N_("BERT-Large, encoder, symmetric start"),
     N_("24 layers of width 1,024 with W_K = W_Q at the start; for a large machine.")},
    {"bert-large-decoder-skew", N_("BERT-Large, decoder, skew start"),
     N_("24 layers of width 1,024 with a skew W_qk at the start; for a large machine.")},
    {"bert-large-encoder-symmetric-constraint", N_("BERT-Large, encoder, constraint"),
     N_("24 layers of width 1,024 with a term of the loss towards a symmetric W_qk; for a large machine.")},
    {"bert-large-decoder-skew-constraint", N_("BERT-Large, decoder, constraint"),
     N_("24 layers of width 1,024 with a term of the loss towards a skew W_qk; for a large machine.")},
    {"linear-attention-repeats-encoder", N_("Linear attention, repeats, encoder"),
     N_("One layer on repeated letters, masked tokens.")},
    {"linear-attention-repeats-encoder-symmetric-start", N_("Linear attention, repeats, encoder, symmetric start"),
     N_("The same with W_K = W_Q at the start.")},
    {"linear-attention-repeats-encoder-symmetric-constraint", N_("Linear attention, repeats, encoder, constraint"),
     N_("The same with a term of the loss towards a symmetric W_qk.")},
    {"linear-attention-repeats-decoder", N_("Linear attention, repeats, decoder"),
     N_("One layer on repeated letters, next token.")},
    {"linear-attention-repeats-decoder-skew-start", N_("Linear attention, repeats, decoder, skew start"),
     N_("The same with a skew W_qk at the start.")},
    {"linear-attention-repeats-decoder-skew-constraint", N_("Linear attention, repeats, decoder, constraint"),
     N_("The same with a term of the loss towards a skew W_qk.")},
    {"linear-attention-mirrored-encoder", N_("Linear attention, mirrored, encoder"),
     N_("One layer on mirrored letters, masked tokens.")},
    {"linear-attention-mirrored-encoder-symmetric-start", N_("Linear attention, mirrored, encoder, symmetric start"),
     N_("The same with W_K = W_Q at the start.")},
    {"linear-attention-mirrored-encoder-symmetric-constraint", N_("Linear attention, mirrored, encoder, constraint"),
     N_("The same with a term of the loss towards a symmetric W_qk.")},
    {"linear-attention-mirrored-decoder", N_("Linear attention, mirrored, decoder"),
     N_("One layer on mirrored letters, next token.")},
    {"linear-attention-mirrored-decoder-learned", N_("Linear attention, mirrored, decoder, learned positions"),
     N_("The same with learned positions, without jitter.")},
    {"linear-attention-mirrored-decoder-skew-start", N_("Linear attention, mirrored, decoder, skew start"),
     N_("The same with a skew W_qk at the start.")},
    {"linear-attention-mirrored-decoder-skew-constraint", N_("Linear attention, mirrored, decoder, constraint"),
     N_("The same with a term of the loss towards a skew W_qk.")},
};
constexpr OwnPreset kReversal[] = {
    {"reversal-arm", N_("ARM, the GPT-2 baseline"),
     N_("One layer that predicts the next token of forward pairs.")},
    {"reversal-radd-learned", N_("Masked diffusion, learned positions"),
     N_("RADD with one layer on forward pairs, learned positions.")},
    {"reversal-radd-sinusoidal", N_("Masked diffusion, sinusoidal positions"),
     N_("The same with sinusoidal positions.")},
    {"reversal-radd-rope", N_("Masked diffusion, RoPE"),
     N_("The same with rotary positions.")},
    {"reversal-radd-rope-zero", N_("Masked diffusion, RoPE, zero output"),
     N_("The same with an output layer that starts at 0.")},
    {"reversal-radd-alibi", N_("Masked diffusion, ALiBi"),
     N_("The same with ALiBi.")},
    {"reversal-radd-alibi-signed", N_("Masked diffusion, signed ALiBi"),
     N_("The same with a bias that has a sign.")},
    {"model-arm", N_("The shipped ARM"),
     N_("How the ARM that ships with the program was trained.")},
    {"model-mdm", N_("The shipped MDM"),
     N_("How the MDM that ships with the program was trained.")},
};
constexpr OwnPreset kVision[] = {
    {"vit-shapes", N_("ViT, generated figures"),
     N_("A small ViT on generated images of eight figures: a minute on a CPU.")},
    {"vit-shapes-symmetric", N_("ViT, generated figures, symmetric start"),
     N_("The same with W_K = W_Q at the start.")},
    {"vit-6-cifar10", N_("ViT-6, CIFAR-10"),
     N_("6 layers of width 512; you provide the files of CIFAR-10.")},
    {"vit-6-cifar10-symmetric", N_("ViT-6, CIFAR-10, symmetric start"),
     N_("The same with W_K = W_Q at the start.")},
    {"vit-12-imagenet", N_("ViT-12, ImageNet-1k"),
     N_("12 layers of width 768; you provide the files of ImageNet.")},
    {"vit-12-imagenet-symmetric", N_("ViT-12, ImageNet-1k, symmetric start"),
     N_("The same with W_K = W_Q at the start.")},
};
constexpr OwnPreset kOwnFiles[] = {
    {"", N_("Defaults"),
     N_("Every field at its default.")},
    {"small-decoder", N_("Small decoder on your own text"),
     N_("The small decoder; drop a .txt, .csv or .jsonl file, or choose one in Data."), true},
    {"small-encoder", N_("Small encoder on your own text"),
     N_("The small encoder; drop a .txt, .csv or .jsonl file, or choose one in Data."), true},
};

constexpr PresetFamily kFamilies[] = {
    {"small", N_("Small language models"), N_("Encoders and decoders that train in minutes on a CPU."), kSmall},
    {"local-to-global", N_("Local-to-Global"), N_("One layer on a binary Markov chain: from local to global minima."), kLocal},
    {"attention-structure", N_("Attention-Structure"), N_("Encoders against decoders: symmetry and directionality of W_qk."), kAttentionStructure},
    {"reversal", N_("Reversal"), N_("Pairs A → B and the reverse question: next token against masked diffusion."), kReversal},
    {"vision", N_("Vision"), N_("Vision transformers that classify images."), kVision},
    {"own", N_("Own files"), N_("Your own text as data, or every field at its default."), kOwnFiles},
};
// clang-format on

}  // namespace

std::span<const PresetFamily> presetFamilies() {
  return kFamilies;
}

const PresetFamily* familyOf(std::string_view file) {
  for (const PresetFamily& family : kFamilies)
    for (const OwnPreset& preset : family.presets)
      if (preset.file == file && !preset.ownText) return &family;
  return nullptr;
}

const OwnPreset* presetOf(std::string_view file) {
  const PresetFamily* const family = familyOf(file);
  if (!family) return nullptr;
  return &*std::ranges::find_if(family->presets, [file](const OwnPreset& one) { return one.file == file; });
}

}  // namespace sepx::ui
