// SPDX-License-Identifier: Apache-2.0
// Packed panels and register blocks: B's panel stays in the first cache, a block of A's rows in the second. k is cut
// into blocks of kDepth; within one an entry is summed term by term, then added to C. Panels are padded with zeros, so
// that the edge is computed like the middle and only copied with care.
#include "engine/core/gemm.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

namespace sepx {

namespace {

#ifdef __clang__
#define SEPX_UNROLL _Pragma("unroll")
#else
#define SEPX_UNROLL _Pragma("GCC unroll 16")
#endif

#if defined(__x86_64__)
#define SEPX_TARGET __attribute__((target("avx512f,fma")))
#define SEPX_NAME floatAvx512
#define SEPX_TYPE float
#define SEPX_BYTES 64
#define SEPX_ROWS 12
#define SEPX_VECTORS 2
#include "engine/core/gemm_kernel.inc"
#define SEPX_TARGET __attribute__((target("avx512f,fma")))
#define SEPX_NAME doubleAvx512
#define SEPX_TYPE double
#define SEPX_BYTES 64
#define SEPX_ROWS 12
#define SEPX_VECTORS 2
#include "engine/core/gemm_kernel.inc"
#define SEPX_TARGET __attribute__((target("avx2,fma")))
#define SEPX_NAME floatAvx2
#define SEPX_TYPE float
#define SEPX_BYTES 32
#define SEPX_ROWS 6
#define SEPX_VECTORS 2
#include "engine/core/gemm_kernel.inc"
#define SEPX_TARGET __attribute__((target("avx2,fma")))
#define SEPX_NAME doubleAvx2
#define SEPX_TYPE double
#define SEPX_BYTES 32
#define SEPX_ROWS 6
#define SEPX_VECTORS 2
#include "engine/core/gemm_kernel.inc"
#endif
#define SEPX_TARGET
#define SEPX_NAME floatGeneric
#define SEPX_TYPE float
#define SEPX_BYTES 16
#define SEPX_ROWS 4
#define SEPX_VECTORS 2
#include "engine/core/gemm_kernel.inc"
#define SEPX_TARGET
#define SEPX_NAME doubleGeneric
#define SEPX_TYPE double
#define SEPX_BYTES 16
#define SEPX_ROWS 4
#define SEPX_VECTORS 2
#include "engine/core/gemm_kernel.inc"

constexpr std::size_t kDepth = 256;     // terms of a block of k
constexpr std::size_t kAlignment = 64;  // bytes
constexpr std::size_t kMostTile = 12 * 32;

template <class T>
struct Kernel {
  void (*run)(std::size_t k, const T* a, const T* b, T* c, std::size_t ld, bool accumulate) = nullptr;
  std::size_t rows = 0, columns = 0;  // of the register block
};

template <class T>
Kernel<T> kernelOf(GemmLevel level);

template <>
Kernel<float> kernelOf(GemmLevel level) {
#if defined(__x86_64__)
  if (level == GemmLevel::Avx512) return {floatAvx512, 12, 32};
  if (level == GemmLevel::Avx2) return {floatAvx2, 6, 16};
#endif
  (void)level;
  return {floatGeneric, 4, 8};
}

template <>
Kernel<double> kernelOf(GemmLevel level) {
#if defined(__x86_64__)
  if (level == GemmLevel::Avx512) return {doubleAvx512, 12, 16};
  if (level == GemmLevel::Avx2) return {doubleAvx2, 6, 8};
#endif
  (void)level;
  return {doubleGeneric, 4, 4};
}

std::size_t roundedUp(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// The part of a register block at (row, column) of the product that lies in the wanted range.
template <class T>
struct Edge {
  std::size_t row0, row1, column0, column1;  // within the block
  T* c;                                      // where (row0, column0) goes
  std::size_t ld;

  void store(const T* tile, std::size_t width, bool accumulate) const {
    for (std::size_t i = row0; i < row1; ++i)
      for (std::size_t j = column0; j < column1; ++j) {
        T& out = c[(i - row0) * ld + (j - column0)];
        out = accumulate ? out + tile[i * width + j] : tile[i * width + j];
      }
  }
};

}  // namespace

#if defined(__x86_64__)
namespace {

/// SEPX_SIMD=generic or avx2 holds the program below what the machine has, so that one machine can test all levels.
GemmLevel wantedLevel() {
  const char* wanted = std::getenv("SEPX_SIMD");
  const std::string_view name = wanted == nullptr ? "" : wanted;
  return name == "generic" ? GemmLevel::Generic : name == "avx2" ? GemmLevel::Avx2 : GemmLevel::Avx512;
}

GemmLevel machineLevel() {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("fma")) return GemmLevel::Generic;
  if (__builtin_cpu_supports("avx512f")) return GemmLevel::Avx512;
  return __builtin_cpu_supports("avx2") ? GemmLevel::Avx2 : GemmLevel::Generic;
}

}  // namespace
#endif

GemmLevel gemmLevel() {
#if defined(__x86_64__)
  static const GemmLevel level = std::min(machineLevel(), wantedLevel());
  return level;
#else
  return GemmLevel::Generic;
#endif
}

std::string_view gemmLevelName(GemmLevel level) {
  switch (level) {
    case GemmLevel::Avx512:
      return "AVX-512";
    case GemmLevel::Avx2:
      return "AVX2";
    case GemmLevel::Generic:
      break;
  }
  return "generic";
}

namespace {

/// Memory of panels that are gone, for the next ones: fresh pages cost as much as packing into them.
class Recycler {
 public:
  static Recycler& instance() {
    static Recycler recycler;
    return recycler;
  }
  ~Recycler() {
    for (const Piece& piece : pieces_)
      std::free(piece.data);
  }

  void* take(std::size_t bytes, std::size_t& capacity) {
    {
      const std::lock_guard lock(mutex_);
      const auto fits = [bytes](const Piece& piece) { return piece.bytes >= bytes && piece.bytes <= 2 * bytes; };
      const auto found = std::find_if(pieces_.begin(), pieces_.end(), fits);
      if (found != pieces_.end()) {
        const Piece piece = *found;
        pieces_.erase(found);
        kept_ -= piece.bytes;
        capacity = piece.bytes;
        return piece.data;
      }
    }
    capacity = bytes;
    return std::aligned_alloc(kAlignment, bytes);
  }
  void giveBack(void* data, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes > kMost || pieces_.size() >= kMostPieces || kept_ + bytes > kMost) return std::free(data);
    pieces_.push_back({data, bytes});
    kept_ += bytes;
  }

 private:
  static constexpr std::size_t kMost = std::size_t{32} << 20, kMostPieces = 16;
  struct Piece {
    void* data;
    std::size_t bytes;
  };
  std::mutex mutex_;
  std::vector<Piece> pieces_;
  std::size_t kept_ = 0;
};

/// `kWidth` rows side by side: their numbers k one after the other. A constant width is what makes this fast.
template <std::size_t kWidth, class S, class T>
void interleave(const S* const* source, std::size_t from, std::size_t terms, T* out) {
  for (std::size_t k = from; k < from + terms; ++k, out += kWidth) {
    SEPX_UNROLL
    for (std::size_t i = 0; i < kWidth; ++i)
      out[i] = static_cast<T>(source[i][k]);
  }
}

template <class S, class T>
void interleave(std::size_t width, const S* const* source, std::size_t from, std::size_t terms, T* out) {
  switch (width) {
    case 4:
      return interleave<4>(source, from, terms, out);
    case 6:
      return interleave<6>(source, from, terms, out);
    case 8:
      return interleave<8>(source, from, terms, out);
    case 12:
      return interleave<12>(source, from, terms, out);
    case 16:
      return interleave<16>(source, from, terms, out);
    case 32:
      return interleave<32>(source, from, terms, out);
    default:
      assert(false && "a width that no kernel has");
  }
}

}  // namespace

template <class T>
void GemmPanels<T>::Free::operator()(T* data) const {
  Recycler::instance().giveBack(data, bytes);
}

template <class T>
GemmPanels<T>::GemmPanels(GemmSide side, std::size_t rows, std::size_t depth, GemmLevel level)
    : level_(std::min(level, gemmLevel())), rows_(rows), depth_(depth) {
  const Kernel<T> kernel = kernelOf<T>(level_);
  width_ = side == GemmSide::Left ? kernel.rows : kernel.columns;
  static_assert(kGrain % 12 == 0 && kGrain % 32 == 0, "threads fill whole panels");
  padded_ = roundedUp(rows, width_);
  const std::size_t bytes = roundedUp(std::max<std::size_t>(padded_ * depth_ * sizeof(T), 1), kAlignment);
  Free free;
  void* data = Recycler::instance().take(bytes, free.bytes);
  if (data == nullptr) throw std::bad_alloc();
  data_ = std::unique_ptr<T[], Free>(static_cast<T*>(data), free);
}

/// Where panel `panel` of the block of k that begins at `block` * kDepth stands.
template <class T>
const T* GemmPanels<T>::panel(std::size_t block, std::size_t panel) const {
  const std::size_t first = block * kDepth, terms = std::min(kDepth, depth_ - first);
  return data_.get() + first * padded_ + panel * width_ * terms;
}

template <class T>
template <class S>
void GemmPanels<T>::fill(std::size_t first, std::size_t last, const std::function<const S*(std::size_t)>& row) {
  assert(first % kGrain == 0 && last <= rows_);
  std::array<const S*, 32> source{};
  for (std::size_t p = first / width_; p * width_ < last; ++p) {
    const std::size_t used = std::min(width_, last - p * width_);
    for (std::size_t i = 0; i < width_; ++i)
      source[i] = row(p * width_ + std::min(i, used - 1));
    for (std::size_t block = 0; block * kDepth < depth_; ++block) {
      const std::size_t from = block * kDepth, terms = std::min(kDepth, depth_ - from);
      T* out = const_cast<T*>(panel(block, p));
      interleave(width_, source.data(), from, terms, out);
      if (used < width_)
        for (std::size_t k = 0; k < terms; ++k)
          std::fill(out + k * width_ + used, out + (k + 1) * width_, T{0});
    }
  }
}

template <class T>
void GemmPanels<T>::fillTransposed(const T* data, std::size_t ld) {
  for (std::size_t block = 0; block * kDepth < depth_; ++block) {
    const std::size_t from = block * kDepth, terms = std::min(kDepth, depth_ - from);
    for (std::size_t p = 0; p * width_ < rows_; ++p) {
      const std::size_t used = std::min(width_, rows_ - p * width_);
      T* out = const_cast<T*>(panel(block, p));
      for (std::size_t k = 0; k < terms; ++k, out += width_) {
        std::copy_n(data + (from + k) * ld + p * width_, used, out);
        std::fill(out + used, out + width_, T{0});
      }
    }
  }
}

template <class T>
void gemm(const GemmPanels<T>& left, std::size_t row0, std::size_t row1, const GemmPanels<T>& right,
          std::size_t column0, std::size_t column1, T* c, std::size_t ld, bool accumulate) {
  assert(left.level_ == right.level_ && left.depth_ == right.depth_);
  assert(row1 <= left.rows_ && column1 <= right.rows_);
  if (row0 >= row1 || column0 >= column1) return;
  const Kernel<T> kernel = kernelOf<T>(left.level_);
  if (left.depth_ == 0) {
    for (std::size_t i = 0; i < row1 - row0 && !accumulate; ++i)
      std::fill_n(c + i * ld, column1 - column0, T{0});
    return;
  }
  alignas(kAlignment) std::array<T, kMostTile> tile;
  const std::size_t rowsAtOnce = GemmPanels<T>::kGrain;
  for (std::size_t strip = row0 / kernel.rows * kernel.rows; strip < row1; strip += rowsAtOnce)
    for (std::size_t block = 0; block * kDepth < left.depth_; ++block) {
      const std::size_t terms = std::min(kDepth, left.depth_ - block * kDepth);
      for (std::size_t j = column0 / kernel.columns * kernel.columns; j < column1; j += kernel.columns) {
        const T* b = right.panel(block, j / kernel.columns);
        for (std::size_t i = strip; i < std::min(strip + rowsAtOnce, row1); i += kernel.rows) {
          const T* a = left.panel(block, i / kernel.rows);
          if (i >= row0 && i + kernel.rows <= row1 && j >= column0 && j + kernel.columns <= column1) {
            kernel.run(terms, a, b, c + (i - row0) * ld + (j - column0), ld, accumulate || block > 0);
            continue;
          }
          kernel.run(terms, a, b, tile.data(), kernel.columns, false);
          const std::size_t top = std::max(i, row0), begin = std::max(j, column0);
          Edge<T>{top - i,
                  std::min(kernel.rows, row1 - i),
                  begin - j,
                  std::min(kernel.columns, column1 - j),
                  c + (top - row0) * ld + (begin - column0),
                  ld}
              .store(tile.data(), kernel.columns, accumulate || block > 0);
        }
      }
    }
}

namespace {

template <class T>
void once(std::size_t m, std::size_t n, std::size_t k, const T* a, std::size_t lda, const T* b, std::size_t ldb, T* c,
          std::size_t ldc) {
  GemmPanels<T> left(GemmSide::Left, m, k), right(GemmSide::Right, n, k);
  left.template fill<T>(0, m, [&](std::size_t i) { return a + i * lda; });
  right.template fill<T>(0, n, [&](std::size_t i) { return b + i * ldb; });
  gemm(left, 0, m, right, 0, n, c, ldc);
}

}  // namespace

void gemmABt(std::size_t m, std::size_t n, std::size_t k, const float* a, std::size_t lda, const float* b,
             std::size_t ldb, float* c, std::size_t ldc) {
  once(m, n, k, a, lda, b, ldb, c, ldc);
}

void gemmABt(std::size_t m, std::size_t n, std::size_t k, const double* a, std::size_t lda, const double* b,
             std::size_t ldb, double* c, std::size_t ldc) {
  once(m, n, k, a, lda, b, ldb, c, ldc);
}

void gemmAtB(std::size_t m, std::size_t n, std::size_t k, const double* a, std::size_t lda, const double* b,
             std::size_t ldb, double* c, std::size_t ldc) {
  GemmPanels<double> left(GemmSide::Left, m, k), right(GemmSide::Right, n, k);
  left.fillTransposed(a, lda);
  right.fillTransposed(b, ldb);
  gemm(left, 0, m, right, 0, n, c, ldc);
}

template class GemmPanels<float>;
template class GemmPanels<double>;
template void GemmPanels<float>::fill<float>(std::size_t, std::size_t, const std::function<const float*(std::size_t)>&);
template void GemmPanels<float>::fill<double>(std::size_t, std::size_t,
                                              const std::function<const double*(std::size_t)>&);
template void GemmPanels<double>::fill<double>(std::size_t, std::size_t,
                                               const std::function<const double*(std::size_t)>&);
template void gemm(const GemmPanels<float>&, std::size_t, std::size_t, const GemmPanels<float>&, std::size_t,
                   std::size_t, float*, std::size_t, bool);
template void gemm(const GemmPanels<double>&, std::size_t, std::size_t, const GemmPanels<double>&, std::size_t,
                   std::size_t, double*, std::size_t, bool);

}  // namespace sepx
