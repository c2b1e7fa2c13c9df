// SPDX-License-Identifier: Apache-2.0
// Configs, indexes of shards and a user's rules, next to well-formed weights. The first byte selects the file that the
// other bytes become.
#include <cstring>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/family_guess.h"
#include "engine/checkpoint/family_json.h"
#include "engine/checkpoint/family_rule.h"
#include "tests/fuzz/look.h"

namespace {

using sepx::fuzz::lay;

/// A GPT-2 with one layer and width 8, to which the config applies.
std::string weights() {
  const std::string header = R"({"h.0.attn.c_attn.weight":{"dtype":"F16","shape":[8,24],"data_offsets":[0,384]}})";
  std::string file(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(file.data(), &length, sizeof length);
  file += header + std::string(384, '\x3C');
  return lay("model.safetensors", {reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sepx;
  if (size == 0) return 0;
  static const std::string path = weights();
  const std::span<const std::uint8_t> rest(data + 1, size - 1);
  if (data[0] % 3 == 0) {
    lay("config.json", rest);
    fuzz::openAndLook(path);
    fuzz::clear("config.json");
  } else if (data[0] % 3 == 1) {
    fuzz::openAndLook(lay("model.safetensors.index.json", rest));
    fuzz::clear("model.safetensors.index.json");
  } else {
    const std::string rule = lay("rule.json", rest);
    const std::string folder = rule.substr(0, rule.rfind('/'));
    const auto rules = checkpoint::readRules(folder);
    fuzz::clear("rule.json");
    if (!rules) return 0;
    const auto opened = checkpoint::Checkpoint::open(path);
    if (opened) (void)checkpoint::mapAttention(**opened, *rules);
    for (const auto& one : *rules)
      if (opened) (void)checkpoint::tryRule(**opened, one);
  }
  return 0;
}
