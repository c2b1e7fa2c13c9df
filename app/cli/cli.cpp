// SPDX-License-Identifier: Apache-2.0
// Maps arguments to a verb and a verb's outcome to an exit status; see cli.h.
#include "app/cli/cli.h"

#include <algorithm>
#include <exception>
#include <iostream>

#include <poll.h>
#include <unistd.h>
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "app/cli/call_filter.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/headless.h"
#include "app/options.h"
#include "engine/core/resource_limits.h"
#include "engine/core/terminal_text.h"
#include "engine/core/try.h"
#include "ui/properties/translated_sentence.h"

namespace sepx::app::cli {
namespace {

int complain(std::ostream& err, ErrorKind kind, const std::string& sentence) {
  err << "sepx: " << printableSentence(sentence) << "\n";
  err.flush();
  return exitStatus(kind);
}

/// Whether the reader of standard output has closed it (`| head`).
bool readerGone() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

/// Reports output of a verb that could not be written (a full disk). If the reader has closed standard output, only the
/// exit status is set.
int delivered(Console& console, int status) {
  console.out.flush();
  if (console.out) return status;
  if (&console.out == &std::cout && readerGone()) return exitStatus(ErrorKind::OutputFailed);
  return complain(console.err, ErrorKind::OutputFailed, tr(N_("standard output could not be written")));
}

/// Runs a script or takes a shot without a verb, with the same meaning of the flags as in the window hosts.
Result<Outcome> withoutVerb(const Options& common) {
  if (!common.script.empty()) {
    SEPX_TRY(playHeadless(common, common.script));
    return Outcome::Done;
  }
  if (!common.shot.empty()) {
    SEPX_TRY(renderHeadless(common, {}, common.shot));
    return Outcome::Done;
  }
  return fail(ErrorKind::Usage, tr(N_("name a verb; `sepx --help` lists them")));
}

Result<Outcome> runVerb(const CLI::App& app, const std::vector<VerbEntry>& verbs, Console& console,
                        const Options& common) {
  for (const VerbEntry& one : verbs) {
    if (!app.got_subcommand(one.name)) continue;
    if (console.ownProcess && one.readsOnly && common.compute != ui::Compute::Gpu)
      static_cast<void>(blockProgramsAndSockets());  // without such filters the verb runs all the same
    return one.verb->run(console, common);
  }
  return withoutVerb(common);
}

int dispatch(CLI::App& app, std::vector<std::string> args, const std::vector<VerbEntry>& verbs, Console& console,
             const Options& common) {
  const Result<std::optional<std::string>> text = parseArguments(app, std::move(args));
  if (!text) return complain(console.err, text.error().kind, ui::translatedSentence(text.error().message));
  if (*text) {  // --help, --version
    console.out << **text;
    return delivered(console, 0);
  }
  const Result<Outcome> outcome = runVerb(app, verbs, console, common);
  if (!outcome) return complain(console.err, outcome.error().kind, ui::translatedSentence(outcome.error().message));
  return delivered(console, static_cast<int>(*outcome));
}

const char* const kDescription =
    N_("Separatrix, headless: the learning dynamics of transformers as numbers and pictures");

void declareAll(CLI::App& app, Options& common, const std::vector<VerbEntry>& verbs) {
  addCommonFlags(app, common, kMostFigureScale);
  app.require_subcommand(0, 1);
  for (const VerbEntry& one : verbs) {
    CLI::App* command = app.add_subcommand(one.name, tr(one.description));
    command->fallthrough();  // the common flags may follow the verb
    one.verb->declare(*command);
  }
}

int runIn(Console console, std::vector<std::string> args, const std::vector<VerbEntry>& verbs) {
  std::ostream& err = console.err;
  try {
    CLI::App app(tr(kDescription), "sepx");
    Options common;
    declareAll(app, common, verbs);
    return dispatch(app, std::move(args), verbs, console, common);
  } catch (const std::bad_alloc&) {
    return complain(err, ErrorKind::Internal, outOfMemory());
  } catch (const std::system_error& error) {
    if (isThreadRefused(error)) return complain(err, ErrorKind::Internal, noThread());
    return complain(err, ErrorKind::Internal, trf(N_("internal error: {}"), std::string(error.what())));
  } catch (const std::exception& error) {
    return complain(err, ErrorKind::Internal, trf(N_("internal error: {}"), std::string(error.what())));
  }
}

}  // namespace

int run(std::vector<std::string> args, std::ostream& out, std::ostream& err, bool terminal) {
  return runIn({out, err, terminal}, std::move(args), makeVerbs());
}

int run(std::vector<std::string> args, std::ostream& out, std::ostream& err, bool terminal,
        std::vector<VerbEntry> verbs) {
  return runIn({out, err, terminal}, std::move(args), verbs);
}

int runProcess(std::vector<std::string> args, std::ostream& out, std::ostream& err, bool terminal) {
  return runIn({out, err, terminal, true}, std::move(args), makeVerbs());
}

CommandTable commandTable() {
  CLI::App app(tr(kDescription), "sepx");
  Options common;
  const std::vector<VerbEntry> verbs = makeVerbs();
  declareAll(app, common, verbs);
  return optionTable(app);
}

}  // namespace sepx::app::cli
