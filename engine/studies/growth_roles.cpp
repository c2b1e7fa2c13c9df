// SPDX-License-Identifier: Apache-2.0
// Tests Corollaries A.8 and A.12 and (S89)-(S94) of Attention-Structure by sampling (growth_study.h).
#include "engine/studies/growth_roles.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "engine/studies/growth_bench.h"
#include "engine/studies/growth_study.h"

namespace sepx::studies {
namespace {

using attention::NormGrowth;
using attention::NormModel;
using attention::TokenRole;

constexpr int kRoleWidth = 64;
constexpr int kRoleMatrices = 20, kEvenMatrices = 40;
constexpr std::int64_t kRoleUpdates = 20000, kSumUpdates = 5000;
constexpr double kFar = 5, kNear = 4;  // standard errors

/// Sigma ~ 1/m, Gamma = I, as in Proposition A.7.
NormModel modelOfRole(TokenRole role, double early, double mask) {
  NormModel model = growthModel(GrowthCase::EqualContext, kRoleWidth);
  model.role = role;
  model.early = early;
  model.mask = mask;
  return model;
}

/// The share of the pairs (k, m) whose column has the larger mean squared norm.
double largerColumns(const NormGrowth& growth) {
  double larger = 0;
  for (const double column : growth.columns2)
    larger += static_cast<double>((growth.rows2.array() < column).count());
  return larger / static_cast<double>(growth.rows2.size() * growth.columns2.size());
}

struct RoleCase {
  NormModel model;
  const char* name;
};
Check normCheck(const RoleCase& one, const char* formula, std::int64_t updates, double worst) {
  return {0,
          0,
          sentence(N_("{}, {}: largest distance of a mean squared norm from its formula, in standard errors"), formula,
                   one.name),
          updates,
          worst,
          "<",
          kFar};
}

constexpr const char* kSameSums =
    N_("it cannot hold for all k and m: the mean squared norms of all rows and of all columns have the same sum");
constexpr const char* kRoleAssumptions = N_(
    "d = 64, 16 other tokens in a sequence, Gaussian embeddings with diagonal covariances Σ_mm ~ 1/m (the other tokens) "
    "and Γ = I (t*), independent Gaussian β of one variance in both roles");

}  // namespace

Result<StudyResult> checkPredictedGrowth(const Work& work) {
  const std::array<RoleCase, 2> cases{RoleCase{modelOfRole(TokenRole::Predicted, 0, 0.15), "t* predicted"},
                                      {modelOfRole(TokenRole::Autoregressive, 1, 0.15), "t* at place k ~ 1/k"}};
  const std::int64_t updates = work.quick ? kRoleUpdates / 10 : kRoleUpdates;
  StudyResult result = checksOf("attention-structure-corollary-a-8", {}, work.quick);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    work.at(static_cast<double>(i) / cases.size());
    const RoleCase& one = cases[i];
    const bool predicted = one.model.role == TokenRole::Predicted;
    const std::uint64_t seed = (work.seed * cases.size() + i) * std::uint64_t{kRoleMatrices + 1};
    const NormGrowth growth = attention::growNorms(one.model, updates, seed, work.cancelled);
    const SumsOf sums = sumsOf(one.model, updates / 4, kRoleMatrices, seed + 1, work);
    if (work.isCancelled()) return interrupted();
    result.checks.push_back(
        normCheck(one, predicted ? "(S61)" : "(S91), sums of beta^2", updates, worstNorm(one.model, growth)));
    result.checks.push_back(
        {0, 0,
         sentence(N_("{}: mean directionality {} of {} sums of {} updates (above 0, rows dominate), in standard "
                     "errors"),
                  one.name, fmt::format("{:.3f}", sums.directionality.mean), kRoleMatrices, updates / 4),
         kRoleMatrices, sums.directionality.inErrors(), predicted ? "<=" : ">=", predicted ? -kFar : kFar});
    result.checks.push_back(
        {0, 0,
         sentence(N_("{}: mean logarithm of the variance of row norms over that of column norms, {}, in standard "
                     "errors"),
                  one.name, fmt::format("{:.3f}", sums.spread.mean)),
         kRoleMatrices, sums.spread.inErrors(), predicted ? "<=" : ">=", predicted ? -kFar : kFar});
    if (!predicted)
      result.checks.push_back(
          {0, 0, sentence(N_("(S94), {}: share of the pairs (k, m) whose column has the larger mean norm"), one.name),
           kRoleWidth * kRoleWidth, largerColumns(growth), ">=", 1, kSameSums});
  }
  return result;
}

Result<StudyResult> checkBidirectionalGrowth(const Work& work) {
  const std::array<RoleCase, 3> cases{
      RoleCase{modelOfRole(TokenRole::Bidirectional, 0, 0.15), "rho = 0.15"},
      {modelOfRole(TokenRole::Bidirectional, 0, 0.5), "rho = 0.5"},
      {modelOfRole(TokenRole::Autoregressive, 0, 0.15), "autoregressive, Pr[t_k = t*] the same for every k"}};
  const int matrices = work.quick ? kEvenMatrices / 2 : kEvenMatrices;
  std::vector<Check> checks;
  const auto inErrors = [&](const char* name, const char* what, const MeanOf& mean) {
    checks.push_back({0, 0, sentence(what, name, fmt::format("{:+.3f}", mean.mean), matrices), matrices,
                      std::abs(mean.inErrors()), "<", kNear});
  };
  std::uint64_t seed = work.seed * (cases.size() + 1) * std::uint64_t{kEvenMatrices + 1};
  for (const RoleCase& one : cases) {
    work.at(static_cast<double>(&one - cases.data()) / (cases.size() + 1));
    const NormGrowth growth = attention::growNorms(one.model, kRoleUpdates, seed, work.cancelled);
    const SumsOf sums = sumsOf(one.model, kSumUpdates, matrices, seed + 1, work);
    if (work.isCancelled()) return interrupted();
    checks.push_back(normCheck(one, "(S99), sums of beta^2", kRoleUpdates, worstNorm(one.model, growth)));
    inErrors(one.name, N_("{}: magnitude of the mean directionality {} of {} sums, in standard errors"),
             sums.directionality);
    inErrors(one.name,
             N_("(S96), {}: magnitude of the mean logarithm {} of the variance of row norms over that of column "
                "norms, {} sums, in standard errors"),
             sums.spread);
    seed += kEvenMatrices + 1;
  }
  // For comparison, the same sums where t* has one role only. Without it, a mean of zero could be lack of statistical
  // power.
  const SumsOf apart = sumsOf(modelOfRole(TokenRole::Context, 0, 0.15), kSumUpdates, matrices, seed, work);
  if (work.isCancelled()) return interrupted();
  checks.push_back({0, 0,
                    sentence(N_("t* only as context, for comparison: mean directionality {} of {} sums, in standard "
                                "errors"),
                             fmt::format("{:+.3f}", apart.directionality.mean), matrices),
                    matrices, apart.directionality.inErrors(), ">=", kFar});
  return checksOf("attention-structure-corollary-a-12", std::move(checks), work.quick);
}

std::vector<Study> describeGrowthRoles() {
  return {
      {.id = "attention-structure-corollary-a-8",
       .paper = kAttentionStructure,
       .title = N_("Norms of rows and columns where a token is predicted"),
       .about = N_(
           "sampled updates of a token that is predicted, or predicted and context: (S61), (S91), which side dominates"),
       .claim = N_("(S61) holds, and (S91) holds with sums of β² in place of β. The conclusion does not follow: with "
                   "the context that Proposition A.7 assumes, columns dominate where t* is predicted, and rows "
                   "dominate where it is context of more tokens than predict it."),
       .assumptions = kRoleAssumptions,
       .corrected = {"att-8", "att-18"},
       .label = N_("Corollary A.8"),
       .says = {N_("(S58): where a token is predicted, every row grows more than the columns k with Σ_kk < Tr Σ/d."),
                N_("(S94): where a token is context more often than it is predicted, columns grow more than rows."),
                N_("Ours: (S61) and (S91) hold; the opposite side dominates. The page Norms shows it.")},
       .compute = checkPredictedGrowth},
      {.id = "attention-structure-corollary-a-12",
       .paper = kAttentionStructure,
       .title = N_("No directionality from bidirectional training"),
       .about = N_("sampled updates of a token that is context as often as it is predicted: no side dominates"),
       .claim = N_("Where a token is context of as many tokens as predict it, as in bidirectional training, or in "
                   "autoregressive training if its position does not matter, neither rows nor columns dominate."),
       .assumptions = kRoleAssumptions,
       .corrected = {"att-16"},
       .label = N_("Corollary A.12"),
       .says = {N_("(S96): with a bidirectional objective the norms of rows and of columns have the same variance."),
                N_("Remark A.10: the same without correlation of a token with its position.")},
       .compute = checkBidirectionalGrowth}};
}

}  // namespace sepx::studies
