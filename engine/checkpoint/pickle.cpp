// SPDX-License-Identifier: Apache-2.0
// The machine that turns opcodes into inert objects: stack, memo, containers, names and calls.
#include "engine/checkpoint/pickle.h"

#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "engine/checkpoint/pickle_globals.h"
#include "engine/checkpoint/pickle_machine.h"
#include "engine/core/json.h"

namespace sepx::checkpoint {

using Kind = PickleKind;

void Unpickler::wrong(std::string_view what) {
  if (error_) return;
  const std::string place = part_.empty() ? std::string() : fmt::format(" of {}", part_);
  error_ = Error{ErrorKind::BadInput, fmt::format("{}: byte {}{}: {}", path_, opcode_, place, what)};
}

std::string_view Unpickler::take(std::uint64_t count) {
  if (count > bytes_.size() - at_) {
    wrong("the pickle is cut off here");
    at_ = bytes_.size();
    return {};
  }
  const std::string_view taken = bytes_.substr(static_cast<std::size_t>(at_), static_cast<std::size_t>(count));
  at_ += count;
  return taken;
}

std::uint64_t Unpickler::little(int count) {
  std::uint64_t value = 0;
  const std::string_view taken = take(static_cast<std::uint64_t>(count));
  if (!taken.empty()) std::memcpy(&value, taken.data(), taken.size());
  return value;
}

std::string_view Unpickler::line() {
  const std::size_t end = bytes_.find('\n', static_cast<std::size_t>(at_));
  if (end == std::string_view::npos) return take(bytes_.size());  // longer than what is left: reported as cut off
  const std::string_view taken = take(end - at_);
  at_ = end + 1;
  return taken;
}

PickleObject& Unpickler::make(Kind kind) {
  if (graph_.objects.size() >= kMostObjects) {
    wrong(fmt::format("the pickle makes more than {} objects; it is not read further", kMostObjects));
    return graph_.objects.back();
  }
  push(static_cast<PickleRef>(graph_.objects.size()));
  PickleObject& object = graph_.objects.emplace_back();
  object.kind = kind;
  object.offset = opcode_;
  return object;
}

void Unpickler::pushText(Kind kind, std::string_view text) {
  make(kind).text = text;
}

PickleRef Unpickler::makeText(std::string_view text) {
  pushText(Kind::Text, text);
  return pop();
}

void Unpickler::push(PickleRef ref) {
  if (stack_.size() >= kMostItems) return wrong(fmt::format("the pickle stacks more than {} objects", kMostItems));
  stack_.push_back(ref);
}

/// kNoObject after a failure; the loop stops before it is used.
PickleRef Unpickler::pop() {
  const std::size_t floor = marks_.empty() ? 0 : marks_.back();
  if (stack_.size() <= floor) {
    wrong("takes an object from an empty stack");
    return kNoObject;
  }
  const PickleRef ref = stack_.back();
  stack_.pop_back();
  return ref;
}

PickleRef Unpickler::top() {
  const PickleRef ref = pop();
  if (ref != kNoObject) push(ref);
  return ref;
}

std::vector<PickleRef> Unpickler::popMark() {
  if (marks_.empty()) {
    wrong("looks for a mark, and there is none");
    return {};
  }
  const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  std::vector<PickleRef> items(first, stack_.end());
  stack_.erase(first, stack_.end());
  marks_.pop_back();
  return items;
}

void Unpickler::pushItems(Kind kind, std::vector<PickleRef> items) {
  if (error_) return;
  if (kind == Kind::Dict && items.size() % 2 != 0) return wrong("a key has no value");
  if (!countItems(items.size())) return;
  make(kind).items = std::move(items);
}

bool Unpickler::container(unsigned char op) {
  switch (op) {
    case ')':
      make(Kind::Tuple);
      return true;
    case ']':
      make(Kind::List);
      return true;
    case '}':
      make(Kind::Dict);
      return true;
    case 0x8F:
      make(Kind::Set);
      return true;
    case 't':
      pushItems(Kind::Tuple, popMark());
      return true;
    case 'l':
      pushItems(Kind::List, popMark());
      return true;
    case 'd':
      pushItems(Kind::Dict, popMark());
      return true;
    case 0x91:
      pushItems(Kind::Set, popMark());
      return true;
    case 0x85:
    case 0x86:
    case 0x87: {
      std::vector<PickleRef> items(op - 0x84U);
      for (std::size_t i = items.size(); i-- > 0;)
        items[i] = pop();
      pushItems(Kind::Tuple, std::move(items));
      return true;
    }
    case 'a': {
      const PickleRef value = pop();
      append(top(), {value}, false);
      return true;
    }
    case 'e':
    case 0x90: {
      const auto values = popMark();
      append(top(), values, false);
      return true;
    }
    case 's': {
      const PickleRef value = pop(), key = pop();
      append(top(), {key, value}, true);
      return true;
    }
    case 'u': {
      const auto values = popMark();
      append(top(), values, true);
      return true;
    }
    default:
      return false;
  }
}

/// Counts `more` items; false if that is too many or there was an error.
bool Unpickler::countItems(std::size_t more) {
  items_ += more;
  if (items_ > kMostItems) wrong(fmt::format("the pickle puts more than {} items into containers", kMostItems));
  return !error_;
}

void Unpickler::append(PickleRef to, const std::vector<PickleRef>& values, bool pairs) {
  if (error_) return;
  PickleObject& object = graph_.objects[to];
  if (object.kind == Kind::Call && object.items.empty()) object.pairs = pairs;
  const bool fits = object.kind == Kind::Call ? object.pairs == pairs
                    : pairs                   ? object.kind == Kind::Dict
                                              : object.kind == Kind::List || object.kind == Kind::Set;
  if (!fits) return wrong("puts items into something that is not a container of such");
  if (pairs && values.size() % 2 != 0) return wrong("a key has no value");
  if (!countItems(values.size())) return;
  object.items.insert(object.items.end(), values.begin(), values.end());
}

bool Unpickler::stack(unsigned char op) {
  switch (op) {
    case '(':
      if (marks_.size() == kMostObjects) wrong(fmt::format("the pickle sets more than {} marks", kMostObjects));
      marks_.push_back(stack_.size());
      return true;
    case '0':
      if (!marks_.empty() && stack_.size() == marks_.back()) {
        marks_.pop_back();
      } else {
        pop();
      }
      return true;
    case '1':
      popMark();
      return true;
    case '2': {
      const PickleRef ref = top();
      if (ref != kNoObject) push(ref);
      return true;
    }
    case 'p':
    case 'g': {
      const std::string_view digits = line();
      std::uint64_t index = 0;
      const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
      if (failure != std::errc() || end != digits.data() + digits.size()) wrong("there should be a memo number here");
      op == 'p' ? memoize(index) : recall(index);
      return true;
    }
    case 'q':
      memoize(little(1));
      return true;
    case 'r':
      memoize(little(4));
      return true;
    case 0x94:
      memoize(memo_.size());
      return true;
    case 'h':
      recall(little(1));
      return true;
    case 'j':
      recall(little(4));
      return true;
    default:
      return false;
  }
}

void Unpickler::memoize(std::uint64_t index) {
  const PickleRef ref = top();
  if (error_) return;
  if (index >= kMostObjects) return wrong(fmt::format("memo number {} is too large", index));
  if (index >= memo_.size()) memo_.resize(static_cast<std::size_t>(index) + 1, kNoObject);
  memo_[static_cast<std::size_t>(index)] = ref;
}

void Unpickler::recall(std::uint64_t index) {
  if (error_) return;
  if (index >= memo_.size() || memo_[static_cast<std::size_t>(index)] == kNoObject) {
    return wrong(fmt::format("memo number {} was never set", index));
  }
  push(memo_[static_cast<std::size_t>(index)]);
}

bool Unpickler::call(unsigned char op) {
  switch (op) {
    case 'c': {
      const std::string_view module = line(), name = line();
      const PickleRef first = makeText(module);
      global(first, makeText(name));
      return true;
    }
    case 0x93: {
      const PickleRef name = pop(), module = pop();
      global(module, name);
      return true;
    }
    case 'i': {
      const std::string_view module = line(), name = line();
      pushItems(Kind::Tuple, popMark());
      const PickleRef arguments = pop(), first = makeText(module);
      global(first, makeText(name));
      makeCall(pop(), arguments);
      return true;
    }
    case 'o': {
      auto items = popMark();
      if (items.empty()) wrong("calls nothing");
      if (error_) return true;
      const PickleRef callable = items.front();
      items.erase(items.begin());
      pushItems(Kind::Tuple, std::move(items));
      makeCall(callable, pop());
      return true;
    }
    case 0x92:
      pop();
      [[fallthrough]];  // the keyword arguments of NEWOBJ_EX; no class that is understood has any
    case 'R':
    case 0x81: {
      const PickleRef arguments = pop(), callable = pop();
      makeCall(callable, arguments);
      return true;
    }
    case 'b': {
      const PickleRef state = pop(), object = top();
      if (!error_) graph_.objects[object].state = state;
      return true;
    }
    case 'P': {
      const PickleRef id = makeText(line());
      make(Kind::Persistent).first = id;
      return true;
    }
    case 'Q': {
      const PickleRef id = pop();
      make(Kind::Persistent).first = id;
      return true;
    }
    default:
      return false;
  }
}

void Unpickler::global(PickleRef module, PickleRef name) {
  if (error_) return;
  const PickleObject &first = graph_.at(module), &second = graph_.at(name);
  if (first.kind != Kind::Text || second.kind != Kind::Text)
    return wrong("names a class by something that is not text");
  if (first.text.size() > 1000 || second.text.size() > 1000) return wrong("names a class by an absurdly long text");
  if (executesCode(first.text, second.text)) {
    return wrong(fmt::format("names {}, which could run commands or code if Python loaded this file; nothing was run",
                             inQuotes(fmt::format("{}.{}", first.text, second.text))));
  }
  PickleObject& object = make(Kind::Global);
  object.first = module;
  object.second = name;
}

void Unpickler::makeCall(PickleRef callable, PickleRef arguments) {
  if (error_) return;
  const Kind kind = graph_.at(callable).kind;
  if (kind != Kind::Global && kind != Kind::Call && kind != Kind::Persistent)
    return wrong("calls something that is not a class");
  const PickleObject& tuple = graph_.at(arguments);
  if (tuple.kind != Kind::Tuple) return wrong("calls a class with something that is not a list of arguments");
  if (graph_.isGlobal(callable, "builtins", "getattr") || graph_.isGlobal(callable, "__builtin__", "getattr")) {
    if (tuple.items.size() > 3) return wrong("asks for an attribute with more than three arguments");
    for (const PickleRef argument : tuple.items) {
      const PickleObject& word = graph_.at(argument);
      if (word.kind != Kind::Text || !executesCode({}, word.text)) continue;
      return wrong(
          fmt::format("asks for the attribute {} of an object, which can make Python run commands; nothing was run",
                      inQuotes(word.text)));
    }
  }
  PickleObject& object = make(Kind::Call);
  object.first = callable;
  object.second = arguments;
}

Result<PickleGraph> Unpickler::run() {
  while (!error_) {
    opcode_ = at_;
    const std::string_view taken = take(1);
    if (error_) break;
    const auto op = static_cast<unsigned char>(taken.front());
    if (op == '.') {
      graph_.root = pop();
      graph_.length = at_;
      break;
    }
    if (op == 0x80) {
      if (const std::uint64_t protocol = little(1); protocol > 5)
        wrong(fmt::format("pickle protocol {} is not supported", protocol));
    } else if (op == 0x95) {
      if (little(8) > bytes_.size() - at_) wrong("the pickle is cut off within this frame");
    } else if (!number(op) && !text(op) && !container(op) && !stack(op) && !call(op)) {
      wrong(fmt::format("{:#04x} is not an opcode that a file of weights needs", op));
    }
  }
  if (error_) return tl::unexpected(*error_);
  return std::move(graph_);
}

Result<PickleGraph> readPickle(std::span<const std::byte> bytes, const std::string& path, std::string_view part) {
  return Unpickler(bytes, path, part).run();
}

std::string PickleGraph::qualified(PickleRef ref) const {
  for (int depth = 0; ref != kNoObject && depth < 8; ++depth) {
    const PickleObject& object = at(ref);
    if (object.kind == PickleKind::Global) return fmt::format("{}.{}", at(object.first).text, at(object.second).text);
    if (object.kind == PickleKind::Persistent) {
      // A module class that old files of PyTorch store with its source: ("module", class, file, source).
      const PickleObject& id = at(object.first);
      ref = id.kind == PickleKind::Tuple && id.items.size() > 1 ? id.items[1] : kNoObject;
      continue;
    }
    if (object.kind != PickleKind::Call) break;
    ref = object.first;
  }
  return {};
}

bool PickleGraph::isGlobal(PickleRef ref, std::string_view module, std::string_view name) const {
  const PickleObject& object = at(ref);
  return object.kind == PickleKind::Global && at(object.first).text == module && at(object.second).text == name;
}

PickleRef PickleGraph::lookUp(PickleRef dict, std::string_view key) const {
  const PickleObject& object = at(dict);
  if (object.kind != PickleKind::Dict && !(object.kind == PickleKind::Call && object.pairs)) return kNoObject;
  for (std::size_t i = object.items.size(); i >= 2; i -= 2) {
    const PickleObject& candidate = at(object.items[i - 2]);
    if (candidate.kind == PickleKind::Text && candidate.text == key) return object.items[i - 1];
  }
  return kNoObject;
}

}  // namespace sepx::checkpoint
