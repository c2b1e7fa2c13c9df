// SPDX-License-Identifier: Apache-2.0
// The shaders embedded in the binary, by name: the file name ("lines.frag"), followed by the name of the variant if
// there is one ("basin_map.comp.ew"). Empty when there is no shader of that name. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sepx::shaders {

/// SPIR-V words; they live as long as the program.
std::span<const std::uint32_t> shader(std::string_view name);

}  // namespace sepx::shaders
