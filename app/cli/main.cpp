// SPDX-License-Identifier: Apache-2.0
// `sepx`: the headless command line. See cli.h.
#include <csignal>
#include <cstdio>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include <unistd.h>

#include "app/cli/cli.h"
#include "engine/core/file.h"
#include "engine/core/log.h"
#include "engine/core/resource_limits.h"
#include "engine/core/result.h"
#include "engine/core/terminal_output.h"
#include "ui/properties/tr.h"

int main(int argc, char** argv) try {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe gives exit status 6 (cli.cpp) and does not stop a run
  std::ios::sync_with_stdio(false);
  sepx::setUpLog();
  sepx::ignoreFileSizeSignal();
  sepx::installOutOfMemoryHandler();
  sepx::ui::setUpTranslations();
  std::streambuf* const output = std::cout.rdbuf();
  sepx::TerminalBuffer cleaned(*output);
  if (isatty(STDOUT_FILENO) != 0) std::cout.rdbuf(&cleaned);  // a file or pipe gets the bytes as they are
  const int status = sepx::app::cli::runProcess(std::vector<std::string>(argv + 1, argv + argc), std::cout, std::cerr,
                                                isatty(STDERR_FILENO) != 0);
  std::cout.rdbuf(output);
  return status;
} catch (const std::bad_alloc&) {  // before a verb: there is no translation yet, and no memory for one
  std::fputs("sepx: out of memory before it began\n", stderr);
  return sepx::exitStatus(sepx::ErrorKind::Internal);
}
