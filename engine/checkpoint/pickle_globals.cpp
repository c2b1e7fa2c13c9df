// SPDX-License-Identifier: Apache-2.0
// Names that no weight file needs and that pickles use to run commands, import modules or evaluate code. Nothing is run
// here, whatever the name; the list only decides whether a name becomes an inert object or is refused with a message.
#include "engine/checkpoint/pickle_globals.h"

#include <algorithm>
#include <array>

namespace sepx::checkpoint {

namespace {

/// Packages whose names are all refused.
constexpr std::array<std::string_view, 44> kModules = {
    "os",          "posix",      "nt",        "subprocess", "sys",     "runpy",   "socket",
    "shutil",      "pty",        "importlib", "ctypes",     "code",    "codeop",  "commands",
    "popen2",      "webbrowser", "pickle",    "_pickle",    "cPickle", "marshal", "multiprocessing",
    "threading",   "_thread",    "signal",    "pip",        "pdb",     "bdb",     "timeit",
    "platform",    "urllib",     "requests",  "http",       "ftplib",  "smtplib", "telnetlib",
    "xmlrpc",      "asyncio",    "tempfile",  "cProfile",   "profile", "trace",   "dill",
    "cloudpickle", "cffi"};

constexpr std::array<std::string_view, 17> kBuiltins = {
    "eval",       "exec",    "execfile", "compile", "open",    "__import__", "input", "raw_input", "apply",
    "breakpoint", "globals", "locals",   "vars",    "setattr", "delattr",    "help",  "exit"};

/// Names that run something in any module, for instance through another one ("pathlib", "os.system").
constexpr std::array<std::string_view, 12> kNames = {"system",     "popen",       "eval",         "exec",
                                                     "execfile",   "spawnl",      "execv",        "runstring",
                                                     "__import__", "__globals__", "__builtins__", "check_output"};

template <class List>
bool has(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

bool executesCode(std::string_view module, std::string_view name) {
  const std::string_view package = module.substr(0, module.find('.'));
  if (has(kModules, package)) return true;
  if (package == "builtins" || package == "__builtin__") {
    if (has(kBuiltins, name.substr(0, name.find('.')))) return true;
  }
  if (module == "types" && (name == "FunctionType" || name == "CodeType" || name == "LambdaType")) return true;
  // Protocol 4 looks dotted names up step by step. No class needs many steps.
  constexpr int kMostSteps = 16;
  int steps = 0;
  for (std::string_view rest = name; !rest.empty();) {
    if (++steps > kMostSteps) return true;
    const std::size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    if (has(kNames, part) || (dot != std::string_view::npos && has(kModules, part))) return true;
    rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
  }
  return false;
}

}  // namespace sepx::checkpoint
