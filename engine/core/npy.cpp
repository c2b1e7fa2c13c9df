// SPDX-License-Identifier: Apache-2.0
#include "engine/core/npy.h"

#include <fmt/format.h>

namespace sepx {

namespace {

/// "(3,)", "(2, 4)", "()".
std::string shapeText(const std::vector<std::size_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i > 0 ? " " : "") + std::to_string(shape[i]) + (i + 1 < shape.size() || shape.size() == 1 ? "," : "");
  return text + ")";
}

}  // namespace

std::string npyHeader(std::string_view type, const std::vector<std::size_t>& shape) {
  constexpr std::size_t kBefore = 10, kAligned = 64;
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shapeText(shape));
  const std::size_t length = kBefore + dictionary.size() + 1;
  dictionary.append((kAligned - length % kAligned) % kAligned, ' ');
  dictionary += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(dictionary.size() & 0xFF);
  out += static_cast<char>(dictionary.size() >> 8 & 0xFF);
  return out + dictionary;
}

}  // namespace sepx
