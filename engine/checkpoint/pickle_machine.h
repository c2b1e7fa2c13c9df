// SPDX-License-Identifier: Apache-2.0
// The stack machine of pickle, with opcodes by their numbers as Python's pickletools lists them. Every opcode takes at
// least one byte, makes a bounded number of objects and moves each stack entry once, so that time and memory are linear
// in the length of the file. Private to pickle.cpp and pickle_values.cpp.
#pragma once

#include <optional>

#include "engine/checkpoint/pickle.h"

namespace sepx::checkpoint {

class Unpickler {  ///< the stack machine; each instance reads one pickle
 public:
  Unpickler(std::span<const std::byte> bytes, const std::string& path, std::string_view part)
      : bytes_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), path_(path), part_(part) {}

  Result<PickleGraph> run();  ///< BadInput with the byte at which it stopped

  using Kind = PickleKind;  ///< for the source files of this class

 private:
  // Each executes the opcodes of one group; false: the opcode belongs to another group. A failure is stored in error_.
  bool number(unsigned char op);
  bool text(unsigned char op);
  bool container(unsigned char op);
  bool stack(unsigned char op);
  bool call(unsigned char op);

  // Read the bytes that follow an opcode.
  std::string_view take(std::uint64_t count);
  std::uint64_t little(int count);
  std::string_view line();
  std::string_view counted(int lengthBytes) { return take(little(lengthBytes)); }

  // Operations on the stack.
  void push(PickleRef ref);
  PickleObject& make(Kind kind);
  PickleRef makeText(std::string_view text);
  void pushText(Kind kind, std::string_view text);
  PickleRef pop();
  PickleRef top();
  std::vector<PickleRef> popMark();
  void pushItems(Kind kind, std::vector<PickleRef> items);

  void integerLine(std::string_view digits);
  void longInteger(std::string_view bytes);
  void quoted(std::string_view source);
  void escapedUnicode(std::string_view source);
  bool countItems(std::size_t more);
  void append(PickleRef to, const std::vector<PickleRef>& values, bool pairs);
  void memoize(std::uint64_t index);
  void recall(std::uint64_t index);
  void global(PickleRef module, PickleRef name);
  void makeCall(PickleRef callable, PickleRef arguments);
  void wrong(std::string_view what);

  std::string_view bytes_;
  const std::string& path_;
  std::string_view part_;
  std::uint64_t at_ = 0, opcode_ = 0;
  PickleGraph graph_;
  std::vector<PickleRef> stack_, memo_;
  std::vector<std::size_t> marks_;
  std::size_t items_ = 0;  ///< of all containers together
  std::optional<Error> error_;
};

}  // namespace sepx::checkpoint
