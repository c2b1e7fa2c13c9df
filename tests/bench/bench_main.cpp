// SPDX-License-Identifier: Apache-2.0
// `sepx-bench` measures the speed of kernels and frames on this machine. It never decides whether a test passes.
#include <iostream>

#include "engine/core/log.h"
#include "tests/bench/cases/bench_verb.h"
#include "ui/properties/tr.h"

int main(int argc, char** argv) {
  sepx::setUpLog();
  sepx::ui::setUpTranslations();
  return sepx::app::cli::runBench(std::vector<std::string>(argv + 1, argv + argc), std::cout, std::cerr);
}
