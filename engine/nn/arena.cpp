// SPDX-License-Identifier: Apache-2.0
// Heap memory aligned to a huge page, with a request to the system for such pages (arena.h).
#include "engine/nn/arena.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace sepx::nn {

namespace {

constexpr std::size_t kPage = std::size_t{1} << 21U;
constexpr std::size_t kLine = 64;

}  // namespace

template <class T>
void Arena<T>::Free::operator()(T* data) const {
  std::free(data);
}

template <class T>
void Arena<T>::hold(std::size_t elements) {
  if (elements <= size_) return;
  data_.reset();  // freed before the new allocation, so that the peak is the larger of the two
  size_ = 0;
  std::size_t bytes = elements * sizeof(T);
  const std::size_t align = bytes >= kPage ? kPage : kLine;
  bytes = (bytes + kLine - 1) / kLine * kLine;
  data_.reset(static_cast<T*>(std::aligned_alloc(align, (bytes + align - 1) / align * align)));
  if (data_ == nullptr) throw std::bad_alloc();
  if (align == kPage) madvise(data_.get(), bytes / kPage * kPage, MADV_HUGEPAGE);  // only a hint; failure is harmless
  size_ = elements;
}

template class Arena<float>;
template class Arena<double>;

}  // namespace sepx::nn
