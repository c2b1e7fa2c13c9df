// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/study.h"

#include <algorithm>

namespace sepx::studies {
namespace {

constexpr const char *kLocalToGlobal = "Local-to-Global", *kAttentionStructure = "Attention-Structure";

constexpr const char* kScoreAssumptions =
    N_("W_qk as the model computes it, excess variant, gamma 2, ddof 1, median over the layers; rows that the "
       "published code computed differently are not judged");
constexpr const char* kCloudAssumptions = N_(
    "optimal bias; p = 0.2, q = 0.3 and p = 0.5, q = 0.8; starts of a Gaussian cloud, each followed to its end along "
    "its orbit, not in time");
constexpr const char* kTransformer =
    N_("the single-layer transformer of Section 2: one vector for the bit, tied to the output, no norms, ReLU");
constexpr const char* kSmallModel = N_(
    "a small stand-in: generated text, 2 layers, d = 64; starts are compared at sigma = 0.05, so that raw scores begin "
    "about as large as in the paper's models, which have 4, 12 and 24 layers and texts not shipped here");
constexpr const char* kOwnBounds =
    N_("The bounds and the settings that are judged are ours: chosen in November 2026 on runs of the seeds 0, 1 and 2, "
       "and judged on runs of other seeds.");
constexpr const char* kPlane =
    N_("optimal bias, e and w alone; two chains on each side of p + q = 1 that the theorem covers");
constexpr const char* kPlaneFlow = N_(
    "optimal bias, e and w alone; two chains, whose orbits as curves are the same, with starts of their own; orbits of "
    "the polynomial field of S up to S_star or e = 0, not the flow in time");
constexpr const char* kSpaceFlow = N_(
    "optimal bias, with attention a; two chains with p + q above 1 and two below, with starts of their own; orbits of "
    "the polynomial field of S up to S_star or e = 0, not the flow in time");
constexpr const char* kSpace = N_("optimal bias, with attention a; two chains with p + q above 1 and two below");
constexpr const char* kFreeBias = N_("free bias b; two chains with p + q above 1 and two below");

std::vector<Study> scoreStudies() {
  return {{StudyKind::Scores,
           4,
           "attention-structure-table-4",
           kAttentionStructure,
           N_("Symmetry of pretrained models"),
           N_("symmetry of pretrained models, median and quartiles by layer"),
           N_("The median over the layers of the symmetry of W_qk is the printed one."),
           kScoreAssumptions,
           {}},
          {StudyKind::Scores,
           5,
           "attention-structure-table-5",
           kAttentionStructure,
           N_("Directionality of pretrained models"),
           N_("directionality of pretrained models, median and quartiles by layer"),
           N_("The median over the layers of the directionality of W_qk is the printed one."),
           kScoreAssumptions,
           {}},
          {StudyKind::Scores,
           2,
           "attention-structure-figure-2",
           kAttentionStructure,
           N_("Symmetry and directionality of pretrained models"),
           N_("both scores against the number of parameters (--out picture)"),
           N_("The medians of both scores are the printed ones."),
           kScoreAssumptions,
           {}}};
}

std::vector<Study> flowStudies() {
  return {{StudyKind::Flow,
           1,
           "local-to-global-figure-1",
           kLocalToGlobal,
           N_("Gradient flow and basins of the plane (e,w)"),
           N_("energy contours, flow and basins of the plane (--out picture)"),
           N_("Integrated orbits end, and integrated basins lie, as the theorems say."),
           kCloudAssumptions,
           {}},
          {StudyKind::Flow,
           2,
           "local-to-global-figure-2",
           kLocalToGlobal,
           N_("Gradient flow with attention, (e,w,a)"),
           N_("flow with attention from a Gaussian cloud (--out picture)"),
           N_("Integrated orbits end as the two invariants say."),
           kCloudAssumptions,
           {}},
          {StudyKind::Flow,
           5,
           "local-to-global-figure-5",
           kLocalToGlobal,
           N_("Gradient flow with attention near the origin"),
           N_("the same near the origin (--out picture)"),
           N_("Integrated orbits end as the two invariants say."),
           kCloudAssumptions,
           {}}};
}

std::vector<Study> trainingStudies() {
  return {
      {StudyKind::Training,
       3,
       "local-to-global-figure-3",
       kLocalToGlobal,
       N_("Singular values of the weights from a Gaussian start"),
       N_("training: singular values of the weights from a Gaussian start"),
       N_("With AdamW at 0.001 and sigma = 0.02, W_1, W_2 and W_O W_V end with sigma1/sigma2 of at least 3. The paper prints no setting of this figure; these fit the released arrays of figure 3."),
       kTransformer,
       {},
       kOwnBounds},
      {StudyKind::Training,
       4,
       "local-to-global-figure-4",
       kLocalToGlobal,
       N_("Standard and proposed initialisation of the full transformer"),
       N_("training: where the standard and the proposed initialisation end"),
       N_("Without norms, by AdamW at d = 4 and by SGD at d = 8, the loss of a standard start ends within a tenth of "
          "the gap of the unigram entropy, that of the proposed start within a tenth of the entropy rate."),
       kTransformer,
       {},
       kOwnBounds},
      {StudyKind::Training,
       6,
       "local-to-global-figure-6",
       kLocalToGlobal,
       N_("Singular values of the weights from a rank-one start"),
       N_("training: singular values of the weights from a rank-one start"),
       N_("With AdamW at 0.001 and sigma = 0.02, W_1, W_2 and W_O W_V end with sigma1/sigma2 of at least 3. The paper prints no setting of this figure; these fit the released arrays of figure 3."),
       kTransformer,
       {},
       kOwnBounds}};
}

std::vector<Study> growthStudies() {
  return {
      {StudyKind::Growth,
       3,
       "attention-structure-theorem-2-3",
       kAttentionStructure,
       N_("Norms of rows and columns of the update of W_qk"),
       N_("sampled updates: (S56), which side dominates"),
       N_("(S56) holds. (18) does not follow from it: with the context that Proposition A.7 assumes, rows dominate; "
          "columns dominate where the context's variances differ."),
       N_("d = 64, 16 predicted tokens an update, Gaussian embeddings with diagonal covariances, Gaussian beta"),
       {"att-8", "att-9"}}};
}

std::vector<Study> emergenceStudies() {
  const auto one = [](int number, const char* id, const char* title, const char* about, const char* claim) {
    return Study{StudyKind::Emergence, number, id,        kAttentionStructure, title, about, claim,
                 kSmallModel,          {},     kOwnBounds};
  };
  return {
      one(3, "attention-structure-figure-3", N_("Symmetry and directionality during training"),
          N_("training: scores of an encoder and a decoder over the steps"),
          N_("On characters, in the first of two layers: the symmetry of the encoder ends at 0.5 or more, that of the "
             "decoder within 0.1 of 0, and row_column_cv (our own statistic, below 0 where columns differ more than "
             "rows) ends lower in the decoder by 0.3 or more. What the paper says of medians, of late layers and of "
             "directionality is told.")),
      one(103, "attention-structure-figure-s3", N_("The same on other texts"),
          N_("training: the medians of figure 3 on three sources"),
          N_("On characters the median symmetry of the encoder ends above that of the decoder by 0.3 or more; on the "
             "other sources it is told.")),
      one(104, "attention-structure-figure-s4", N_("The same by layer"),
          N_("training: the scores of every layer on three sources"),
          N_("On characters, in the first of two layers: the symmetry of the encoder ends at 0.5 or more, that of the "
             "decoder within 0.1 of 0, and row_column_cv (our own statistic) ends lower in the decoder by 0.3 or more. "
             "Other sources, late layers and directionality are told.")),
      one(1, "attention-structure-table-1", N_("Loss and speed-up of a symmetric start"),
          N_("training: final loss and speed-up of W_k = W_q; 12 and 24 layers as published"),
          N_("Our own criterion, which is not one of Table 1, at sigma = 0.05 on characters: from a symmetric start "
             "the loss leaves its plateau no later than from a free one. The columns of Table 1 are told.")),
      one(105, "attention-structure-figure-s5", N_("A symmetric start during training"),
          N_("training: loss and symmetry from a free and from a symmetric start"),
          N_("On characters, from a symmetric start, the median symmetry falls below 0.75 and ends above its least by "
             "0.1 or more."))};
}

std::vector<Study> visionStudies() {
  return {{StudyKind::Vision,
           3,
           "attention-structure-table-3",
           kAttentionStructure,
           N_("Loss and accuracy of a ViT from a symmetric start"),
           N_("training: a small ViT from both starts, on CIFAR-10's files or generated images (--quick)"),
           N_("On CIFAR-10, after about 3 passes, the mean accuracy of the standard start is at least 0.2, and the two "
              "starts end within 0.05 of each other in accuracy and within 0.15 in validation loss."),
           N_("a small stand-in of 4 layers, without mixup and cutmix; the paper's models have 6 and 12 layers and "
              "train 500 and 200 passes"),
           {},
           N_("The bounds are ours: set in November 2026 before any run on CIFAR-10.")}};
}

std::vector<Study> accuracyStudies() {
  constexpr const char* kThresholds = N_(
      "The 5 points, and the 90 % of the forward queries that a model must answer at the end (mean over the seeds) to "
      "be compared, were set in November 2026 with the runs that ship in view, seeds 0 to 2; other seeds are judged.");
  constexpr const char* kSetting = N_(
      "Table 6 with batches of 64 in place of 256: one layer, d = 256, 3,000 steps, AdamW at 3e-4 after 1,000 steps of "
      "warm-up; what the paper leaves open as assets/configs/reversal-*.json say; raw parameters; every token may be "
      "the answer; mean over evaluations at 500, 1,000 … 3,000 steps and over three seeds");
  return {
      {StudyKind::Accuracy,
       1,
       "reversal-table-1",
       "Reversal",
       N_("Forward and reverse accuracy of MDM and ARM"),
       N_("training: reverse accuracy of masked diffusion and of an autoregressive model, L = 10"),
       N_("At L = 10, among models that learn the forward queries, the autoregressive one never answers the reverse "
          "query, and masked diffusion with RoPE answers it at least 5 points more often."),
       kSetting,
       {},
       kThresholds},
      {StudyKind::Accuracy,
       2,
       "reversal-table-2",
       "Reversal",
       N_("Reverse accuracy by position encoding"),
       N_("training: reverse accuracy with absolute positions, RoPE and ALiBi, L = 10"),
       N_("At L = 10, among models that learn the forward queries, ALiBi answers the reverse query at least 5 points "
          "more often than RoPE, and RoPE at least 5 points more often than absolute positions."),
       kSetting,
       {},
       kThresholds}};
}

std::vector<Study> boundStudies() {
  constexpr const char* kSetting = N_("RoPE with base 10,000; plane weights are Dirichlet(1, …, 1); Assumption 4.2");
  return {{StudyKind::Bounds,
           3,
           "reversal-table-3",
           "Reversal",
           N_("The least normalised trace of RoPE"),
           N_("least trace of RoPE over distances to 50, D = 64, 128, 256"),
           N_("The least of Tr R(2 Delta)/D over Delta = 1 … 50 is the printed one, which is positive."),
           kSetting,
           {}},
          {StudyKind::Bounds,
           4,
           "reversal-table-4",
           "Reversal",
           N_("Cantelli's bound of the correlation"),
           N_("Cantelli's bound for 64 and 128 planes, Delta = 10 … 50"),
           N_("Cantelli's lower bound of the probability that the correlation is at least c is the printed one."),
           kSetting,
           {}},
          {StudyKind::Bounds,
           5,
           "reversal-table-5",
           "Reversal",
           N_("The least surrogate for unequal distances"),
           N_("least mean surrogate over distances to 30, by quadrature"),
           N_("The least mean over plane weights, by exact quadrature, is the printed estimate within its rounding and "
              "three standard errors of its 50,000 draws."),
           kSetting,
           {"rev-2"}}};
}
std::vector<Study> transferStudies() {
  constexpr const char* kSetting = N_(
      "Table 6: one layer, d = 256, RoPE, 3,000 steps of 256 pairs, AdamW at 3e-4 after 1,000 steps of warm-up; what "
      "the paper leaves open as assets/configs/reversal-radd-rope.json says; raw parameters; correlation over the 26 "
      "letters; the paper does not say which L its Figure 3 is of");
  constexpr const char* kClaim =
      N_("Over the steps of a model that learns the pairs, the cosine of the forward and the reverse gradient is never "
         "negative.");
  constexpr const char* kThresholds = N_(
      "That the cosine is judged, and the correlation of scores is not, was decided in November 2026 on full runs of "
      "the seeds 0 to 2 "
      "at L = 10: for one of them the correlation is negative. A model has learnt the pairs where it gives the right "
      "answer of forward queries a probability of at least 0.1; before training it is 0.019.");
  return {{StudyKind::Transfer,
           3,
           "reversal-figure-3",
           "Reversal",
           N_("Correlation of scores, cosine of gradients and transfer in one layer"),
           N_("training: score correlation, gradient cosine, target probability, L = 10"),
           kClaim,
           kSetting,
           {},
           kThresholds},
          {StudyKind::Transfer,
           5,
           "reversal-figure-5",
           "Reversal",
           N_("The same for longer sequences"),
           N_("training: the same for L = 10, 20, 30, 40"),
           kClaim,
           kSetting,
           {},
           kThresholds}};
}

std::vector<Study> theoremStudies() {
  const auto theorem = [](int number, const char* id, const char* title, const char* about, const char* claim,
                          const char* assumptions, std::vector<const char*> corrected) {
    return Study{StudyKind::Theorem,  number, id, kLocalToGlobal, title, about, claim, assumptions,
                 std::move(corrected)};
  };
  return {
      theorem(1, "local-to-global-theorem-1", N_("Critical points of L(e,w)"),
              N_("critical points of L(e,w): gradients, losses of neighbours, ordering of the losses"),
              N_("Theta_star, Theta_min, Theta_max and Theta_sad are the critical points of L(e,w), of the kinds "
                 "their names say, and L is least on Theta_star alone."),
              kPlane, {"l2g-11", "l2g-17"}),
      theorem(
          2, "local-to-global-theorem-2", N_("Ends of the flow for p + q > 1"),
          N_("flow for p + q > 1: 10,000 integrated ends against the basins"),
          N_("For p + q > 1 orbits from random starts end where I_min and I_star say, and a millionth to either side "
             "of I_sad on either side of it."),
          kPlaneFlow, {"l2g-14"}),
      theorem(3, "local-to-global-theorem-3", N_("Ends of the flow with attention"),
              N_("flow with attention: energy, ends, the surface of unbounded orbits"),
              N_("With attention the energy and a second invariant are conserved, and orbits from random starts end at "
                 "critical points of the kinds that the two invariants say. A millionth inside and outside the surface "
                 "of unbounded orbits, which Theorem 3 does not exclude, they end at a local and at a global minimum."),
              kSpaceFlow, {"l2g-1", "l2g-2"}),
      theorem(6, "local-to-global-theorem-6", N_("Critical points of L(e,w,b)"),
              N_("critical points of L(e,w,b): gradients"),
              N_("The critical points of L(e,w,b) are Gamma_star, Gamma_min and Gamma_sad."), kFreeBias, {"l2g-11"}),
      theorem(7, "local-to-global-theorem-7", N_("Kinds of the critical points of L(e,w,b)"),
              N_("critical points of L(e,w,b): losses of neighbours, ordering of the losses"),
              N_("Gamma_star are the global minima of L(e,w,b), Gamma_min its bad local minima, Gamma_sad its saddle "
                 "points."),
              kFreeBias, {"l2g-11"}),
      theorem(
          8, "local-to-global-theorem-8", N_("Ends of the flow for p + q < 1"),
          N_("flow for p + q < 1: 10,000 integrated ends against the basins"),
          N_("For p + q < 1 orbits from random starts end where I_min and I_star say, and a millionth to either side "
             "of I_sad on either side of it."),
          kPlaneFlow, {"l2g-14"}),
      theorem(9, "local-to-global-theorem-9", N_("Critical points of L(e,w,a,b)"),
              N_("critical points of L(e,w,a,b): gradients, losses of neighbours, ordering of the losses"),
              N_("Gamma_star, Gamma_min, Gamma_sad and Gamma_station are critical points of L(e,w,a,b), with "
                 "|1 + a e^2| in the bias of Gamma_star; Gamma_station are strict saddles."),
              kFreeBias, {"l2g-3", "l2g-4", "l2g-11"}),
      theorem(10, "local-to-global-theorem-10", N_("Critical points of L(e,w,a)"),
              N_("critical points of L(e,w,a): gradients, losses of neighbours, ordering of the losses"),
              N_("Theta_star, Theta_min, Theta_max, Theta_sad and Theta_station are critical points of L(e,w,a); "
                 "Theta_station are strict saddles."),
              kSpace, {"l2g-3"}),
  };
}

}  // namespace

std::span<const Study> studies() {
  static const std::vector<Study> all = [] {
    std::vector<Study> list;
    for (const auto& part : {scoreStudies(), emergenceStudies(), visionStudies(), growthStudies(), flowStudies(),
                             trainingStudies(), theoremStudies(), accuracyStudies(), boundStudies(), transferStudies()})
      list.insert(list.end(), part.begin(), part.end());
    return list;
  }();
  return all;
}

const Study* findStudy(std::string_view id) {
  const auto all = studies();
  const auto found = std::find_if(all.begin(), all.end(), [id](const Study& one) { return one.id == id; });
  return found == all.end() ? nullptr : &*found;
}

const Study& studyOf(StudyKind kind, int number) {
  static const Study none;
  const auto all = studies();
  const auto found =
      std::find_if(all.begin(), all.end(), [=](const Study& one) { return one.kind == kind && one.number == number; });
  return found == all.end() ? none : *found;
}

std::uint64_t Study::firstSeed() const {
  return *thresholds == '\0' ? 0 : kThresholdSeeds;
}

tl::unexpected<Error> interrupted() {
  return fail(ErrorKind::Interrupted, N_("interrupted; nothing was written"));
}

bool Check::passed() const {
  const std::string_view sign = relation;
  if (sign == "<") return value < bound;
  if (sign == "<=") return value <= bound;
  if (sign == ">=") return value >= bound;
  return value == bound;
}

Verdict Check::verdict() const {
  if (notJudged != nullptr) return Verdict::NotJudged;
  return passed() ? Verdict::Holds : Verdict::Fails;
}

bool passed(std::span<const Check> checks) {
  return countOf(checks, Verdict::Fails) == 0;
}

std::size_t countOf(std::span<const Check> checks, Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(checks.begin(), checks.end(), [=](const Check& check) { return check.verdict() == verdict; }));
}

}  // namespace sepx::studies
