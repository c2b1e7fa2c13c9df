// SPDX-License-Identifier: Apache-2.0
// The header of llama2.c's .bin files, and the sections that follow it. Version 0 has no magic number, only seven
// integers: a file is recognised if they describe a model of exactly the file's size. Private to engine/checkpoint.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sepx::checkpoint {

struct Llama2cHeader {
  int version = 0;  ///< 0: seven integers, then floats; 1: "ak42", floats; 2: "ak42", groups of 8-bit integers
  std::int64_t dim = 0, hidden = 0, layers = 0, heads = 0, kvHeads = 0, vocabulary = 0, positions = 0;
  bool sharedClassifier = true;
  std::int64_t groupSize = 1;  ///< version 2
  std::uint64_t dataBegin = 0;
};

/// A contiguous range of values, in the order of the file. The rotary tables of version 0 have no name.
struct Llama2cSection {
  std::string name;                    ///< contains "{layer}" if there is one per layer
  std::int64_t rows = 0, columns = 0;  ///< columns 0: a vector
  bool perLayer = false;
  bool quantised = false;  ///< in version 2

  std::int64_t values() const { return rows * (columns > 0 ? columns : 1); }
};

/// Number of bytes that llama2cHeader() reads.
inline constexpr std::uint64_t kLlama2cHead = 256;

/// `head`: the first kLlama2cHead bytes, or all of a shorter file. Empty if the numbers do not describe a model.
std::optional<Llama2cHeader> llama2cHeader(std::span<const std::byte> head);
/// The sections of the file, with the names of Hugging Face's LLaMA.
std::vector<Llama2cSection> llama2cSections(const Llama2cHeader& header);
/// Number of bytes of one tensor of a section.
std::uint64_t bytesOf(const Llama2cSection& section, const Llama2cHeader& header);
/// Number of bytes of the whole file.
std::uint64_t bytesOf(const Llama2cHeader& header);

}  // namespace sepx::checkpoint
