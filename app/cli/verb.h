// SPDX-License-Identifier: Apache-2.0
// One verb of the command line. To add one: write a file verb_NAME.cpp with a class and its make function, add its name
// to the list of verb.cpp, and describe its JSON in docs/json.md (docs/recipes/verb.md shows it). A verb declares its
// options as text and converts them to values itself (values.h), so that numbers parse the same in every locale and a
// wrong one is reported in one sentence.
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
  /// The verb only reads files, computes and writes. In a process of its own it gives up all other rights
  /// (call_filter.h), except with --compute gpu, because the driver may start programs.
  bool readsOnly = false;
};
/// All verbs, in the order of --help. Each file makes its own verb; verb.cpp lists them.
std::vector<VerbEntry> makeVerbs();

}  // namespace sepx::app::cli
