// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "engine/checkpoint/checkpoint_check.h"
#include "engine/checkpoint/read_folder.h"
#include "engine/checkpoint/title.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace fs = std::filesystem;

namespace {

bool isInteger(Dtype dtype) {
  return dtype >= Dtype::I64 && dtype <= Dtype::Bool;
}

constexpr std::size_t kLongestFormatName = 80;  ///< bytes

/// Moments and the like that a training checkpoint keeps beside its model, "OPTIMIZER_STATE.state.0.exp_avg".
bool isOptimiserState(std::string_view name) {
  std::string first(name.substr(0, name.find('.')));
  std::transform(first.begin(), first.end(), first.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return first.find("optim") != std::string::npos;
}

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    fine_ = context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1;
  }
  void add(std::span<const std::byte> bytes) {
    fine_ = fine_ && EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1;
  }
  Result<std::string> text() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    fine_ = fine_ && EVP_DigestFinal_ex(context_.get(), digest.data(), &length) == 1;
    if (!fine_) return fail(ErrorKind::Internal, "SHA-256 is not available in this system's OpenSSL");
    std::string text;
    for (unsigned i = 0; i < length; ++i)
      text += fmt::format("{:02x}", digest[i]);
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
  bool fine_ = false;
};

}  // namespace

const char* name(Format format) {
  switch (format) {
    case Format::Safetensors:
      return "safetensors";
    case Format::TorchZip:
      return "PyTorch zip";
    case Format::TorchLegacy:
      return "PyTorch legacy pickle";
    case Format::Gguf:
      return "GGUF";
    case Format::Llama2c:
      return "llama2.c";
    case Format::Onnx:
      return "ONNX";
    case Format::Npy:
      return "NumPy npy";
    case Format::Npz:
      return "NumPy npz";
  }
  return "";
}

std::uint64_t TensorInfo::values() const {
  return valuesOf(shape).value_or(0);
}

Result<std::shared_ptr<const Checkpoint>> Checkpoint::open(const std::string& path, const Cancelled& cancelled) {
  auto found = readWeights(path, cancelled);
  if (!found) return fail(found.error().kind, readable(found.error().sentence));
  std::shared_ptr<Checkpoint> checkpoint(new Checkpoint);
  checkpoint->path_ = path;
  checkpoint->folder_ = std::move(found->folder);
  for (const auto& file : found->contents.files)
    SEPX_TRY(file->stillThere());
  SEPX_TRY(checkpoint->take(std::move(found->contents)));
  return checkpoint;
}

Result<std::shared_ptr<const Checkpoint>> Checkpoint::ofTensors(Contents contents, const std::string& name) {
  std::shared_ptr<Checkpoint> checkpoint(new Checkpoint);
  checkpoint->path_ = name;
  SEPX_TRY(checkpoint->take(std::move(contents)));
  return checkpoint;
}

Result<void> Checkpoint::take(Contents made) {
  contents_ = std::move(made);
  Contents& contents = contents_;
  if (auto fine = check(contents, path_); !fine) return fail(fine.error().kind, readable(fine.error().sentence));
  sortByName(contents.tensors);
  for (TensorInfo& tensor : contents.tensors)
    if (tensor.dtype == Dtype::Unreadable) tensor.dtypeName = readable(tensor.dtypeName.substr(0, kLongestFormatName));
  for (std::string& note : contents.notes)
    note = readable(note);
  if (const std::size_t aliases = markAliases(contents.tensors); aliases > 0) {
    contents.notes.push_back(aliases == 1 ? "1 tensor shows the same bytes as another"
                                          : fmt::format("{} tensors show the same bytes as others", aliases));
  }
  for (std::size_t i = 0; i < contents.tensors.size(); ++i)
    byName_.emplace(contents.tensors[i].name, i);
  return {};
}

std::string Checkpoint::title() const {
  return titleOf(path_);
}

std::string Checkpoint::name() const {
  return nameOf(path_);
}

const TensorInfo* Checkpoint::find(std::string_view asked) const {
  const auto found = byName_.find(asked);
  return found == byName_.end() ? nullptr : &contents_.tensors[found->second];
}

std::uint64_t Checkpoint::bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& file : contents_.files)
    bytes += file->size();
  return bytes;
}

std::uint64_t Checkpoint::parameters() const {
  std::uint64_t values = 0;
  for (const TensorInfo& tensor : contents_.tensors)
    if (tensor.aliasOf.empty() && !isInteger(tensor.dtype) && !isOptimiserState(tensor.name)) values += tensor.values();
  return values;
}

Result<std::string> Checkpoint::sha256(const Cancelled& cancelled) const {
  constexpr std::size_t kStep = std::size_t{4} << 20;
  const double all = static_cast<double>(bytes());
  double done = 0;
  Sha256 hash;
  for (const auto& file : contents_.files) {
    for (std::size_t at = 0; at < file->size(); at += kStep) {
      if (cancelled && cancelled(done / all)) return fail(ErrorKind::Interrupted, "stopped while hashing " + path_);
      const auto piece = file->bytes().subspan(at, std::min<std::size_t>(kStep, file->size() - at));
      hash.add(piece);
      SEPX_TRY(file->stillThere());
      file->release(at, piece.size());
      done += static_cast<double>(piece.size());
    }
  }
  return hash.text();
}

}  // namespace sepx::checkpoint
