// SPDX-License-Identifier: Apache-2.0
// The reference groups of the scores of Attention-Structure: from the matrix itself, and from its factors.
#include "app/cli/text.h"
#include "app/cli/verify.h"
#include "engine/attention/scores.h"

namespace sepx::app::cli {
namespace {

using attention::Directionality;
using attention::Moments;
using attention::ScoreOptions;

/// Both variants for every gamma and ddof that the case lists with its expected values.
Json directionalities(const Moments& moments, const Json& wanted) {
  Json list = Json::array();
  for (const Json& one : wanted) {
    const double gamma = number(one.at("gamma"));
    const int ddof = one.at("ddof").get<int>();
    const auto excess = directionality(moments, {gamma, Directionality::Excess, ddof});
    const auto sum = directionality(moments, {gamma, Directionality::Sum, ddof});
    list.push_back(Json{{"gamma", gamma},
                        {"ddof", ddof},
                        {"row_threshold", sum.rows.threshold},
                        {"col_threshold", sum.columns.threshold},
                        {"n_row", sum.rows.outliers},
                        {"n_col", sum.columns.outliers},
                        {"sum_variant", sum.value},
                        {"excess_variant", excess.value}});
  }
  return list;
}

Result<Json> scoreMatrix(const Json& inputs) {
  const attention::Matrix M = matrixOf(inputs.at("M"), "M");
  const Moments moments = attention::momentsOf(M);
  const double s = attention::symmetry(moments);
  // |M_s|^2 and |M_n|^2 are (|M|^2 +- Tr(MM)) / 2; Definition 3.1 as printed has a factor 2 too many.
  return Json{{"s_trace", s},
              {"s_def31_literal", 2 * s},
              {"s_code", attention::symmetryCode(s)},
              {"frob2", moments.frobenius2},
              {"frob2_sym", (moments.frobenius2 + moments.traceMM) / 2},
              {"frob2_skew", (moments.frobenius2 - moments.traceMM) / 2},
              {"row_norms", listOf(moments.rowNorms)},
              {"col_norms", listOf(moments.columnNorms)},
              {"directionality", directionalities(moments, inputs.at("directionality"))}};
}

Result<Json> scoreFactored(const Json& inputs) {
  const auto heads = static_cast<int>(number(inputs.at("heads")));
  attention::LayerFactors factors;
  factors.heads = heads;
  factors.W_Q = matrixOf(inputs.at("Wq"), "Wq");
  factors.W_K = matrixOf(inputs.at("Wk"), "Wk");
  const Eigen::Index d = static_cast<Eigen::Index>(number(inputs.at("d")));
  const Eigen::Index r = static_cast<Eigen::Index>(number(inputs.at("r")));
  if (heads < 1 || r % heads != 0 || factors.W_Q.rows() != d || factors.W_Q.cols() != r || factors.W_K.rows() != d ||
      factors.W_K.cols() != r)
    return fail(ErrorKind::CheckFailed,
                tr(N_("Wq and Wk must have d rows, and r columns that divide into equal heads")));
  factors.d_h = static_cast<int>(r) / heads;
  for (int h = 0; h < heads; ++h)
    factors.keyHead.push_back(h);
  const Moments whole = *attention::momentsOf(factors);
  const std::vector<Moments> parts = *attention::momentsOfHeads(factors);
  Json perHead = Json::array();
  for (const Moments& head : parts)
    perHead.push_back(attention::symmetry(head));
  return Json{{"s_trace", attention::symmetry(whole)},
              {"row_norms", listOf(whole.rowNorms)},
              {"col_norms", listOf(whole.columnNorms)},
              {"s_trace_per_head", std::move(perHead)}};
}

}  // namespace

std::vector<GroupSpec> attentionGroups() {
  return {
      {"score_matrix",
       {"M"},
       {{"s_trace"},
        {"s_def31_literal"},
        {"s_code"},
        {"frob2"},
        {"frob2_sym"},
        {"frob2_skew"},
        {"row_norms"},
        {"col_norms"},
        {"directionality"}},
       false,
       scoreMatrix},
      {"score_factored",
       {"d", "r", "heads", "Wq", "Wk"},
       {{"s_trace"}, {"row_norms"}, {"col_norms"}, {"s_trace_per_head"}},
       false,
       scoreFactored},
  };
}

}  // namespace sepx::app::cli
