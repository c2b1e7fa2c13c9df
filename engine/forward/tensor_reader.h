// SPDX-License-Identifier: Apache-2.0
// Reads the values of a checkpoint's tensors for a forward pass: in place in the mapped file if they are stored in the
// number type of the pass, otherwise decoded. A tensor is one sequence of values in row-major order. One reader per
// pass; functions that are not const, such as find(), on one thread, const ones, such as read(), on any.
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

/// Converts a count that is not negative.
inline std::size_t asSize(int count) {
  return static_cast<std::size_t>(count);
}

class TensorReader {
 public:
  TensorReader(const checkpoint::Checkpoint& checkpoint, const checkpoint::Cancelled& cancelled)
      : checkpoint_(checkpoint), cancelled_(cancelled) {}

  /// BadInput: there is no such tensor, its format cannot be decoded, or its checksum is wrong.
  Result<const checkpoint::TensorInfo*> find(const std::string& name);
  /// The values in the file; null if they are stored in another format, as a view, or at an unaligned address.
  template <class T>
  const T* inPlace(const checkpoint::TensorInfo& tensor) const;
  /// Values [first, first + count) in row-major order. BadInput if the tensor has fewer values.
  template <class T>
  Result<void> read(const checkpoint::TensorInfo& tensor, std::uint64_t first, std::size_t count, T* out) const;
  /// Reads `rows` ranges of `width` values, whose starts are `apart` values from each other, contiguously into `out`.
  template <class T>
  Result<void> readRows(const checkpoint::TensorInfo& tensor, std::uint64_t first, std::uint64_t apart,
                        std::size_t rows, std::size_t width, T* out) const;
  /// Values of the tensor with this name. BadInput as for find() and read().
  template <class T>
  Result<std::vector<T>> values(const std::string& name, std::uint64_t first, std::size_t count);

  /// Call this when all tensors found since the last call have been read. BadInput if one of the files has shrunk.
  /// Releases the pages of large files.
  Result<void> done();
  /// Interrupted if the pass was cancelled. `share`: completed share of the pass, 0 to 1.
  Result<void> goOn(double share);
  Result<void> goOn() { return goOn(share_); }
  /// Runs body(i) for every i in [0, count) on the thread pool, in groups, and calls goOn() between groups. `work`:
  /// number of multiplications of one i. The first error of a body ends the loop; a body that runs out of memory is
  /// BadInput.
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
