// SPDX-License-Identifier: Apache-2.0
// A bar on standard error while long work runs, when that is a terminal; else nothing. Called from worker threads too.
#pragma once

#include <mutex>
#include <string>

#include "app/cli/verb.h"

namespace sepx::app::cli {

class Progress {
 public:
  Progress(Console& console, std::string name);
  ~Progress();  ///< clears the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Share done, 0 to 1.
  void at(double share);

 private:
  Console& console_;
  std::string name_;
  std::mutex mutex_;
  int percent_ = -1;
};

}  // namespace sepx::app::cli
