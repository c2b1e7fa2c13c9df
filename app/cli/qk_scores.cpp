// SPDX-License-Identifier: Apache-2.0
#include "app/cli/qk_scores.h"

#include <algorithm>

#include "app/cli/text.h"
#include "engine/core/try.h"
#include "engine/gpu/context.h"
#include "engine/gpu/kernels/qk_kernel.h"

namespace sepx::app::cli {

using attention::LayerFactors;
using attention::Moments;

QkComputer::QkComputer(const Options& common) : pool_(common.threads) {}
QkComputer::~QkComputer() = default;

Result<std::unique_ptr<QkComputer>> QkComputer::create(const Options& common) {
  std::unique_ptr<QkComputer> made(new QkComputer(common));
  if (common.compute != ui::Compute::Gpu) return made;
  SEPX_ASSIGN(made->context_, gpu::Context::create(contextOptions(common, false)));
  made->device_ = made->context_->info().name;
  return made;
}

tl::unexpected<Error> QkComputer::interrupted() {
  return fail(ErrorKind::Interrupted, tr(N_("interrupted; nothing was written")));
}

const char* QkComputer::processor() const {
  return context_ ? "gpu" : "cpu";
}

std::string QkComputer::displayText() const {
  return context_ ? device_ : counted(pool_.size(), N_("CPU, {} thread"), N_("CPU, {} threads"));
}

namespace {

/// A pointer without ownership. A kernel keeps its factors for its lifetime; here the caller's factors live longer.
std::shared_ptr<const LayerFactors> borrowed(const LayerFactors& factors) {
  return {std::shared_ptr<const LayerFactors>(), &factors};
}

/// Number of non-finite weights, which a float kernel cannot detect.
std::size_t nonfiniteOf(const LayerFactors& factors) {
  const auto bad = [](const attention::Matrix& matrix) {
    return static_cast<std::size_t>(matrix.size() - matrix.array().isFinite().count());
  };
  return bad(factors.W_Q) + bad(factors.W_K);
}

}  // namespace

Result<Moments> QkComputer::moments(const LayerFactors& factors) {
  if (!context_) {
    auto moments = attention::momentsOf(factors, &pool_, [this] { return interrupts_.seen(); });
    if (!moments) return interrupted();
    return std::move(*moments);
  }
  SEPX_ASSIGN(auto kernel, gpu::QkKernel::create(*context_, borrowed(factors)));
  auto moments = kernel->moments();
  if (moments) moments->nonfinite = nonfiniteOf(factors);
  return moments;
}

Result<std::vector<Moments>> QkComputer::momentsOfHeads(const LayerFactors& factors) {
  if (!context_) {
    auto moments = attention::momentsOfHeads(factors, &pool_, [this] { return interrupts_.seen(); });
    if (!moments) return interrupted();
    return std::move(*moments);
  }
  std::vector<Moments> all;
  for (int head = 0; head < factors.heads; ++head) {
    if (interrupts_.seen()) return interrupted();
    SEPX_ASSIGN(auto one, moments(attention::headOf(factors, head)));
    all.push_back(std::move(one));
  }
  return all;
}

Result<attention::Matrix> QkComputer::crop(const LayerFactors& factors, attention::Part part,
                                           const attention::Crop& crop) {
  if (!context_) return attention::cropOf(factors, part, crop, &pool_);
  SEPX_ASSIGN(auto kernel, gpu::QkKernel::create(*context_, borrowed(factors)));
  return kernel->crop(part, crop);
}

}  // namespace sepx::app::cli
