// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/family_match.h"

#include <algorithm>

namespace sepx::checkpoint {

namespace {

constexpr std::size_t kMostDigits = 6;  // of a layer's number

// The last `words` words between dots; the whole name when it has no more.
std::string_view end(std::string_view name, int words) {
  std::size_t from = name.size();
  while (words-- > 0) {
    const std::size_t dot = from == 0 ? std::string_view::npos : name.rfind('.', from - 1);
    if (dot == std::string_view::npos) return name;
    from = dot;
  }
  return name.substr(from + 1);
}

bool isPrefix(std::string_view text) {
  return text.empty() || text.back() == '.' || text.back() == '/';
}

struct Halves {
  std::string_view before, after;
  bool marked = false;
};

Halves halvesOf(std::string_view pattern) {
  const std::size_t mark = pattern.find(kLayerMark);
  if (mark == std::string_view::npos) return {pattern, {}, false};
  return {pattern.substr(0, mark), pattern.substr(mark + kLayerMark.size()), true};
}

// Whether `name` ends with the pattern; sets the prefix before it and the layer's number.
bool matches(std::string_view name, const Halves& halves, NameIndex::Found& found) {
  if (!halves.marked) {
    if (!name.ends_with(halves.before)) return false;
    name.remove_suffix(halves.before.size());
    if (!isPrefix(name)) return false;
    found.prefix = name;
    return true;
  }
  if (!name.ends_with(halves.after)) return false;
  name.remove_suffix(halves.after.size());
  std::size_t digits = 0;
  while (digits < name.size() && name[name.size() - 1 - digits] >= '0' && name[name.size() - 1 - digits] <= '9')
    ++digits;
  if (digits == 0 || digits > kMostDigits) return false;
  const std::string_view number = name.substr(name.size() - digits);
  if (digits > 1 && number.front() == '0') return false;  // "007" would not be found again by its number
  name.remove_suffix(digits);
  if (!name.ends_with(halves.before)) return false;
  name.remove_suffix(halves.before.size());
  if (!isPrefix(name)) return false;
  found.prefix = name;
  found.number = 0;
  for (const char digit : number)
    found.number = found.number * 10 + (digit - '0');
  return true;
}

}  // namespace

std::string filled(std::string_view pattern, std::string_view shown) {
  const Halves halves = halvesOf(pattern);
  std::string name(halves.before);
  if (halves.marked) name += shown;
  return name += halves.after;
}

NameIndex::NameIndex(const Checkpoint& checkpoint) : checkpoint_(&checkpoint) {
  for (const TensorInfo& tensor : checkpoint.tensors())
    byEnd_[end(tensor.name, 2)].push_back(&tensor);
}

std::vector<NameIndex::Found> NameIndex::find(std::string_view pattern) const {
  std::vector<Found> all;
  if (pattern.empty()) return all;
  const Halves halves = halvesOf(pattern);
  const auto look = [&](const TensorInfo& tensor) {
    Found found;
    if (!matches(tensor.name, halves, found)) return;
    found.tensor = &tensor;
    all.push_back(std::move(found));
  };
  const std::string_view tail = halves.marked ? halves.after : halves.before;
  const std::string_view last = end(tail, 2);
  // If two whole words are known, the index has all candidates; else, as for "{layer}.weight", all tensors are tried.
  if (std::count(tail.begin(), tail.end(), '.') >= (halves.marked ? 2 : 1) &&
      last.find('{') == std::string_view::npos) {
    const auto bucket = byEnd_.find(last);
    if (bucket != byEnd_.end())
      for (const TensorInfo* tensor : bucket->second)
        look(*tensor);
  } else {
    for (const TensorInfo& tensor : checkpoint_->tensors())
      look(tensor);
  }
  return all;
}

const TensorInfo* NameIndex::at(const std::string& prefix, std::string_view pattern, std::int64_t number) const {
  return pattern.empty() ? nullptr : checkpoint_->find(prefix + filled(pattern, std::to_string(number)));
}

const TensorInfo* NameIndex::nearest(std::string_view pattern, std::string_view near) const {
  const TensorInfo* best = nullptr;
  std::size_t most = 0;
  for (const Found& found : find(pattern)) {
    const auto common = static_cast<std::size_t>(
        std::mismatch(near.begin(), near.end(), found.prefix.begin(), found.prefix.end()).first - near.begin());
    if (best != nullptr && common <= most) continue;
    best = found.tensor;
    most = common;
  }
  return best;
}

}  // namespace sepx::checkpoint
