// SPDX-License-Identifier: Apache-2.0
// From the graph of a PyTorch pickle to tensors with names: dictionaries and modules are walked, keys joined by dots.
// Names lose what wraps all weights ("state_dict.", "module."), the optimiser's tensors keep theirs; notes say so.
// Pure but for what `place` reads; any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/torch_storage.h"

namespace sepx::checkpoint {

/// Bytes of a storage: in the file, or unpacked.
struct StoragePlace {
  std::uint64_t offset = 0;  ///< from the file's begin, or from that of `unpacked`
  std::uint64_t bytes = 0;
  std::shared_ptr<const std::vector<std::byte>> unpacked;
};

struct TorchSource {  ///< the file that the objects came from
  std::string path;
  std::string_view part;  ///< "data.pkl"; empty in old files
  /// Where a storage lies; BadInput when it does not.
  std::function<Result<StoragePlace>(const TorchStorage&)> place;
  std::span<const std::byte> pickle;  ///< what the graph's texts point into
  std::uint64_t pickleOffset = 0;     ///< of it in the file; unused where it was unpacked
  bool pickleUnpacked = false;
};

/// Fills tensors, config, metadata and notes. BadInput names the tensor.
Result<void> readTorchObjects(const PickleGraph& graph, const TorchSource& source, Contents& contents);

}  // namespace sepx::checkpoint
