// SPDX-License-Identifier: Apache-2.0
// Numbers of a checkpoint's tensors for a forward pass: where they lie in the mapped file if they are stored in the
// numbers of the pass, decoded otherwise. A tensor is seen as one row of values in row-major order. One reader a pass;
// find() and the rest that is not const on one thread, read() and inPlace() on any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/checkpoint/attention_map.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"

namespace sepx::forward {

/// A count that is not negative.
inline std::size_t asSize(int count) {
  return static_cast<std::size_t>(count);
}

class TensorReader {
 public:
  TensorReader(const checkpoint::Checkpoint& checkpoint, const checkpoint::Cancelled& cancelled)
      : checkpoint_(checkpoint), cancelled_(cancelled) {}

  /// BadInput: there is no such tensor, its format cannot be decoded, or its checksum is wrong.
  Result<const checkpoint::TensorInfo*> find(const std::string& name);
  /// The values in the file; null where they are stored in another format, as a view, or at an odd address.
  template <class T>
  const T* inPlace(const checkpoint::TensorInfo& tensor) const;
  /// Values [first, first + count) in row-major order. BadInput: there are not so many.
  template <class T>
  Result<void> read(const checkpoint::TensorInfo& tensor, std::uint64_t first, std::size_t count, T* out) const;
  /// `rows` ranges of `width` values that begin `apart` from each other, side by side in `out`.
  template <class T>
  Result<void> readRows(const checkpoint::TensorInfo& tensor, std::uint64_t first, std::uint64_t apart,
                        std::size_t rows, std::size_t width, T* out) const;
  /// The same of the tensor with this name. BadInput as of find and read.
  template <class T>
  Result<std::vector<T>> values(const std::string& name, std::uint64_t first, std::size_t count);

  /// What was found since the last call has been read: BadInput when one of the files shrank meanwhile. Of a large file
  /// the memory is given back.
  Result<void> done();
  /// Interrupted when the pass was cancelled. `share` of the pass that is done, 0 to 1.
  Result<void> goOn(double share);
  Result<void> goOn() { return goOn(share_); }
  /// body(i) for every i of [0, count) on the pool, in groups; between them it is asked whether to go on. `work` of one
  /// i, in multiplications. The first error of a body ends it; a body that runs out of memory is a BadInput.
  Result<void> forEach(ThreadPool& pool, std::size_t count, double work,
                       const std::function<Result<void>(std::size_t)>& body);

  const std::string& path() const { return checkpoint_.path(); }

 private:
  const std::byte* bytesOf(const checkpoint::TensorInfo& tensor) const;

  const checkpoint::Checkpoint& checkpoint_;
  const checkpoint::Cancelled& cancelled_;
  std::vector<const checkpoint::TensorInfo*> used_;
  double share_ = 0;
};

}  // namespace sepx::forward
