// SPDX-License-Identifier: Apache-2.0
// Both file formats of PyTorch, built by hand with the content that training programs write.
#include <algorithm>
#include <fstream>

#include <catch2/catch.hpp>

#include "tests/engine/checkpoint/opened.h"
#include "tests/engine/checkpoint/torch_makers.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

std::shared_ptr<const Checkpoint> zipOf(const std::string& value, const Storages& storages = {{"0", ramp(16)}}) {
  const Folder folder;
  return opened(folder.write("model.pt", torchZip(value, storages)));
}

std::vector<std::string> namesOf(const Checkpoint& checkpoint) {
  std::vector<std::string> names;
  for (const TensorInfo& tensor : checkpoint.tensors())
    names.push_back(tensor.name);
  return names;
}

bool noted(const Checkpoint& checkpoint, const std::string& word) {
  return std::any_of(checkpoint.notes().begin(), checkpoint.notes().end(),
                     [&](const std::string& note) { return has(note, word); });
}

const std::string kState = py::ordered(
    {{"q.weight", py::tensor({})}, {"k.weight", py::tensor({.first = 4, .shape = {2, 3}, .strides = {4, 1}})}});

}  // namespace

TEST_CASE("Tensors of a PyTorch zip file are views of storages and are read in place") {
  const auto checkpoint = zipOf(
      py::ordered(
          {{"plain", py::tensor({})},
           {"turned", py::tensor({.shape = {4, 4}, .strides = {1, 4}})},
           {"part", py::tensor({.first = 5, .shape = {2, 3}, .strides = {4, 1}})},
           {"repeated", py::tensor({.shape = {3, 2}, .strides = {0, 1}})},
           {"single", py::tensor({.first = 7, .shape = {}, .strides = {}})},
           {"none", py::tensor({.shape = {0, 4}, .strides = {4, 1}})},
           {"tied", py::parameter(py::tensor({}))},
           {"half", py::tensor({.key = "h", .held = 2, .shape = {2}, .strides = {1}, .kind = "HalfStorage"})},
           {"brain", py::tensor({.key = "b", .held = 1, .shape = {1}, .strides = {1}, .kind = "BFloat16Storage"})},
           {"long", py::tensor({.key = "l", .held = 1, .shape = {1}, .strides = {1}, .kind = "LongStorage"})}}),
      {{"0", ramp(16)},
       {"h", raw(std::vector<std::uint16_t>{0x3C00, 0xC000})},
       {"b", raw(std::uint16_t{0x3F80})},
       {"l", raw(std::int64_t{-5})}});
  CHECK(checkpoint->format() == Format::TorchZip);
  CHECK(numbers(*checkpoint, "plain")[5] == 5);
  CHECK(numbers(*checkpoint, "turned") == std::vector<double>{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
  CHECK(numbers(*checkpoint, "part") == std::vector<double>{5, 6, 7, 9, 10, 11});
  CHECK(numbers(*checkpoint, "repeated") == std::vector<double>{0, 1, 0, 1, 0, 1});
  CHECK(numbers(*checkpoint, "single") == std::vector<double>{7});
  CHECK(numbers(*checkpoint, "half") == std::vector<double>{1, -2});
  CHECK(numbers(*checkpoint, "brain") == std::vector<double>{1});
  CHECK(numbers(*checkpoint, "long") == std::vector<double>{-5});
  CHECK(checkpoint->find("none")->values() == 0);
  CHECK(checkpoint->find("plain")->strides.empty());
  CHECK_FALSE(checkpoint->find("plain")->stored);
  CHECK(checkpoint->find("tied")->aliasOf == "plain");
}

TEST_CASE("The wrapper names of a training checkpoint are removed from tensor names, and this is noted") {
  const auto scalar = py::number(std::int64_t{12});
  const auto checkpoint = zipOf(py::dict(
      {{"model_state_dict", py::ordered({{"module.q.weight", py::tensor({})}, {"module.k.weight", py::tensor({})}})},
       {"optimizer", py::dict({{"state", py::dict({{"exp_avg", py::tensor({})}})}, {"lr", py::number(0.5)}})},
       {"config",
        py::dict({{"n_head", scalar}, {"name", py::text("tiny")}, {"rates", py::tuple({py::number(0.5), "N"})}})},
       {"model_args", py::dict({{"n_head", py::number(std::int64_t{4})}})},
       {"epoch", scalar}}));
  CHECK(namesOf(*checkpoint) == std::vector<std::string>{"k.weight", "optimizer.state.exp_avg", "q.weight"});
  CHECK(noted(*checkpoint, "model_state_dict.module."));
  CHECK(noted(*checkpoint, "1 tensor of the training's state"));
  CHECK(checkpoint->config() == nlohmann::json{{"n_head", 4}, {"name", "tiny"}, {"rates", {0.5, nullptr}}});
  CHECK(has(checkpoint->configFrom(), "model_args and config"));
  CHECK(checkpoint->metadata().at("epoch") == "12");
  // With two models in one file, both wrapper names are kept.
  const auto two = zipOf(py::dict({{"model", kState}, {"ema", kState}}));
  CHECK(two->find("model.q.weight"));
  CHECK(two->find("ema.q.weight")->aliasOf.empty() != two->find("model.q.weight")->aliasOf.empty());
}

TEST_CASE("A module that was saved as a whole is read as plain containers") {
  const auto layer = [](const std::string& tensor) {
    return py::object("torch.nn.modules.linear", "Linear",
                      py::dict({{"training", "\x89"},
                                {"_parameters", py::ordered({{"weight", py::parameter(tensor)}, {"bias", "N"}})},
                                {"_buffers", py::ordered({})},
                                {"_modules", py::ordered({})}}));
  };
  const auto checkpoint = zipOf(py::object(
      "mine.models", "Net",
      py::dict({{"_parameters", py::ordered({{"scale", py::tensor({.shape = {1}, .strides = {1}})}})},
                {"_buffers", py::ordered({{"mask", py::tensor({.shape = {2}, .strides = {1}})}})},
                {"_modules", py::ordered({{"query", layer(py::tensor({}))}, {"key", layer(py::tensor({.first = 0}))}})},
                {"config",
                 py::object("mine.models", "Config", py::dict({{"hidden_size", py::number(std::int64_t{4})}}))}})));
  CHECK(namesOf(*checkpoint) == std::vector<std::string>{"key.weight", "mask", "query.weight", "scale"});
  CHECK(noted(*checkpoint, "mine.models.Net"));
  CHECK(noted(*checkpoint, "no code was run"));
  CHECK(checkpoint->config().at("hidden_size") == 4);
}

TEST_CASE("Compressed entries and Zip64 records are read") {
  const Folder folder;
  const auto packed = opened(folder.write("packed.pt", torchZip(kState, {{"0", ramp(16)}}, true)));
  CHECK(numbers(*packed, "q.weight")[15] == 15);
  CHECK(numbers(*packed, "k.weight") == std::vector<double>{4, 5, 6, 8, 9, 10});
  CHECK(noted(*packed, "unpacked"));
  Zip zip;
  zip.add("m/data.pkl", py::pickle(kState)).add("m/data/0", ramp(16));
  const auto large = opened(folder.write("large.pt", zip.bytes64()));
  CHECK(numbers(*large, "q.weight")[15] == 15);
}

TEST_CASE("Views that would expand a small file into much memory are refused before allocation") {
  const Folder folder;
  // The storage is compressed, so that every view that does not begin at the first value is a copy: ten of 60 MiB.
  constexpr std::int64_t kValues = 15 << 20;
  py::Pairs views;
  for (int i = 0; i < 10; ++i)
    views.push_back({"view" + std::to_string(i),
                     py::tensor({.held = kValues, .first = 1, .shape = {kValues - 1}, .strides = {1}})});
  const std::string file = torchZip(py::dict(views), {{"0", std::string(4 * kValues, '\0')}}, true);
  CHECK(file.size() < (std::size_t{1} << 20));
  CHECK(has(refused("views.pt", file), "too many that had to be copied"));
  views.resize(8);
  CHECK(opened(folder.write("fewer.pt", torchZip(py::dict(views), {{"0", std::string(4 * kValues, '\0')}}, true)))
            ->tensors()
            .size() == 8);
}

TEST_CASE("Storages of more than 4 GB are located by Zip64 sizes and read in place") {
  const Folder folder;
  constexpr std::int64_t kRows = 327'680, kColumns = 4096;  // 5 GiB of floats; all but the last is a hole in the file
  const std::uint64_t length = static_cast<std::uint64_t>(kRows) * kColumns * 4;
  const std::string pickle = py::pickle(
      py::dict({{"w", py::tensor({.held = kRows * kColumns, .shape = {kRows, kColumns}, .strides = {kColumns, 1}})}}));
  const auto entry = [](const std::string& name, std::uint32_t size, std::uint16_t extra) {
    return raw(std::uint16_t{45}) + std::string(12, '\0') + raw(size) + raw(size) +
           raw(static_cast<std::uint16_t>(name.size())) + raw(extra);
  };
  const auto pickleSize = static_cast<std::uint32_t>(pickle.size());
  const std::string first = "m/data.pkl", second = "m/data/0",
                    sizes = raw(std::uint16_t{1}) + raw(std::uint16_t{16}) + raw(length) + raw(length);
  const std::string begin = "PK\3\4" + entry(first, pickleSize, 0) + first + pickle;
  const std::string head =
      "PK\3\4" + entry(second, 0xFFFFFFFF, static_cast<std::uint16_t>(sizes.size())) + second + sizes;
  const auto listed = [&](const std::string& name, std::uint32_t size, const std::string& extra, std::uint32_t at) {
    return "PK\1\2" + raw(std::uint16_t{45}) + entry(name, size, static_cast<std::uint16_t>(extra.size())) +
           std::string(10, '\0') + raw(at) + name + extra;
  };
  const std::string directory =
      listed(first, pickleSize, "", 0) + listed(second, 0xFFFFFFFF, sizes, static_cast<std::uint32_t>(begin.size()));
  const std::uint64_t directoryAt = begin.size() + head.size() + length, endAt = directoryAt + directory.size();
  const std::string end =
      "PK\6\6" + raw(std::uint64_t{44}) + raw(std::uint16_t{45}) + raw(std::uint16_t{45}) + raw(std::uint64_t{0}) +
      raw(std::uint64_t{2}) + raw(std::uint64_t{2}) + raw(std::uint64_t{directory.size()}) + raw(directoryAt) +
      "PK\6\7" + raw(std::uint32_t{0}) + raw(endAt) + raw(std::uint32_t{1}) + "PK\5\6" + raw(std::uint32_t{0}) +
      raw(std::uint16_t{2}) + raw(std::uint16_t{2}) + raw(static_cast<std::uint32_t>(directory.size())) +
      std::string(4, '\xFF') + raw(std::uint16_t{0});
  const std::string path = folder.write("large.pt", begin + head);
  {
    std::ofstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(directoryAt - 4));
    file << raw(7.0F) << directory << end;
    REQUIRE(file.flush());
  }
  const auto checkpoint = opened(path);
  std::vector<double> last(2);
  REQUIRE(checkpoint->read(*checkpoint->find("w"), kRows - 1, kRows, kColumns - 2, kColumns, last));
  CHECK(last == std::vector<double>{0, 7});
}

TEST_CASE("A TorchScript archive gives its weights, and its code is ignored") {
  const Folder folder;
  const std::string module =
      py::object("__torch__.Net", "Net",
                 py::dict({{"training", "\x89"},
                           {"weight", py::tensor({})},
                           {"inner", py::object("__torch__.Part", "Part", py::dict({{"bias", py::tensor({})}}))}}));
  Zip zip;
  zip.add("net/data.pkl", py::pickle(module))
      .add("net/code/__torch__.py", "import os")
      .add("net/data/0", ramp(16))
      .add("net/constants.pkl", py::pickle(")"));
  const auto checkpoint = opened(folder.write("net.pt", zip.bytes()));
  CHECK(namesOf(*checkpoint) == std::vector<std::string>{"inner.bias", "weight"});
  CHECK(noted(*checkpoint, "TorchScript"));
}

TEST_CASE("Number formats that are not plain are listed by name and not read") {
  const auto quantised = py::call("torch._utils", "_rebuild_qtensor",
                                  {py::storage("0", 16, "QInt8Storage"), py::number(std::int64_t{0}),
                                   py::numbers({4, 4}), py::numbers({4, 1}), "N"});
  const auto checkpoint = zipOf(
      py::dict({{"q", quantised},
                {"sparse", py::call("torch._utils", "_rebuild_sparse_tensor", {py::text("layout"), py::tuple({})})},
                {"complex", py::tensor({.held = 2, .shape = {2}, .strides = {1}, .kind = "ComplexFloatStorage"})},
                {"later", py::tensor({.held = 2, .shape = {2}, .strides = {1}, .kind = "Float4Storage"})},
                {"plain", py::tensor({})}}));
  for (const auto& [name, word] : std::vector<std::pair<std::string, std::string>>{{"q", "_rebuild_qtensor"},
                                                                                   {"sparse", "_rebuild_sparse_tensor"},
                                                                                   {"complex", "complex64"},
                                                                                   {"later", "Float4Storage"}}) {
    INFO(name);
    CHECK(checkpoint->find(name)->dtype == Dtype::Unreadable);
    CHECK(has(checkpoint->find(name)->dtypeName, word));
  }
  CHECK(checkpoint->find("q")->shape == std::vector<std::int64_t>{4, 4});
  double value = 0;
  CHECK_FALSE(checkpoint->read(*checkpoint->find("complex"), 0, 1, 0, 1, std::span(&value, 1)));
}

TEST_CASE("8-bit floats are read from _rebuild_tensor_v3") {
  const auto view =
      py::call("torch._utils", "_rebuild_tensor_v3",
               {py::storage("0", 4, "UntypedStorage"), py::number(std::int64_t{0}), py::numbers({4}), py::numbers({1}),
                "\x89", py::call("collections", "OrderedDict", {}), py::global("torch", "float8_e4m3fn")});
  const auto checkpoint = zipOf(py::dict({{"a", view}}), {{"0", std::string("\x38\xB8\x00\x7E", 4)}});
  CHECK(checkpoint->find("a")->dtype == Dtype::F8_E4M3);
  CHECK(numbers(*checkpoint, "a") == std::vector<double>{1, -1, 0, 448});
}

TEST_CASE("NumPy arrays inside a pickle are read with both encodings of bytes") {
  const auto array = [](const std::string& data, const std::string& fortran, const std::string& order = "<") {
    return py::call("numpy.core.multiarray", "_reconstruct",
                    {py::global("numpy", "ndarray"), py::numbers({0}), py::text("b")}) +
           py::tuple({py::number(std::int64_t{1}), py::numbers({2, 2}),
                      py::call("numpy", "dtype", {py::text("f4"), "\x89", "\x88"}) +
                          py::tuple({py::number(std::int64_t{3}), py::text(order), "N"}) + "b",
                      fortran, data}) +
           "b";
  };
  const std::string values = raw(std::vector<float>{1, 2, 3, 4});
  // Protocol 2 has no bytes type: bytes are written as text with the same code points.
  std::string characters;
  for (const char c : values) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) characters += static_cast<char>(0xC0 | byte >> 6);
    characters += static_cast<char>(byte < 0x80 ? byte : 0x80 | (byte & 0x3F));
  }
  const auto checkpoint = zipOf(
      py::dict({{"bytes", array("C\x10" + values, "\x89")},
                {"text", array(py::call("_codecs", "encode", {py::text(characters), py::text("latin1")}), "\x88")}}));
  CHECK(numbers(*checkpoint, "bytes") == std::vector<double>{1, 2, 3, 4});
  CHECK_FALSE(checkpoint->find("bytes")->stored);
  CHECK(numbers(*checkpoint, "text") == std::vector<double>{1, 3, 2, 4});
  CHECK(has(refused("m.pt", torchZip(py::dict({{"a", array("C\x10" + values, "\x89", ">")}}), {})), "big-endian"));
}

TEST_CASE("Files written before PyTorch 1.6 give the same tensors") {
  const Folder folder;
  const auto checkpoint = opened(folder.write("pytorch_model.bin", torchLegacy(kState, {{"0", ramp(16)}})));
  CHECK(checkpoint->format() == Format::TorchLegacy);
  CHECK(numbers(*checkpoint, "q.weight")[15] == 15);
  CHECK(numbers(*checkpoint, "k.weight") == std::vector<double>{4, 5, 6, 8, 9, 10});
  CHECK(has(refused("a.bin", torchLegacy(kState, {})), "not in the file"));
  CHECK(has(refused("a.bin", torchLegacy(kState, {{"0", ramp(16)}, {"0", ramp(16)}})), "twice"));
  CHECK(has(refused("a.bin", torchLegacy(kState, {{"0", ramp(16)}, {"1", ramp(1)}})), "how large"));
}

TEST_CASE("A PyTorch file cut off at any byte is refused with a message") {
  const Folder folder;
  for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{
           {"m.pt", torchZip(kState, {{"0", ramp(16)}})}, {"m.bin", torchLegacy(kState, {{"0", ramp(16)}})}}) {
    for (std::size_t length = 1; length < bytes.size(); ++length) {
      INFO(name << " cut off at " << length);
      const std::string sentence = refusedPath(folder.write(name, bytes.substr(0, length)));
      CHECK(has(sentence, "byte"));
    }
  }
}
