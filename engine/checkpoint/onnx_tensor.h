// SPDX-License-Identifier: Apache-2.0
// One TensorProto of ONNX: its numbers lie in raw_data, in a packed list, or in a file beside the model. Pure but for
// the files that are mapped; any thread.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "engine/checkpoint/checkpoint.h"

namespace sepx::checkpoint {

class OnnxTensors {  ///< tensors of an ONNX model, added to `contents`
 public:
  /// `contents.files` begins with the model itself; files beside it are added as tensors name them.
  OnnxTensors(std::shared_ptr<const MappedFile> file, Contents& contents)
      : file_(std::move(file)), contents_(contents) {}

  /// Reads the message and adds a tensor called `name`, or by its own name where that is empty. BadInput names it.
  Result<void> add(std::span<const std::byte> message, std::string_view name = {});

 private:
  struct Parts;
  Result<void> readParts(bool named, TensorInfo& info, Parts& parts) const;
  Result<void> readExternal(std::span<const std::byte> message, const TensorInfo& info, Parts& parts) const;
  Result<void> place(const Parts& parts, TensorInfo& info);
  Result<void> placeExternal(const Parts& parts, TensorInfo& info);
  Result<void> placeNumbers(const Parts& parts, TensorInfo& info);
  Result<std::size_t> fileBeside(const std::string& location, const std::string& tensor);
  std::uint64_t offsetOf(std::span<const std::byte> bytes) const {
    return static_cast<std::uint64_t>(bytes.data() - file_->bytes().data());
  }
  tl::unexpected<Error> bad(std::span<const std::byte> at, std::string_view tensor, std::string_view what) const;

  std::shared_ptr<const MappedFile> file_;
  Contents& contents_;
  std::map<std::string, std::size_t> beside_;  ///< index into contents_.files by location and by real path
  std::uint64_t copied_ = 0;
};

}  // namespace sepx::checkpoint
