// SPDX-License-Identifier: Apache-2.0
// Turns the graph of a PyTorch pickle into named tensors: walks through dictionaries and modules and joins their keys
// with dots. Prefixes that wrap all weights ("state_dict.", "module.") are removed, the optimiser's tensors keep their
// names, and notes report both. Pure except for what `place` reads; any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/torch_storage.h"

namespace sepx::checkpoint {

/// The bytes of a storage, in the file or unpacked.
struct StoragePlace {
  std::uint64_t offset = 0;  ///< from the beginning of the file, or of `unpacked`
  std::uint64_t bytes = 0;
  std::shared_ptr<const std::vector<std::byte>> unpacked;
};

struct TorchSource {  ///< the file that the objects came from
  std::string path;
  std::string_view part;  ///< "data.pkl"; empty in old files
  /// Finds where a storage is; BadInput if it is missing.
  std::function<Result<StoragePlace>(const TorchStorage&)> place;
  std::span<const std::byte> pickle;  ///< the bytes that the texts of the graph point into
  std::uint64_t pickleOffset = 0;     ///< offset of `pickle` in the file; unused if it was unpacked
  bool pickleUnpacked = false;
};

/// Fills tensors, config, metadata and notes. BadInput names the tensor.
Result<void> readTorchObjects(const PickleGraph& graph, const TorchSource& source, Contents& contents);

}  // namespace sepx::checkpoint
