// SPDX-License-Identifier: Apache-2.0
// Reads a TensorProto of ONNX, whose values are in raw_data, in a packed list, or in a file beside the model. Pure
// except for the files that it maps; any thread.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "engine/checkpoint/checkpoint.h"

namespace sepx::checkpoint {

class OnnxTensors {  ///< adds tensors of an ONNX model to `contents`
 public:
  /// The first of `contents.files` is the model itself; files beside it are added when a tensor names them.
  OnnxTensors(std::shared_ptr<const MappedFile> file, Contents& contents)
      : file_(std::move(file)), contents_(contents) {}

  /// Reads the message and adds a tensor called `name`; empty: with its own name. BadInput names the tensor.
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
