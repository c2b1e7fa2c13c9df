// SPDX-License-Identifier: Apache-2.0
// Uninitialised memory for activations, with huge pages where the system provides them. Owned by one thread at a time.
#pragma once

#include <cstddef>
#include <memory>

namespace sepx::nn {

template <class T>
class Arena {
 public:
  /// Makes room for at least `elements` elements. The contents are lost when the arena grows.
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
