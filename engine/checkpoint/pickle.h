// SPDX-License-Identifier: Apache-2.0
// A Python pickle (protocols 0 to 5) as a graph of inert objects. Python would import and call what a pickle names;
// here a call is an object that says "so-and-so would be called with these arguments", and nothing is ever looked up,
// imported or run. Names by which pickles run commands or code are refused with the place. Work and memory are bounded
// by the length of the pickle, by kMostObjects and by kMostItems. Pure; any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace sepx::checkpoint {

/// Index of an object in its graph.
using PickleRef = std::uint32_t;
inline constexpr PickleRef kNoObject = 0xFFFFFFFF;
inline constexpr std::size_t kMostObjects = 2'000'000;
inline constexpr std::size_t kMostItems =
    8 * kMostObjects;  ///< of all containers, and on the stack: objects are shared

enum class PickleKind : std::uint8_t {  ///< what stands on the stack of a pickle, as data
  None,
  Bool,         ///< integer: 0 or 1
  Integer,      ///< integer
  LongInteger,  ///< beyond 64 bits; text: its bytes, little-endian, two's complement, or its decimal digits
  Float,        ///< number
  Text,         ///< text
  Bytes,        ///< text
  Tuple,        ///< items
  List,         ///< items
  Set,          ///< items
  Dict,         ///< items: key, value, key, value, …
  Global,       ///< first, second: Texts, module and name
  Call,         ///< first: what would be called, second: Tuple of arguments; items: what was put in by append or by key
  Persistent,   ///< first: its id, whose meaning the file's format gives (a storage of PyTorch)
};

struct PickleObject {  ///< one value
  PickleKind kind = PickleKind::None;
  bool pairs = false;           ///< of a Call: items are keys and values, as in a Dict
  PickleRef state = kNoObject;  ///< what __setstate__ or __dict__ would be given (BUILD)
  PickleRef first = kNoObject, second = kNoObject;
  std::uint64_t offset = 0;  ///< of the opcode that made it, from the pickle's begin
  std::string_view text;     ///< into the pickle's bytes or into `owned`
  std::int64_t integer = 0;
  double number = 0;
  std::vector<PickleRef> items;
};

struct PickleGraph {                 ///< all values of a pickle, and which is the whole
  std::deque<PickleObject> objects;  ///< a deque: growing never holds them twice
  std::deque<std::string> owned;     ///< texts that had to be decoded
  PickleRef root = kNoObject;
  std::uint64_t length = 0;  ///< bytes up to and with STOP

  const PickleObject& at(PickleRef ref) const { return objects[ref]; }
  /// "torch._utils._rebuild_tensor_v2" of a Global; of a Call, what would be called; empty else.
  std::string qualified(PickleRef ref) const;
  bool isGlobal(PickleRef ref, std::string_view module, std::string_view name) const;
  /// The value at a text key of a Dict or of a Call with pairs; kNoObject when there is none. The last one counts.
  PickleRef lookUp(PickleRef dict, std::string_view key) const;
};

/// One pickle from the begin of `bytes`; what follows its STOP is left alone. `where` ends up in sentences as
/// "{path}: byte 12 of data.pkl: …"; `part` may be empty. Texts point into `bytes`, which must outlive the graph.
Result<PickleGraph> readPickle(std::span<const std::byte> bytes, const std::string& path, std::string_view part);

}  // namespace sepx::checkpoint
