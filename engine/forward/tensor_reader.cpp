// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/tensor_reader.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <type_traits>

#include <fmt/format.h>

#include "engine/checkpoint/stored_check.h"
#include "engine/core/json.h"
#include "engine/core/resource_limits.h"
#include "engine/core/try.h"

namespace sepx::forward {

namespace {

using checkpoint::Dtype;
using checkpoint::TensorInfo;

/// Bytes. The pages of smaller files stay in memory for the next pass.
constexpr std::uint64_t kLargeFile = std::uint64_t{1} << 30;
/// Multiplications between two checks for cancellation: some tenths of a second.
constexpr double kWorkAtOnce = 8e9;

Result<void> hasValues(const TensorReader& reader, const TensorInfo& tensor, std::uint64_t first, std::size_t count) {
  const std::uint64_t all = tensor.values();
  if (first <= all && count <= all - first) return {};
  return fail(ErrorKind::BadInput, fmt::format("{}: tensor {} has {} values, it should have {}", reader.path(),
                                               inQuotes(tensor.name), all, first + count));
}

}  // namespace

Result<const TensorInfo*> TensorReader::find(const std::string& name) {
  const TensorInfo* const tensor = checkpoint_.find(name);
  if (tensor == nullptr)
    return fail(ErrorKind::BadInput, fmt::format("{}: there is no tensor {}", path(), inQuotes(name)));
  if (tensor->dtype == Dtype::Unreadable)
    return fail(ErrorKind::BadInput, fmt::format("{}: tensor {} is stored as {}, which cannot be decoded here", path(),
                                                 inQuotes(name), tensor->dtypeName));
  SEPX_TRY(checkpoint::checkStored(checkpoint_, *tensor, cancelled_));
  used_.push_back(tensor);
  return tensor;
}

const std::byte* TensorReader::bytesOf(const TensorInfo& tensor) const {
  return tensor.stored ? tensor.stored->data() : checkpoint_.files()[tensor.file]->bytes().data() + tensor.offset;
}

template <class T>
const T* TensorReader::inPlace(const TensorInfo& tensor) const {
  constexpr Dtype own = std::is_same_v<T, float> ? Dtype::F32 : Dtype::F64;
  if (tensor.dtype != own || !tensor.strides.empty()) return nullptr;
  const std::byte* const data = bytesOf(tensor);
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0) return nullptr;
  return reinterpret_cast<const T*>(data);
}

template <class T>
Result<void> TensorReader::read(const TensorInfo& tensor, std::uint64_t first, std::size_t count, T* out) const {
  SEPX_TRY(hasValues(*this, tensor, first, count));
  if (count == 0) return {};
  if (tensor.strides.empty()) {
    checkpoint::decode(tensor.dtype, bytesOf(tensor), first, count, out);
    return {};
  }
  // A view: reads whole rows at once where the range is at the start of a row.
  const std::uint64_t columns = tensor.values() / static_cast<std::uint64_t>(tensor.shape[0]);
  while (count > 0) {
    const std::uint64_t row = first / columns, column = first % columns;
    const std::uint64_t high = column == 0 ? std::max<std::uint64_t>(1, count / columns) : 1;
    const std::uint64_t wide = std::min<std::uint64_t>(columns - column, count);
    const auto number = [](std::uint64_t x) { return static_cast<std::int64_t>(x); };
    const std::size_t taken = static_cast<std::size_t>(high * wide);
    SEPX_TRY(checkpoint_.read(tensor, number(row), number(row + high), number(column), number(column + wide),
                              std::span<T>(out, taken)));
    first += taken;
    out += taken;
    count -= taken;
  }
  return {};
}

template <class T>
Result<void> TensorReader::readRows(const TensorInfo& tensor, std::uint64_t first, std::uint64_t apart,
                                    std::size_t rows, std::size_t width, T* out) const {
  if (rows == 0 || width == apart) return read(tensor, first, rows * width, out);
  SEPX_TRY(hasValues(*this, tensor, first + (rows - 1) * apart, width));
  if (!tensor.strides.empty()) {
    for (std::size_t row = 0; row < rows; ++row)
      SEPX_TRY(read(tensor, first + row * apart, width, out + row * width));
    return {};
  }
  const std::byte* const data = bytesOf(tensor);
  for (std::size_t row = 0; row < rows; ++row)
    checkpoint::decode(tensor.dtype, data, first + row * apart, width, out + row * width);
  return {};
}

template <class T>
Result<std::vector<T>> TensorReader::values(const std::string& name, std::uint64_t first, std::size_t count) {
  SEPX_ASSIGN(const TensorInfo* tensor, find(name));
  SEPX_TRY(hasValues(*this, *tensor, first, count));
  std::vector<T> out(count);
  SEPX_TRY(read(*tensor, first, count, out.data()));
  return out;
}

Result<void> TensorReader::done() {
  const std::vector<const TensorInfo*> used = std::move(used_);
  used_.clear();
  for (const TensorInfo* tensor : used) {
    if (tensor->stored) continue;
    const checkpoint::MappedFile& file = *checkpoint_.files()[tensor->file];
    SEPX_TRY(file.checkNotTruncated());
    if (file.size() > kLargeFile) file.release(tensor->offset, tensor->bytes);
  }
  return {};
}

Result<void> TensorReader::goOn(double share) {
  share_ = share;
  if (cancelled_ && cancelled_(share)) return fail(ErrorKind::Interrupted, "stopped while computing " + path());
  return {};
}

Result<void> TensorReader::forEach(ThreadPool& pool, std::size_t count, double work,
                                   const std::function<Result<void>(std::size_t)>& body) {
  const auto group = static_cast<std::size_t>(std::max(1.0, kWorkAtOnce / std::max(work, 1.0)));
  std::mutex mutex;
  std::optional<Error> error;
  const auto failed = [&](Error one) {
    const std::lock_guard lock(mutex);
    if (!error) error = std::move(one);
  };
  for (std::size_t begin = 0; begin < count; begin += std::min(group, count - begin)) {
    SEPX_TRY(goOn());
    const std::size_t end = begin + std::min(group, count - begin);
    pool.parallelFor(begin, end, 1, [&](std::size_t first, std::size_t last) {
      try {
        for (std::size_t i = first; i < last; ++i)
          if (Result<void> one = body(i); !one) return failed(std::move(one).error());
      } catch (const std::bad_alloc&) {
        failed({ErrorKind::BadInput, path() + ": " + outOfMemory()});
      }
    });
    if (error) return tl::unexpected<Error>(*std::move(error));
  }
  return {};
}

#define SEPX_INSTANTIATE(T)                                                                                     \
  template const T* TensorReader::inPlace<T>(const TensorInfo&) const;                                          \
  template Result<void> TensorReader::read<T>(const TensorInfo&, std::uint64_t, std::size_t, T*) const;         \
  template Result<void> TensorReader::readRows<T>(const TensorInfo&, std::uint64_t, std::uint64_t, std::size_t, \
                                                  std::size_t, T*) const;                                       \
  template Result<std::vector<T>> TensorReader::values<T>(const std::string&, std::uint64_t, std::size_t);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

}  // namespace sepx::forward
