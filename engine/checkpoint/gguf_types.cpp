// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/gguf_types.h"

#include <algorithm>
#include <array>

namespace sepx::checkpoint {

namespace {

struct Numbered {
  std::uint32_t number;
  GgufType type;
};

constexpr Dtype kNo = Dtype::Unreadable;

constexpr std::array kTypes{
    Numbered{0, {"F32", {1, 4}, Dtype::F32}},
    Numbered{1, {"F16", {1, 2}, Dtype::F16}},
    Numbered{2, {"Q4_0", {32, 18}, Dtype::Q4_0}},
    Numbered{3, {"Q4_1", {32, 20}, kNo}},
    Numbered{6, {"Q5_0", {32, 22}, kNo}},
    Numbered{7, {"Q5_1", {32, 24}, kNo}},
    Numbered{8, {"Q8_0", {32, 34}, Dtype::Q8_0}},
    Numbered{9, {"Q8_1", {32, 36}, kNo}},
    Numbered{10, {"Q2_K", {256, 84}, kNo}},
    Numbered{11, {"Q3_K", {256, 110}, kNo}},
    Numbered{12, {"Q4_K", {256, 144}, Dtype::Q4_K}},
    Numbered{13, {"Q5_K", {256, 176}, kNo}},
    Numbered{14, {"Q6_K", {256, 210}, Dtype::Q6_K}},
    Numbered{15, {"Q8_K", {256, 292}, kNo}},
    Numbered{16, {"IQ2_XXS", {256, 66}, kNo}},
    Numbered{17, {"IQ2_XS", {256, 74}, kNo}},
    Numbered{18, {"IQ3_XXS", {256, 98}, kNo}},
    Numbered{19, {"IQ1_S", {256, 50}, kNo}},
    Numbered{20, {"IQ4_NL", {32, 18}, kNo}},
    Numbered{21, {"IQ3_S", {256, 110}, kNo}},
    Numbered{22, {"IQ2_S", {256, 82}, kNo}},
    Numbered{23, {"IQ4_XS", {256, 136}, kNo}},
    Numbered{24, {"I8", {1, 1}, Dtype::I8}},
    Numbered{25, {"I16", {1, 2}, Dtype::I16}},
    Numbered{26, {"I32", {1, 4}, Dtype::I32}},
    Numbered{27, {"I64", {1, 8}, Dtype::I64}},
    Numbered{28, {"F64", {1, 8}, Dtype::F64}},
    Numbered{29, {"IQ1_M", {256, 56}, kNo}},
    Numbered{30, {"BF16", {1, 2}, Dtype::BF16}},
    Numbered{34, {"TQ1_0", {256, 54}, kNo}},
    Numbered{35, {"TQ2_0", {256, 66}, kNo}},
    Numbered{39, {"MXFP4", {32, 17}, kNo}},
};

}  // namespace

std::optional<GgufType> ggufType(std::uint32_t number) {
  const auto found =
      std::find_if(kTypes.begin(), kTypes.end(), [number](const Numbered& one) { return one.number == number; });
  return found == kTypes.end() ? std::nullopt : std::optional(found->type);
}

}  // namespace sepx::checkpoint
