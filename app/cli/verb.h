// SPDX-License-Identifier: Apache-2.0
// One verb of the command line. To add one: a file verb_NAME.cpp with a class and its make function, a line in
// verbs.cpp, its shape in docs/json.md. A verb declares its options as text and turns them into values itself
// (values.h), so that numbers parse the same in every locale and a wrong one is answered by one sentence.
#pragma once

#include <iosfwd>
#include <memory>
#include <span>

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
  bool terminal = false;  ///< err is a terminal
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

struct VerbEntry {
  const char* name;
  const char* description;  ///< N_("…")
  std::unique_ptr<Verb> (*make)();
};
std::span<const VerbEntry> verbs();

std::unique_ptr<Verb> makeDoctor();
std::unique_ptr<Verb> makeFlow();
std::unique_ptr<Verb> makeTrajectory();
std::unique_ptr<Verb> makeBasin();
std::unique_ptr<Verb> makeCritical();
std::unique_ptr<Verb> makeGauss();
std::unique_ptr<Verb> makeOptimisers();
std::unique_ptr<Verb> makeInspect();
std::unique_ptr<Verb> makeScores();
std::unique_ptr<Verb> makeHeatmap();
std::unique_ptr<Verb> makeCompare();
std::unique_ptr<Verb> makeTheory();
std::unique_ptr<Verb> makeTrain();
std::unique_ptr<Verb> makeRuns();
std::unique_ptr<Verb> makeReproduce();
std::unique_ptr<Verb> makeRender();
std::unique_ptr<Verb> makePlay();
std::unique_ptr<Verb> makeVerify();
std::unique_ptr<Verb> makeBench();

}  // namespace sepx::app::cli
