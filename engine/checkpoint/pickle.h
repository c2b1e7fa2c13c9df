// SPDX-License-Identifier: Apache-2.0
// A Python pickle (protocols 0 to 5) as a graph of inert objects. Python would import and call what a pickle names.
// Here a call is only an object that records the callable and its arguments; nothing is ever looked up, imported or
// run. Names that pickles use to run commands or code are refused, with their location. Work and memory are bounded by
// the length of the pickle, by kMostObjects and by kMostItems.
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
    8 * kMostObjects;  ///< in all containers together, and on the stack: objects are shared

enum class PickleKind : std::uint8_t {  ///< kind of a value in a pickle
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
  Call,         ///< first: the callable, second: Tuple of arguments; items: what was added by append or by key
  Persistent,   ///< first: its id, whose meaning depends on the file's format (a storage of PyTorch)
};

struct PickleObject {  ///< one value
  PickleKind kind = PickleKind::None;
  bool pairs = false;           ///< of a Call: items are keys and values, as in a Dict
  PickleRef state = kNoObject;  ///< the argument for __setstate__ or __dict__ (BUILD)
  PickleRef first = kNoObject, second = kNoObject;
  std::uint64_t offset = 0;  ///< of the opcode that made it, from the beginning of the pickle
  std::string_view text;     ///< into the pickle's bytes or into `owned`
  std::int64_t integer = 0;
  double number = 0;
  std::vector<PickleRef> items;
};

struct PickleGraph {                 ///< all values of a pickle; `root` is the outermost
  std::deque<PickleObject> objects;  ///< a deque, so that growth needs no second copy
  std::deque<std::string> owned;     ///< texts that had to be decoded
  PickleRef root = kNoObject;
  std::uint64_t length = 0;  ///< bytes up to and including STOP

  const PickleObject& at(PickleRef ref) const { return objects[ref]; }
  /// "torch._utils._rebuild_tensor_v2" of a Global; for a Call, that of its callable; otherwise empty.
  std::string qualified(PickleRef ref) const;
  bool isGlobal(PickleRef ref, std::string_view module, std::string_view name) const;
  /// The value for a text key of a Dict or of a Call with pairs, the last if there are several; kNoObject: none.
  PickleRef lookUp(PickleRef dict, std::string_view key) const;
};

/// Reads one pickle from the beginning of `bytes` and ignores what follows its STOP. Messages contain `path` and
/// `part`, "{path}: byte 12 of data.pkl: …"; `part` may be empty. Texts point into `bytes`, which must outlive the
/// graph.
Result<PickleGraph> readPickle(std::span<const std::byte> bytes, const std::string& path, std::string_view part);

}  // namespace sepx::checkpoint
