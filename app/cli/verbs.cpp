// SPDX-License-Identifier: Apache-2.0
// The list of verbs, in the order of --help.
#include <array>

#include "app/cli/text.h"
#include "app/cli/verb.h"

namespace sepx::app::cli {

std::span<const VerbEntry> verbs() {
  static constexpr std::array kVerbs{
      VerbEntry{"doctor", N_("What this machine offers the program, what is degraded and why"), makeDoctor},
      VerbEntry{"flow", N_("Loss, derivatives, basin and limit of one point of a canonical model"), makeFlow},
      VerbEntry{"trajectory", N_("The path of gradient flow from one point"), makeTrajectory},
      VerbEntry{"basin", N_("Which limit every pixel of a window of the (e,w) plane reaches"), makeBasin},
      VerbEntry{"critical", N_("The critical sets of a canonical model and what is found on them"), makeCritical},
      VerbEntry{"gauss", N_("How often a Gaussian initialisation ends in the bad minimum"), makeGauss},
      VerbEntry{"optimisers", N_("Flow, gradient descent, SGD, momentum and AdamW from one point of the plane"),
                makeOptimisers},
      VerbEntry{"inspect", N_("What a checkpoint is: format, family, shape, tensors, and where its attention lies"),
                makeInspect},
      VerbEntry{"scores", N_("Symmetry and directionality of every layer of a checkpoint"), makeScores},
      VerbEntry{"heatmap", N_("W_qk of a layer or head as a figure or as numbers"), makeHeatmap},
      VerbEntry{"compare", N_("Two checkpoints: the difference of their W_qk by layer and head"), makeCompare},
      VerbEntry{"theory", N_("Closed forms of the papers for numbers of one's own: counts of a token"), makeTheory},
      VerbEntry{"train", N_("Train a transformer by a config, resumable at any moment"), makeTrain},
      VerbEntry{"runs", N_("The runs on this machine: what they are, their metrics and checkpoints"), makeRuns},
      VerbEntry{"reproduce", N_("Published numbers beside what checkpoints really have"), makeReproduce},
      VerbEntry{"render", N_("A session, lesson or figure as PNG, SVG, PDF, numbers or film"), makeRender},
      VerbEntry{"play", N_("Run a script or a lesson without a display"), makePlay},
      VerbEntry{"verify", N_("Compare this program's numbers with every case of a reference file"), makeVerify},
      VerbEntry{"bench", N_("How fast kernels and frames are on this machine"), makeBench},
  };
  return kVerbs;
}

}  // namespace sepx::app::cli
