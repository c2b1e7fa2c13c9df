// SPDX-License-Identifier: Apache-2.0
// A hash of plain data. Equal data have equal digests, so a picture can be kept while the digest of its data is
// unchanged. Structured types are added member by member through structured bindings, which do not compile if a member
// is forgotten. A shared vector is hashed by its address: it must not change while a view holds it. Pure.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/render/scene_types.h"

namespace sepx::ui {

class Digest {
 public:
  std::uint64_t value() const { return hash_; }
  template <class... Parts>
  Digest& add(const Parts&... parts) {
    (addOne(parts), ...);
    return *this;
  }

 private:
  /// FNV-1a over eight bytes at a time.
  void bytes(const void* data, std::size_t size) {
    const auto* at = static_cast<const unsigned char*>(data);
    while (size > 0) {
      std::uint64_t word = 0;
      const std::size_t part = size < sizeof word ? size : sizeof word;
      std::memcpy(&word, at, part);
      hash_ = (hash_ ^ word) * 1099511628211ull;
      hash_ ^= hash_ >> 29;
      at += part;
      size -= part;
    }
  }
  template <class Part>
  void addOne(const Part& part) {
    if constexpr (std::is_arithmetic_v<Part> || std::is_enum_v<Part> || std::is_pointer_v<Part>) {
      bytes(&part, sizeof part);
    } else if constexpr (std::is_convertible_v<const Part&, std::string_view>) {
      const std::string_view text = part;
      add(text.size());
      bytes(text.data(), text.size());
    } else if constexpr (std::is_same_v<Part, render::Point>) {
      add(part.x, part.y);
    } else if constexpr (std::is_same_v<Part, render::Rect>) {
      add(part.min, part.max);
    } else if constexpr (std::is_same_v<Part, render::Color>) {
      add(part.r, part.g, part.b, part.a);
    } else {
      addTo(*this, part);
    }
  }
  template <class T>
  friend void addTo(Digest& digest, const std::vector<T>& list) {
    digest.add(list.size());
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      digest.bytes(list.data(), list.size() * sizeof(T));
    } else {
      for (const auto& one : list)
        digest.add(static_cast<const T&>(one));
    }
  }
  template <class T>
  friend void addTo(Digest& digest, const std::optional<T>& value) {
    digest.add(value.has_value());
    if (value) digest.add(*value);
  }
  template <class A, class B>
  friend void addTo(Digest& digest, const std::pair<A, B>& value) {
    digest.add(value.first, value.second);
  }
  template <class T>
  friend void addTo(Digest& digest, const std::shared_ptr<T>& value) {
    digest.add(value.get());
  }

  std::uint64_t hash_ = 14695981039346656037ull;
};

}  // namespace sepx::ui
