// SPDX-License-Identifier: Apache-2.0
// Instruction levels, panels and products of panels. Panels are padded with zeros. Entries beyond the edge of the
// requested range are computed like the others, but not stored.
#include "engine/core/gemm.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <new>
#include <type_traits>
#include <vector>

#include "engine/core/gemm_sweep.h"

namespace sepx {

using namespace gemm_detail;

#if defined(__x86_64__)
namespace {

/// SEPX_SIMD=generic or avx2 limits the program to a lower level than the machine supports, so that one machine can
/// test all levels.
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

constexpr std::size_t kTerms = 256;            // terms of k per block
constexpr std::size_t kPartBytes = 128 << 10;  // bytes of the part of B that is packed while another part is multiplied
constexpr std::size_t kLeastLines = 32;        // minimum number of cache lines that a tile prefetches
constexpr std::size_t kTermsTogether = 4;      // terms packed per pass; more map to the same cache lines
constexpr std::size_t kRowsAtOnce = 192;       // approximate number of rows that a thread packs at a time
constexpr std::size_t kAlignment = 64;         // bytes
constexpr std::size_t kBeyond = 2 * kGemmMostColumns;  // elements; tiles that start inside a panel read beyond its end

/// Keeps the memory of destroyed panels for new ones, because page faults on fresh memory cost as much as the packing
/// itself. One per process, like the allocator, since products have no common caller that could own it.
class Recycler {
 public:
  static Recycler& instance() {
    static Recycler recycler;
    return recycler;
  }
  Recycler() { pieces_.reserve(kMostPieces); }  // giveBack() must not allocate, since destructors call it
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

}  // namespace

template <class T>
void GemmPanels<T>::Free::operator()(T* data) const {
  Recycler::instance().giveBack(data, bytes);
}

template <class T>
GemmPanels<T>::GemmPanels(GemmSide side, std::size_t rows, std::size_t depth, GemmLevel level)
    : level_(std::min(level, gemmLevel())), layout_(gemmKernels<T>(level_).layout(side, rows, depth, kTerms)) {
  const std::size_t bytes = roundedUp((layout_.padded * depth + kBeyond) * sizeof(T), kAlignment);
  Free free;
  void* data = Recycler::instance().take(bytes, free.bytes);
  if (data == nullptr) throw std::bad_alloc();
  data_ = std::unique_ptr<T[], Free>(static_cast<T*>(data), free);
}

template <class T>
template <class S>
void GemmPanels<T>::fill(const std::function<const S*(std::size_t)>& row, ThreadPool* pool) {
  const GemmKernels<T>& kernels = gemmKernels<T>(level_);
  const auto panels = [&](std::size_t begin, std::size_t end) {
    std::array<const S*, kGemmMostColumns> source{};
    for (std::size_t panel = begin; panel < end; ++panel) {
      const std::size_t first = panel * layout_.step, used = std::min(layout_.step, layout_.rows - first);
      for (std::size_t i = 0; i < used; ++i)
        source[i] = row(first + i);
      for (std::size_t block = 0; block < layout_.blocks(); ++block) {
        const std::size_t from = block * layout_.terms, terms = layout_.termsOf(block), width = layout_.widthOf(panel);
        T* out = data_.get() + layout_.at(block, panel);
        if constexpr (std::is_same_v<S, T>)
          kernels.packRows(source.data(), used, from, terms, width, out);
        else
          kernels.packDoubleRows(source.data(), used, from, terms, width, out);
      }
    }
  };
  if (pool != nullptr)
    pool->parallelFor(0, layout_.panels(), std::max<std::size_t>(1, kRowsAtOnce / layout_.step), panels);
  else
    panels(0, layout_.panels());
}

template <class T>
void GemmPanels<T>::fillTransposed(const T* data, std::size_t ld) {
  const GemmPanelWidths widths{layout_.panels(), layout_.step, layout_.width, layout_.lastWidth};
  for (std::size_t block = 0; block < layout_.blocks(); ++block)
    gemmKernels<T>(level_).packColumns(data + block * layout_.terms * ld, ld, layout_.rows, layout_.termsOf(block),
                                       widths, data_.get() + layout_.at(block, 0));
}

template <class T>
void gemm(const GemmPanels<T>& left, std::size_t row0, std::size_t row1, const GemmPanels<T>& right,
          std::size_t column0, std::size_t column1, T* c, std::size_t ld, bool accumulate) {
  const GemmLayout &a = left.layout_, &b = right.layout_;
  assert(left.level_ == right.level_ && a.depth == b.depth);
  assert(row1 <= a.rows && column1 <= b.rows);
  if (row0 >= row1 || column0 >= column1) return;
  const GemmKernels<T>& kernels = gemmKernels<T>(left.level_);
  const std::size_t whole = column0 / b.step * b.step, blocks = std::max<std::size_t>(a.blocks(), 1);
  const std::size_t group = columnsAtOnce<T>(column1 - whole, std::min(b.terms, b.depth + 1), b.step);
  for (std::size_t first = whole; first < column1; first += group)
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t terms = a.termsOf(block), begin = std::max(first, column0);
      const std::size_t lines = terms * a.width * sizeof(T) / 64 / pieces(group, b.step) + 1;
      const Columns<T> columns{right.data_.get() + b.at(block, first / b.step), 0};
      const bool starts = accumulate || block > 0;
      for (std::size_t i = row0, rows = 0; i < row1; i += rows) {
        const std::size_t panel = i / a.step, within = i % a.step;
        rows = std::min(row1 - i, a.step - within);
        const T* from = left.data_.get() + a.at(block, panel);
        Prefetcher ahead;
        if (i + rows < row1) ahead = Prefetcher(from + a.width * terms, 0, 1, a.width * terms);
        T* out = c + (i - row0) * ld + (begin - column0);
        const GemmTile<T> tile{terms, from + within, nullptr, 0, starts ? out : nullptr, ld, out, ld, rows, 0};
        sweep<T>(b, kernels.interleaved[rows], tile, begin, std::min(first + group, column1), columns,
                 [&](const GemmTile<T>&) { ahead.fetch(lines); });
      }
    }
}

namespace {

/// Rows [first, first + count) and terms [from, from + terms) of a stored factor. The tiles of the previous part
/// prefetch them, and they are packed between those tiles in pieces of consecutive rows of the stored matrix. A piece
/// is packed after the next one has been prefetched.
template <class T>
class Part {
 public:
  Part() = default;
  /// `tiles`: number of tiles of the previous part. `out`: panels with layout().
  Part(const GemmKernels<T>& kernels, const GemmMatrix<T>& of, std::size_t first, std::size_t count, std::size_t from,
       std::size_t terms, std::size_t tiles, T* out)
      : kernels_(&kernels),
        layout_(kernels.layout(GemmSide::Right, count, terms, std::max<std::size_t>(terms, 1))),
        at_(of.data + (of.transposed ? from * of.ld + first : first * of.ld + from)),
        ld_(of.ld),
        transposed_(of.transposed),
        rows_(of.transposed ? terms : count),
        lines_(pieces((of.transposed ? count : terms) * sizeof(T), kLine) + 1),
        out_(out) {
    const std::size_t most = std::clamp<std::size_t>(tiles / lines_, 1, std::max<std::size_t>(rows_ / kLeastLines, 1));
    piece_ = evenPart(rows_, pieces(rows_, most), of.transposed ? 8 : layout_.step);
  }

  const GemmLayout& layout() const { return layout_; }
  const T* panels() const { return out_; }
  /// Sets the memory that a tile prefetches.
  void fetch(GemmTile<T>& tile) {
    tile.ahead = nullptr;
    tile.aheadStride = 0;
    if (fetched_ >= rows_) return;
    tile.ahead = reinterpret_cast<const char*>(at_ + fetched_ * ld_) + line_ * kLine;
    tile.aheadStride = ld_ * sizeof(T);
    tile.aheadTerms = std::max<std::size_t>(1, tile.k / piece_);
    if (++line_ < lines_) return;
    line_ = 0;
    if (fetched_ > 0) layOutPiece();
    fetched_ += piece_;
  }
  /// Packs the remaining rows.
  void layOut() {
    while (done_ < rows_)
      layOutPiece();
  }

 private:
  static constexpr std::size_t kLine = 64;

  void layOutPiece() {
    const std::size_t end = std::min(rows_, done_ + piece_), terms = layout_.depth;
    if (transposed_) {
      kernels_->packColumns(
          at_ + done_ * ld_, ld_, layout_.rows, end - done_,
          {layout_.panels(), layout_.step, layout_.width, layout_.lastWidth, terms, done_, kTermsTogether}, out_);
    } else {
      std::array<const T*, kGemmMostColumns> source{};
      for (std::size_t row = done_; row < end; row += layout_.step) {
        const std::size_t panel = row / layout_.step, used = std::min(layout_.step, end - row);
        for (std::size_t i = 0; i < used; ++i)
          source[i] = at_ + (row + i) * ld_;
        kernels_->packRows(source.data(), used, 0, terms, layout_.widthOf(panel), out_ + layout_.at(0, panel));
      }
    }
    done_ = end;
  }

  const GemmKernels<T>* kernels_ = nullptr;
  GemmLayout layout_;
  const T* at_ = nullptr;
  std::size_t ld_ = 0;
  bool transposed_ = false;
  std::size_t rows_ = 0, lines_ = 0, piece_ = 1, fetched_ = 0, line_ = 0, done_ = 0;
  T* out_ = nullptr;
};

}  // namespace

template <class T>
void gemm(const GemmPanels<T>& left, const GemmMatrix<T>& right, const T* bias, T* c, std::size_t ld) {
  const GemmLayout& a = left.layout_;
  if (a.rows == 0 || right.rows == 0) return;
  const GemmKernels<T>& kernels = gemmKernels<T>(left.level_);
  const std::size_t blocks = std::max<std::size_t>(a.blocks(), 1), terms = std::min(kTerms, a.depth);
  const std::size_t group = evenPart(right.rows, kPartBytes / sizeof(T) / kTerms, kernels.columns);
  const std::size_t parts = pieces(right.rows, group) * blocks;
  const std::size_t tiles = a.panels() * pieces(group, kernels.columns);
  const std::array<GemmPanels<T>, 2> packed{GemmPanels<T>(GemmSide::Right, group, terms, left.level_),
                                            GemmPanels<T>(GemmSide::Right, group, terms, left.level_)};
  const auto part = [&](std::size_t i) {
    const std::size_t first = i / blocks * group, block = i % blocks;
    return Part<T>(kernels, right, first, std::min(group, right.rows - first), block * kTerms, a.termsOf(block), tiles,
                   packed[i % 2].data_.get());
  };
  Part<T> own = part(0), next;
  for (std::size_t p = 0; p < parts; ++p, own = next) {
    own.layOut();
    next = p + 1 < parts ? part(p + 1) : Part<T>();
    const std::size_t first = p / blocks * group, block = p % blocks, columns = own.layout().rows;
    const T* const start = block > 0 ? c : bias;
    const std::size_t startStride = block > 0 ? ld : 0;
    for (std::size_t i = 0; i < a.rows; i += a.step) {
      const std::size_t rows = std::min(a.rows - i, a.step);
      const GemmTile<T> tile{a.termsOf(block),
                             left.data_.get() + a.at(block, i / a.step),
                             nullptr,
                             0,
                             start == nullptr ? nullptr : start + i * startStride + first,
                             startStride,
                             c + i * ld + first,
                             ld,
                             rows,
                             0};
      sweep<T>(own.layout(), kernels.interleaved[rows], tile, 0, columns, {own.panels(), 0},
               [&](GemmTile<T>& one) { next.fetch(one); });
    }
  }
}

template <class T>
void gemmABt(std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B, std::size_t ldb,
             T* C, std::size_t ldc) {
  GemmPanels<T> left(GemmSide::Left, m, k), right(GemmSide::Right, n, k);
  left.template fill<T>([&](std::size_t i) { return A + i * lda; });
  right.template fill<T>([&](std::size_t i) { return B + i * ldb; });
  gemm(left, 0, m, right, 0, n, C, ldc);
}

template <class T>
void gemmAtB(std::size_t m, std::size_t n, std::size_t k, const T* A, std::size_t lda, const T* B, std::size_t ldb,
             T* C, std::size_t ldc) {
  GemmPanels<T> left(GemmSide::Left, m, k), right(GemmSide::Right, n, k);
  left.fillTransposed(A, lda);
  right.fillTransposed(B, ldb);
  gemm(left, 0, m, right, 0, n, C, ldc);
}

#define SEPX_INSTANTIATE(T)                                                                                          \
  template class GemmPanels<T>;                                                                                      \
  template void GemmPanels<T>::fill<double>(const std::function<const double*(std::size_t)>&, ThreadPool*);          \
  template void gemm(const GemmPanels<T>&, std::size_t, std::size_t, const GemmPanels<T>&, std::size_t, std::size_t, \
                     T*, std::size_t, bool);                                                                         \
  template void gemm(const GemmPanels<T>&, const GemmMatrix<T>&, const T*, T*, std::size_t);                         \
  template void gemmABt(std::size_t, std::size_t, std::size_t, const T*, std::size_t, const T*, std::size_t, T*,     \
                        std::size_t);                                                                                \
  template void gemmAtB(std::size_t, std::size_t, std::size_t, const T*, std::size_t, const T*, std::size_t, T*,     \
                        std::size_t);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE
template void GemmPanels<float>::fill<float>(const std::function<const float*(std::size_t)>&, ThreadPool*);

}  // namespace sepx
