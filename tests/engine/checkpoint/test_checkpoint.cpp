// SPDX-License-Identifier: Apache-2.0
// Tests what all formats have in common: ranges, views, aliases, hashes, files that change, files larger than memory.
#include <cstdlib>
#include <fstream>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "engine/checkpoint/checkpoint_check.h"
#include "tests/engine/checkpoint/opened.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

/// The resident memory of this process in bytes.
std::uint64_t resident() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0, pages = 0;
  file >> all >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Whether a mapping that is never read adds more than `more` bytes to resident(). Emulators of another processor
/// (qemu-user) keep a table of its pages there.
bool mappingHolds(std::uint64_t bytes, std::uint64_t more) {
  const std::uint64_t before = resident();
  void* const mapped = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return false;
  const bool holds = resident() > before + more;
  ::munmap(mapped, bytes);
  return holds;
}

Contents twoFiles() {
  const Folder folder;
  Contents contents;
  for (const char* const name : {"a", "b"})
    contents.files.push_back(MappedFile::open(folder.write(name, ramp(8))).value());
  return contents;
}

TensorInfo tensorOf(const std::string& name, std::uint64_t offset, const std::vector<std::int64_t>& shape) {
  TensorInfo tensor;
  tensor.name = name;
  tensor.dtypeName = "F32";
  tensor.shape = shape;
  tensor.offset = offset;
  tensor.bytes = 4 * valuesOf(shape).value_or(0);
  return tensor;
}

std::string wrongWith(const TensorInfo& tensor) {
  Contents contents = twoFiles();
  contents.tensors.push_back(tensor);
  const auto checked = check(contents);
  return checked ? std::string() : checked.error().message;
}

}  // namespace

TEST_CASE("A tensor with many dimensions is read as rows of its other dimensions, and views follow their strides") {
  // Views come from PyTorch and NumPy. A Fortran-ordered array is a view.
  const Folder folder;
  const auto npy = [&folder](const std::string& shape, const char* fortran) {
    std::string header = std::string("{'descr': '<f4', 'fortran_order': ") + fortran + ", 'shape': " + shape + ", }";
    header.resize(118, ' ');
    return folder.write("a.npy", std::string("\x93NUMPY\x01\x00", 8) + raw(std::uint16_t{118}) + header + ramp(24));
  };
  const auto straight = opened(npy("(2, 3, 4)", "False"));
  std::vector<float> part(4);
  REQUIRE(straight->read(straight->tensors()[0], 0, 2, 5, 7, part));
  CHECK(part == std::vector<float>{5, 6, 17, 18});
  const auto turned = opened(npy("(2, 3, 4)", "True"));
  // Entry (i, j, k) lies at i + 2 j + 6 k; column 5 is (1, 1), column 6 is (1, 2).
  REQUIRE(turned->read(turned->tensors()[0], 0, 2, 5, 7, part));
  CHECK(part == std::vector<float>{8, 14, 9, 15});
  const auto matrix = opened(npy("(6, 4)", "True"));
  REQUIRE(matrix->read(matrix->tensors()[0], 2, 4, 1, 3, part));
  CHECK(part == std::vector<float>{8, 14, 9, 15});
}

TEST_CASE("The tensors that a reader returns are checked once more") {
  CHECK(wrongWith(tensorOf("fine", 0, {2, 4})).empty());
  CHECK(has(wrongWith(tensorOf("long", 4, {2, 4})), "but the file has only"));
  CHECK(has(wrongWith(tensorOf("far", UINT64_MAX, {2, 4})), "but the file has only"));
  CHECK(has(wrongWith(tensorOf("negative", 0, {-1})), "overflows"));
  CHECK(has(wrongWith(tensorOf("\xFF", 0, {1})), "not UTF-8"));
  TensorInfo view = tensorOf("view", 0, {4, 2});
  view.strides = {1, 4};
  CHECK(wrongWith(view).empty());
  view.strides = {2, 4};
  CHECK(has(wrongWith(view), "needs 44 bytes"));
  view.strides = {1, -4};
  CHECK(has(wrongWith(view), "strides"));
  view.strides = {INT64_MAX, INT64_MAX};
  CHECK(has(wrongWith(view), "strides"));
  view.strides = {1};
  CHECK(has(wrongWith(view), "1 strides"));
  TensorInfo elsewhere = tensorOf("elsewhere", 0, {1});
  elsewhere.file = 2;
  CHECK(has(wrongWith(elsewhere), "no file"));
}

TEST_CASE("Names are sorted in natural order, and tensors with the same bytes are aliases of the first") {
  std::vector<TensorInfo> tensors{tensorOf("h.10.b", 0, {2}), tensorOf("h.9.b", 8, {2}), tensorOf("h.2.a", 0, {2}),
                                  tensorOf("h.02.a", 0, {1}), tensorOf("h", 0, {2})};
  sortByName(tensors);
  std::vector<std::string> names;
  for (const TensorInfo& tensor : tensors)
    names.push_back(tensor.name);
  CHECK(names == std::vector<std::string>{"h", "h.02.a", "h.2.a", "h.9.b", "h.10.b"});
  CHECK(markAliases(tensors) == 2);
  CHECK(tensors[0].aliasOf.empty());
  CHECK(tensors[1].aliasOf.empty());
  CHECK(tensors[2].aliasOf == "h");
  CHECK(tensors[3].aliasOf.empty());
  CHECK(tensors[4].aliasOf == "h");
}

TEST_CASE("The hash is the SHA-256 of the bytes, and its computation can be stopped") {
  const Folder folder;
  const auto checkpoint = opened(folder.write("a.safetensors", safetensors("{}", "")));
  // printf '\x02\0\0\0\0\0\0\0{}' | sha256sum
  CHECK(checkpoint->sha256().value() == "411a485216e432ece6b9af94fa32154cf79a2a56d4f81266baa50063f45092bd");
  const auto stopped = checkpoint->sha256([](double) { return true; });
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Interrupted);
}

TEST_CASE("A file that was truncated after it was opened is refused") {
  const Folder folder;
  const std::string path = folder.write("a.safetensors", safetensors({{"w", "F32", {4096}, ramp(4096)}}));
  const auto checkpoint = opened(path);
  REQUIRE(::truncate(path.c_str(), 100) == 0);
  std::vector<double> out(4096);
  const auto read = checkpoint->read(checkpoint->tensors()[0], 0, 4096, 0, 1, out);
  REQUIRE_FALSE(read);
  CHECK(has(read.error().message, "open it again"));
  CHECK_FALSE(checkpoint->sha256());
  // The file grows again, as when a run overwrites its checkpoint. The mapped content is no longer valid.
  REQUIRE(::truncate(path.c_str(), 1 << 20) == 0);
  CHECK_FALSE(checkpoint->read(checkpoint->tensors()[0], 0, 4096, 0, 1, out));
}

TEST_CASE("A file that is truncated during reading reads as zeros, and the process continues") {
  const Folder folder;
  const std::string path = folder.write("a", std::string(100'000, 'x'));
  const auto file = MappedFile::open(path).value();
  REQUIRE(file->checkNotTruncated());
  REQUIRE(::truncate(path.c_str(), 5000) == 0);
  CHECK(std::to_integer<char>(file->bytes()[4000]) == 'x');
  CHECK(std::to_integer<int>(file->bytes()[50'000]) == 0);
  CHECK(std::to_integer<int>(file->bytes()[99'999]) == 0);
  REQUIRE_FALSE(file->checkNotTruncated());
  const auto other = MappedFile::open(path).value();
  CHECK(other->checkNotTruncated());
}

TEST_CASE("A pipe, a device and a folder without weights are refused without blocking") {
  const Folder folder;
  const std::string pipe = (folder.path / "pipe.safetensors").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(has(refusedPath(pipe), "not a regular file"));
  CHECK(has(refusedPath("/dev/zero"), "not a regular file"));
  refusedPath(folder.path.string());
}

TEST_CASE("A file of 20 GB opens, and parts of it are read without loading the rest into memory") {
  const Folder folder;
  const std::int64_t rows = 262'144, columns = 20'480;  // 20 GiB of F32
  const std::uint64_t bytes = 4 * static_cast<std::uint64_t>(rows * columns);
  const std::string header =
      "{\"w\":{\"dtype\":\"F32\",\"shape\":[262144,20480],\"data_offsets\":[0," + std::to_string(bytes) + "]}}";
  const std::string path = folder.write("big.safetensors", raw(std::uint64_t{header.size()}) + header);
  if (::truncate(path.c_str(), static_cast<off_t>(8 + header.size() + bytes)) != 0) {
    WARN("this file system has no sparse files of 20 GB; nothing was tested");
    return;
  }
  if (mappingHolds(bytes, std::uint64_t{50} << 20)) {
    WARN("skipped: the memory of this process holds a table of its mapped pages, as under an emulator");
    return;
  }
  const std::uint64_t before = resident();
  const auto checkpoint = opened(path);
  std::vector<float> part(64 * 64, 1.0F);
  REQUIRE(checkpoint->read(checkpoint->tensors()[0], rows - 64, rows, columns - 64, columns, part));
  CHECK(part == std::vector<float>(64 * 64, 0.0F));
  CHECK(resident() < before + (std::uint64_t{50} << 20));
  CHECK(checkpoint->parameters() == static_cast<std::uint64_t>(rows * columns));
  // Reading through a large part does not fill memory either.
  std::vector<float> band(static_cast<std::size_t>(128 * columns));
  for (std::int64_t row = 0; row < 1024; row += 128)
    REQUIRE(checkpoint->read(checkpoint->tensors()[0], row, row + 128, 0, columns, band));
  CHECK(resident() < before + (std::uint64_t{60} << 20));
}

TEST_CASE("A title is the model's name if it has one, and optimiser state is not counted as parameters") {
  const Folder folder;
  const std::string bytes = safetensors({{"w", "F32", {3}, ramp(3)}, {"OPTIMIZER_STATE.w", "F32", {9}, ramp(9)}});
  const auto title = [&](const std::string& name) { return opened(folder.write(name, bytes))->title(); };
  CHECK(title("bert-base.safetensors") == "bert-base");
  CHECK(title("bert-large/model.safetensors") == "bert-large");
  CHECK(title("hub/models--someone--gpt-tiny/snapshots/0123abcd/model.safetensors") == "gpt-tiny");
  CHECK(title("two/pytorch_model-00001-of-00001.safetensors") == "two");
  CHECK(opened((folder.path / "bert-large").string())->parameters() == 3);
}

TEST_CASE("Real checkpoints open with the shapes, names and numbers that are known of them") {
  const std::string shared = tests::sharedFolder() + "/checkpoints/";
  if (!std::filesystem::exists(shared)) {
    WARN("the folder of real weights is absent; nothing was tested: " << shared);
    return;
  }
  const auto bert = opened(shared + "bert-tiny-sst2");
  CHECK(bert->find("bert.encoder.layer.0.attention.self.query.weight")->shape == std::vector<std::int64_t>{128, 128});
  CHECK(bert->title() == "bert-tiny-sst2");
  CHECK(opened(shared + "gpt2-124m-attn")->find("h.11.attn.c_attn.weight")->dtype == Dtype::F16);
  const auto detector = opened(shared + "deimv2-atto");
  CHECK(detector->find("decoder.up")->aliasOf == "decoder.decoder.up");
  // The same weights in three files. The first one orders rotary pairs differently.
  const auto plain = opened(shared + "stories260K"), gguf = opened(shared + "stories260K/stories260K-f32.gguf"),
             bin = opened(shared + "stories260K/stories260K.bin");
  CHECK(numbers(*plain, "model.norm.weight") == numbers(*gguf, "output_norm.weight"));
  CHECK(numbers(*bin, "model.norm.weight") == numbers(*gguf, "output_norm.weight"));
  CHECK(numbers(*bin, "model.layers.4.self_attn.q_proj.weight") == numbers(*gguf, "blk.4.attn_q.weight"));
  CHECK(numbers(*bin, "model.layers.3.mlp.up_proj.weight") == numbers(*plain, "model.layers.3.mlp.up_proj.weight"));
  CHECK(numbers(*bin, "model.embed_tokens.weight") == numbers(*plain, "model.embed_tokens.weight"));
  const auto whole = opened(shared + "llama-story-gqa"), half = opened(shared + "llama-story-gqa/llama-story-f16.gguf"),
             packed = opened(shared + "llama-story-gqa/llama-story-q8_0.gguf");
  const auto a = numbers(*whole, "model.layers.1.mlp.up_proj.weight"), b = numbers(*half, "blk.1.ffn_up.weight"),
             c = numbers(*packed, "blk.1.ffn_up.weight");
  REQUIRE(a.size() == c.size());
  double worstHalf = 0, worstPacked = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worstHalf = std::max(worstHalf, std::abs(a[i] - b[i]) / (std::abs(a[i]) + 1e-4));
    worstPacked = std::max(worstPacked, std::abs(a[i] - c[i]));
  }
  CHECK(worstHalf < 5e-4);
  CHECK(worstPacked < 0.01);
}
