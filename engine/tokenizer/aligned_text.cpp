// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/aligned_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/tokenizer/tokenizer.h"

namespace sepx::tokenizer {

AlignedText AlignedText::of(std::string_view text) {
  AlignedText aligned{std::string(text), std::vector<Place>(text.size())};
  for (std::uint32_t i = 0; i < text.size(); ++i)
    aligned.places[i] = {i, i + 1};
  return aligned;
}

void AlignedText::append(std::string_view add, Place place) {
  bytes += add;
  places.resize(bytes.size(), place);
}

void AlignedText::append(const AlignedText& from, std::size_t begin, std::size_t end) {
  bytes.append(from.bytes, begin, end - begin);
  places.insert(places.end(), from.places.begin() + static_cast<std::ptrdiff_t>(begin),
                from.places.begin() + static_cast<std::ptrdiff_t>(end));
}

Place AlignedText::place(std::size_t begin, std::size_t end) const {
  if (begin < end) return {places[begin].begin, std::max(places[begin].begin, places[end - 1].end)};
  if (begin < places.size()) return {places[begin].begin, places[begin].begin};
  return places.empty() ? Place{} : Place{places.back().end, places.back().end};
}

void AlignedText::prepend(std::string_view add) {
  const Place first = place(0, 0);
  bytes.insert(0, add);
  places.insert(places.begin(), add.size(), first);
}

tl::unexpected<Error> tooLongInside(std::size_t most) {
  if (most < kLongestWork)
    return fail(ErrorKind::BadInput,
                fmt::format("the normal form of this text has more than {} bytes, too many for its length", most));
  return fail(ErrorKind::BadInput,
              fmt::format("the normal form of this text has more than {} bytes: give it in parts", most));
}

Result<void> Budget::check() const {
  if (!spent()) return {};
  return fail(ErrorKind::BadInput,
              fmt::format("this text takes the tokenizer longer than {} seconds: give it in parts", kMostSeconds));
}

}  // namespace sepx::tokenizer
