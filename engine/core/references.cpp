// SPDX-License-Identifier: Apache-2.0
#include "engine/core/references.h"

#include <algorithm>

#include <fmt/format.h>

namespace sepx {
namespace {

constexpr Reference kPapers[] = {
    {"Local-to-Global", "Local to Global: Learning Dynamics and Effect of Initialization for Transformers",
     "Ashok Vardhan Makkuva, Marco Bondaschi, Adway Girish, Alliot Nagle, Hyeji Kim, Michael Gastpar, Chanakya Ekbote",
     2024, "arXiv:2406.03072", "",
     "The numbers of theorems, equations and tables refer to the anonymous version, which has neither authors nor an "
     "arXiv number. The authors and the arXiv number are those of the paper with this title at NeurIPS 2024."},
    {"Attention-Structure",
     "The underlying structures of self-attention: symmetry, directionality, and emergent dynamics in Transformer "
     "training",
     "Matteo Saponati, Pascal Sager, Pau Vilimelis Aceituno, Thilo Stadelmann, Benjamin Grewe", 2025,
     "arXiv:2502.10927", "",
     "The version that was used has no printed arXiv number; the number is that of the paper with this title. The "
     "program says where it refers to an earlier version."},
    {"Reversal", "A Theoretical Analysis of Why Masked Diffusion Models Mitigate the Reversal Curse",
     "Moongyu Jeon, Sangwoo Shin, Bumjun Kim, Kyelim Lee, Albert No", 2026, "arXiv:2602.02133v2", "", ""},
};

constexpr Reference kSources[] = {
    {"attention-geometry", "", "", 0, "github.com/matteosaponati/attention-geometry", "9b7528b",
     "The code of the authors of Attention-Structure. utils/scores.py and utils/funs.py: how the printed scores are "
     "computed, which keys are paired with which queries, and how fused weights are split. "
     "notebooks-figures-tables/table-symmetric-initialization.ipynb: the speed-up of Table 1. "
     "_results/table-*-scores-language.txt: which checkpoints have the same name."},
    {"Local-to-Global-C70B", "", "", 0, "anonymous.4open.science/r/Local-to-Global-C70B", "",
     "The code that the anonymous version of Local-to-Global cites, with arrays of weights that were saved during "
     "training. The published version cites github.com/Bond1995/Markov. It was not recorded from which of the two, and "
     "from which commit, the arrays come that agree with AdamW with sigma = 0.02."},
    {"RADD", "Your Absorbing Discrete Diffusion Secretly Models the Conditional Distributions of Clean Data",
     "Jingyang Ou, Shen Nie, Kaiwen Xue, Fengqi Zhu, Jiacheng Sun, Zhenguo Li, Chongxuan Li", 2024,
     "arXiv:2406.03736, github.com/ML-GSAI/RADD", "92a23fb",
     "The model that Reversal trains. model/transformer.py: the output layer is initialised to 0, the biases of the "
     "norms to 1, and the embeddings to small values. The commit that the configs were made from was not recorded; this "
     "commit agrees with them."},
    {"torchvision", "", "", 0, "github.com/pytorch/vision", "",
     "references/classification/README.md, the training of vit_b_16: weight decay 0.3 and clipping at 1, which "
     "Attention-Structure does not give. The commit was not recorded."},
    {"transformers", "", "", 0, "github.com/huggingface/transformers", "",
     "Names and layouts of the weights of most families, and of the folders that runs are saved to. No commit was "
     "recorded; a layout is checked against the files of a model."},
    {"timm", "", "", 0, "github.com/huggingface/pytorch-image-models", "",
     "Names and layouts of vision models. No commit was recorded."},
    {"GGUF", "", "", 0, "github.com/ggml-org/llama.cpp", "",
     "The file format and its quantised blocks. No commit was recorded."},
    {"llama2.c", "", "", 0, "github.com/karpathy/llama2.c", "",
     "The file format, and the model stories260K that a test reads. No commit was recorded."},
    {"CIFAR-10", "Learning Multiple Layers of Features from Tiny Images", "Alex Krizhevsky", 2009,
     "www.cs.toronto.edu/~kriz/cifar.html", "",
     "The images of Table 3 of Attention-Structure. They are not included in the program."},
};

}  // namespace

std::span<const Reference> papers() {
  return kPapers;
}

std::span<const Reference> sources() {
  return kSources;
}

const Reference& referenceOf(Paper paper) {
  return kPapers[static_cast<std::size_t>(paper)];
}

const Reference* findReference(std::string_view name) {
  for (const std::span<const Reference> list : {papers(), sources()}) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const Reference& one) { return name == one.name; });
    if (found != list.end()) return &*found;
  }
  return nullptr;
}

std::string citation(const Reference& reference) {
  std::string place = reference.place;
  if (*reference.commit != '\0') place += fmt::format(", commit {}", reference.commit);
  if (*reference.title == '\0') return place;
  return fmt::format("{}: {}. {}, {}", reference.authors, reference.title, reference.year, place);
}

}  // namespace sepx
