// SPDX-License-Identifier: Apache-2.0
// One verb of the command line. To add one: a file verb_NAME.cpp with a class and its make function, its name in the
// list of verb.cpp, its shape in docs/json.md (docs/recipes/verb.md shows it). A verb declares its options as text and
// turns them into values itself (values.h), so that numbers parse the same in every locale and a wrong one is answered
// by one sentence.
#pragma once

#include <iosfwd>
#include <memory>
#include <vector>

#include "engine/core/result.h"

namespace CLI {
class App;
}

namespace sepx::app {
struct Options;
}

namespace sepx::app::cli {

struct Console {
  std::ostream& out;
  std::ostream& err;
  bool terminal = false;    ///< err is a terminal
  bool ownProcess = false;  ///< the process does nothing else, so it may give up rights
};

/// Exit statuses of a verb that ran to its end; the others come from ErrorKind.
enum class Outcome { Done = 0, CheckFailed = 1 };

class Verb {
 public:
  virtual ~Verb() = default;
  virtual void declare(CLI::App& command) = 0;
  /// `common`: the flags that every binary understands (app/options.h).
  virtual Result<Outcome> run(Console& console, const Options& common) = 0;
};

inline constexpr bool kReadsOnly = true;  ///< VerbEntry::readsOnly

struct VerbEntry {
  const char* name;
  const char* description;  ///< N_("…")
  std::unique_ptr<Verb> verb;
  /// It reads files, computes and writes: a process of its own gives up the rest (call_filter.h), but for --compute
  /// gpu, whose driver may start programs.
  bool readsOnly = false;
};
/// All of them, in the order of --help; each file makes its own (verb.cpp lists them).
std::vector<VerbEntry> makeVerbs();

}  // namespace sepx::app::cli
