// SPDX-License-Identifier: Apache-2.0
// What every fuzzer does with its bytes: lays them into a file in memory-backed storage, opens it as a person would and
// looks at everything that opening shows. A crash, a sanitizer's report, a hang or too much memory is a finding; a
// refusal without a sentence of one line is one too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace sepx::fuzz {

/// A folder of this process, empty but for `name` with these bytes. The path of the file.
std::string lay(const std::string& name, std::span<const std::uint8_t> bytes);
/// Takes a file away that lay() made.
void clear(const std::string& name);

/// A refusal is one line of readable text about the input; anything else is a finding.
void checkSentence(const Error& error);
/// Ends the process, which libFuzzer takes for a crash of the input.
[[noreturn]] void finding(const char* what, const std::string& detail);

/// Opens the path, reads the ends of its tensors, maps its attention and loads a small layer, reads its words.
void openAndLook(const std::string& path);

/// A zip archive of stored entries around the given content, as torch.save and numpy.savez write them.
class StoredZip {
 public:
  StoredZip& add(const std::string& name, std::string_view content);
  std::string bytes() const;

 private:
  std::string entries_, directory_;
  std::uint16_t count_ = 0;
};

}  // namespace sepx::fuzz
