// SPDX-License-Identifier: Apache-2.0
// The common part of all fuzzers: it writes the bytes to a file in memory-backed storage, opens it as the programs do
// and reads everything that opening shows. A crash, a sanitizer report, a hang or too much memory is a finding, and so
// is a refusal whose message is not one line of text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace sepx::fuzz {

/// Creates a folder of this process that contains only the file `name` with these bytes. Returns the path of the file.
std::string lay(const std::string& name, std::span<const std::uint8_t> bytes);
/// Removes a file that lay() created.
void clear(const std::string& name);

/// Checks that a refusal is one line of readable text about the input. Anything else is a finding.
void checkSentence(const Error& error);
/// Ends the process. libFuzzer reports this as a crash caused by the input.
[[noreturn]] void finding(const char* what, const std::string& detail);

/// Opens the path, reads the ends of its tensors, finds its attention weights, loads a small layer and reads its
/// vocabulary.
void openAndLook(const std::string& path);

/// Returns a zip archive with stored (uncompressed) entries of the given content, as torch.save and numpy.savez write
/// it.
class StoredZip {
 public:
  StoredZip& add(const std::string& name, std::string_view content);
  std::string bytes() const;

 private:
  std::string entries_, directory_;
  std::uint16_t count_ = 0;
};

}  // namespace sepx::fuzz
