// SPDX-License-Identifier: Apache-2.0
// A checkpoint of any supported format, in one file or in several: the list of its tensors with shape, number format
// and location, its metadata, and on request the values of a tensor. Opening reads headers only, and nothing in a file
// is ever executed. Immutable after open(); any thread.
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
/// The name for display: "safetensors", "PyTorch zip", …. Names of formats are not translated.
const char* name(Format format);

inline constexpr std::size_t kMostDimensions = 8;       ///< per tensor
inline constexpr std::size_t kMostTensors = 1'000'000;  ///< per checkpoint

/// One tensor. Its values are row-major unless `strides` says otherwise (PyTorch views).
struct TensorInfo {
  std::string name;                   ///< as in the file, "h.0.attn.c_attn.weight"
  Dtype dtype = Dtype::F32;           ///< how a value is stored; Unreadable: it cannot be decoded here
  std::string dtypeName;              ///< the name that the file uses, also if dtype is Unreadable
  std::vector<std::int64_t> shape;    ///< empty: a scalar
  std::vector<std::int64_t> strides;  ///< in values, one per dimension; empty: row-major
  std::size_t file = 0;               ///< index into Checkpoint::files()
  std::uint64_t offset = 0;  ///< of the first value, bytes from the beginning of the file; unused if `stored` is set
  std::uint64_t bytes = 0;   ///< number of bytes that its values span, from `offset`
  std::shared_ptr<const std::vector<std::byte>> stored;  ///< values in memory (compressed zip entry); null: in the file
  std::string aliasOf;  ///< name of the first tensor with exactly the same bytes; empty if there is none

  std::uint64_t values() const;  ///< product of the shape; 1 for a scalar
};

/// The result of a reader. Checkpoint::open checks it again before it is used.
struct Contents {
  Format format = Format::Safetensors;                   ///< format of the weights
  std::vector<std::shared_ptr<const MappedFile>> files;  ///< the files that hold the tensors; empty: they are in memory
  std::vector<TensorInfo> tensors;                       ///< in any order
  /// The config beside the weights or inside them: config.json, GGUF's key-values under their own names
  /// ("llama.block_count"), or the header of llama2.c with the keys of a LLaMA config. Null if there is none.
  nlohmann::json config;
  std::string configFrom;                       ///< "config.json", "GGUF metadata", …; empty: there is none
  std::map<std::string, std::string> metadata;  ///< from safetensors' __metadata__, ONNX's producer, GGUF's general.*
  std::vector<std::string> notes;               ///< remarks for the user: "unpacked 3 MB", "2 tensors are aliases"
};

class Checkpoint {
 public:
  /// Opens a weight file, the index of a sharded checkpoint, or a folder that holds weights. BadInput names the file,
  /// the byte offset or field, and what is wrong. Never follows an index outside its folder. Compressed data has to be
  /// unpacked: `cancelled` is called for every megabyte of it. Interrupted if it returns true.
  static Result<std::shared_ptr<const Checkpoint>> open(const std::string& path, const Cancelled& cancelled = {});
  /// A checkpoint in memory, such as that of a run in training: every tensor of `contents` has `stored`. `name` takes
  /// the place of the path, also in messages; there are no files and no folder. BadInput for contents that open() would
  /// refuse in a file.
  static Result<std::shared_ptr<const Checkpoint>> ofTensors(Contents contents, const std::string& name);

  const std::string& path() const { return path_; }      ///< as given to open()
  const std::string& folder() const { return folder_; }  ///< folder that is searched for files beside the weights
  std::string title() const;                             ///< for display: titleOf()
  std::string name() const;                              ///< for JSON documents and rules: nameOf()
  Format format() const { return contents_.format; }     ///< format of the weights
  /// The files stay mapped as long as the checkpoint exists.
  const std::vector<std::shared_ptr<const MappedFile>>& files() const { return contents_.files; }
  const std::vector<TensorInfo>& tensors() const { return contents_.tensors; }  ///< sorted by name, natural order
  const TensorInfo* find(std::string_view name) const;                          ///< null when there is none
  const nlohmann::json& config() const { return contents_.config; }             ///< Contents::config
  const std::string& configFrom() const { return contents_.configFrom; }        ///< Contents::configFrom
  const std::map<std::string, std::string>& metadata() const { return contents_.metadata; }  ///< Contents::metadata
  const std::vector<std::string>& notes() const { return contents_.notes; }  ///< Contents::notes, and what open() found
  std::uint64_t bytes() const;                                               ///< size of all files together
  std::uint64_t parameters() const;  ///< number of values in all tensors except aliases, integers and optimiser state

  /// Reads rows [row0, row1) x columns [col0, col1) of a tensor viewed as [shape[0], product of the rest] into `out`,
  /// row-major, (row1 - row0) * (col1 - col0) values. A vector is [n, 1], a scalar [1, 1]. BadInput if there is no such
  /// range, the format cannot be decoded, or the file has shrunk.
  Result<void> read(const TensorInfo& tensor, std::int64_t row0, std::int64_t row1, std::int64_t col0,
                    std::int64_t col1, std::span<double> out) const;
  Result<void> read(const TensorInfo& tensor, std::int64_t row0, std::int64_t row1, std::int64_t col0,
                    std::int64_t col1, std::span<float> out) const;

  /// SHA-256 over the files in their order, in lower-case hexadecimal, for recipes. Reads everything. `cancelled` is
  /// called every few megabytes; Interrupted if it returns true.
  Result<std::string> sha256(const Cancelled& cancelled = {}) const;

 private:
  Checkpoint() = default;
  Result<void> take(Contents contents);
  std::string path_, folder_;
  Contents contents_;
  std::map<std::string, std::size_t, std::less<>> byName_;
};

/// The format of a file, or of the weights in a folder, from the first bytes, the size and the name; empty if it is not
/// a weight file. Used for files dropped on the window and for the contents of folders.
std::optional<Format> formatOf(const std::string& path);

// The readers, one source file each. They read only the headers of a mapped file (never null). BadInput names the path,
// and the byte offset or field.
Result<Contents> readSafetensors(std::shared_ptr<const MappedFile> file);
Result<Contents> readTorchZip(std::shared_ptr<const MappedFile> file, const Cancelled& cancelled = {});
Result<Contents> readTorchLegacy(std::shared_ptr<const MappedFile> file);
Result<Contents> readGguf(std::shared_ptr<const MappedFile> file);
Result<Contents> readLlama2c(std::shared_ptr<const MappedFile> file);
Result<Contents> readOnnx(std::shared_ptr<const MappedFile> file);
Result<Contents> readNpy(std::shared_ptr<const MappedFile> file);
Result<Contents> readNpz(std::shared_ptr<const MappedFile> file, const Cancelled& cancelled = {});

}  // namespace sepx::checkpoint
