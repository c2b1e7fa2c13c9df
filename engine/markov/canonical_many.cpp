// SPDX-License-Identifier: Apache-2.0
// exp(c(S)) in its cheapest form: with A = exp(S), r = p/q and D = sqrt((r-1)^2 + 4rA) it is 2r/(D + 1 - r) for r <= 1
// and (D + r - 1)/(2A) for r > 1, neither of which cancels (Lemma 5). |S| is limited to 600, where Lambda' has long
// reached its limits. If the number of points is not a multiple of the number of lanes, the remaining points go through
// a padded block.
#include "engine/markov/canonical_many.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sepx::markov {

namespace {

struct Constants {
  double r = 1;    // p/q
  double p = 0.5;  // sigma(c) at S = S_star
  double pi0 = 0.5;
};

#if defined(__x86_64__)
#define SEPX_TARGET __attribute__((target("avx512f,fma")))
#define SEPX_NAME manyAvx512
#define SEPX_BYTES 64
#define SEPX_SQRT(x) (Vector) _mm512_maskz_sqrt_pd(0xff, (__m512d)(x))
#include "engine/markov/canonical_many.inc"
#define SEPX_TARGET __attribute__((target("avx2,fma")))
#define SEPX_NAME manyAvx2
#define SEPX_BYTES 32
#define SEPX_SQRT(x) (Vector) _mm256_sqrt_pd((__m256d)(x))
#include "engine/markov/canonical_many.inc"
#endif
#define SEPX_TARGET
#define SEPX_NAME manyGeneric
#define SEPX_BYTES 16
#define SEPX_SQRT(x)                     \
  Vector {                               \
    std::sqrt((x)[0]), std::sqrt((x)[1]) \
  }
#include "engine/markov/canonical_many.inc"

using Many = void (*)(const Constants&, std::size_t, const double*, const double*, double*, double*);

struct Kernel {
  Many run;
  std::size_t lanes;
};

Kernel kernelOf(GemmLevel level) {
#if defined(__x86_64__)
  if (level == GemmLevel::Avx512) return {manyAvx512, 8};
  if (level == GemmLevel::Avx2) return {manyAvx2, 4};
#endif
  (void)level;
  return {manyGeneric, 2};
}

}  // namespace

void canonicalMany(const Chain& chain, std::span<const double> e, std::span<const double> w, std::span<double> fe,
                   std::span<double> fw, GemmLevel level) {
  assert(w.size() == e.size() && fe.size() == e.size() && fw.size() == e.size());
  const Kernel kernel = kernelOf(std::min(level, gemmLevel()));
  const Constants constants{chain.p / chain.q, chain.p, chain.q / (chain.p + chain.q)};
  const std::size_t whole = e.size() / kernel.lanes * kernel.lanes, rest = e.size() - whole;
  kernel.run(constants, whole, e.data(), w.data(), fe.data(), fw.data());
  if (rest == 0) return;
  std::array<std::array<double, 8>, 4> block{};
  std::copy_n(e.data() + whole, rest, block[0].data());
  std::copy_n(w.data() + whole, rest, block[1].data());
  kernel.run(constants, kernel.lanes, block[0].data(), block[1].data(), block[2].data(), block[3].data());
  std::copy_n(block[2].data(), rest, fe.data() + whole);
  std::copy_n(block[3].data(), rest, fw.data() + whole);
}

}  // namespace sepx::markov
