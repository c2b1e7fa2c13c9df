// SPDX-License-Identifier: Apache-2.0
// Uninitialised memory for activations, on large pages where the system lends them. Owned by one thread at a time.
#pragma once

#include <cstddef>
#include <memory>

namespace sepx::nn {

template <class T>
class Arena {
 public:
  /// At least so many elements; what was inside is lost when it grows.
  void hold(std::size_t elements);
  T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(T* data) const;
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

extern template class Arena<float>;
extern template class Arena<double>;

}  // namespace sepx::nn
