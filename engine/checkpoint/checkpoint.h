// SPDX-License-Identifier: Apache-2.0
// One checkpoint, whatever its format and however many files it lies in: the list of its tensors with shape, number
// format and place, its metadata, and the numbers of a tensor when somebody asks. Opening reads headers only; nothing
// of a file is ever executed. Immutable after open(); any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/checkpoint/dtype.h"
#include "engine/checkpoint/mapped_file.h"
#include "engine/core/result.h"

namespace sepx::checkpoint {

enum class Format { Safetensors, TorchZip, TorchLegacy, Gguf, Llama2c, Onnx, Npy, Npz };  ///< what kind of file it is
/// "safetensors", "PyTorch zip", …: as a person reads it; not translated, names of formats.
const char* name(Format format);

inline constexpr std::size_t kMostDimensions = 8;       ///< of one tensor
inline constexpr std::size_t kMostTensors = 1'000'000;  ///< of one checkpoint

/// One tensor. Values lie row-major unless `strides` says otherwise (PyTorch views).
struct TensorInfo {
  std::string name;                   ///< as in the file, "h.0.attn.c_attn.weight"
  Dtype dtype = Dtype::F32;           ///< how a value is stored; Unreadable: it cannot be decoded here
  std::string dtypeName;              ///< as the file calls it, also where dtype is Unreadable
  std::vector<std::int64_t> shape;    ///< empty: a scalar
  std::vector<std::int64_t> strides;  ///< in values, one a dimension; empty: row-major
  std::size_t file = 0;               ///< index into Checkpoint::files()
  std::uint64_t offset = 0;  ///< of the tensor's first value, bytes from the file's begin; unused if `stored` is set
  std::uint64_t bytes = 0;   ///< that its values span, from `offset`
  std::shared_ptr<const std::vector<std::byte>> stored;  ///< a tensor that had to be unpacked (compressed zip entry)
  std::string aliasOf;  ///< the first tensor with the very same bytes, empty if there is none

  std::uint64_t values() const;  ///< product of the shape; 1 for a scalar
};

/// What a reader hands over; Checkpoint::open checks it once more before anybody sees it.
struct Contents {
  Format format = Format::Safetensors;                   ///< of the weights
  std::vector<std::shared_ptr<const MappedFile>> files;  ///< in which the tensors lie; empty: they are in memory
  std::vector<TensorInfo> tensors;                       ///< in any order
  /// Beside the weights or inside them: config.json, GGUF's key-values under their own names ("llama.block_count"),
  /// the header of llama2.c in the words of a LLaMA config. Null when there is none.
  nlohmann::json config;
  std::string configFrom;                       ///< "config.json", "GGUF metadata", …; empty: there is none
  std::map<std::string, std::string> metadata;  ///< of safetensors' __metadata__, ONNX producer, GGUF general.*
  std::vector<std::string> notes;               ///< what a person should know: "unpacked 3 MB", "2 tensors are aliases"
};

class Checkpoint {
 public:
  /// A weight file, the index of a sharded checkpoint, or a folder with weights in it. BadInput with file, byte offset
  /// or field, and what is wrong. Never follows an index outside its folder. What is compressed has to be unpacked:
  /// `cancelled` is asked every megabyte of it; Interrupted when it says yes.
  static Result<std::shared_ptr<const Checkpoint>> open(const std::string& path, const Cancelled& cancelled = {});
  /// A checkpoint in memory, as a run that is being trained: every tensor of `contents` has `stored`. `name` stands for
  /// the path, in sentences too; there are no files and no folder. BadInput: what open() would refuse of a file.
  static Result<std::shared_ptr<const Checkpoint>> ofTensors(Contents contents, const std::string& name);

  const std::string& path() const { return path_; }      ///< as given to open()
  const std::string& folder() const { return folder_; }  ///< where files beside the weights are looked for
  std::string title() const;                             ///< for a person: titleOf()
  std::string name() const;                              ///< in JSON documents and rules: nameOf()
  Format format() const { return contents_.format; }     ///< of the weights
  /// Mapped as long as the checkpoint is held.
  const std::vector<std::shared_ptr<const MappedFile>>& files() const { return contents_.files; }
  const std::vector<TensorInfo>& tensors() const { return contents_.tensors; }  ///< sorted by name, natural order
  const TensorInfo* find(std::string_view name) const;                          ///< null when there is none
  const nlohmann::json& config() const { return contents_.config; }             ///< Contents::config
  const std::string& configFrom() const { return contents_.configFrom; }        ///< Contents::configFrom
  const std::map<std::string, std::string>& metadata() const { return contents_.metadata; }  ///< Contents::metadata
  const std::vector<std::string>& notes() const { return contents_.notes; }  ///< Contents::notes, and what open() found
  std::uint64_t bytes() const;                                               ///< of all files
  std::uint64_t parameters() const;  ///< values of all tensors that are no aliases, integers or optimiser state

  /// Rows [row0, row1) x columns [col0, col1) of a tensor seen as [shape[0], product of the rest], row-major into `out`
  /// (row1 - row0) * (col1 - col0) values. A vector is [n, 1]... a scalar [1, 1]. BadInput: no such range, a format
  /// that cannot be decoded, or the file shrank.
  Result<void> read(const TensorInfo& tensor, std::int64_t row0, std::int64_t row1, std::int64_t col0,
                    std::int64_t col1, std::span<double> out) const;
  Result<void> read(const TensorInfo& tensor, std::int64_t row0, std::int64_t row1, std::int64_t col0,
                    std::int64_t col1, std::span<float> out) const;

  /// SHA-256 over the files in their order, lower-case hexadecimal: for recipes. Reads everything; `cancelled` is asked
  /// every few megabytes. Interrupted when it says yes.
  Result<std::string> sha256(const Cancelled& cancelled = {}) const;

 private:
  Checkpoint() = default;
  Result<void> take(Contents contents);
  std::string path_, folder_;
  Contents contents_;
  std::map<std::string, std::size_t, std::less<>> byName_;
};

/// What a file is, by its first bytes, its size and its name; nothing when it is not a weight file. For dropping
/// anything on the window, and for folders.
std::optional<Format> formatOf(const std::string& path);

// The readers, one file each: of a mapped file (never null), headers only. BadInput names path, byte offset or field.
Result<Contents> readSafetensors(std::shared_ptr<const MappedFile> file);
Result<Contents> readTorchZip(std::shared_ptr<const MappedFile> file, const Cancelled& cancelled = {});
Result<Contents> readTorchLegacy(std::shared_ptr<const MappedFile> file);
Result<Contents> readGguf(std::shared_ptr<const MappedFile> file);
Result<Contents> readLlama2c(std::shared_ptr<const MappedFile> file);
Result<Contents> readOnnx(std::shared_ptr<const MappedFile> file);
Result<Contents> readNpy(std::shared_ptr<const MappedFile> file);
Result<Contents> readNpz(std::shared_ptr<const MappedFile> file, const Cancelled& cancelled = {});

}  // namespace sepx::checkpoint
