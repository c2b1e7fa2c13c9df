// SPDX-License-Identifier: Apache-2.0
// A progress bar on standard error for long work, if that is a terminal; otherwise nothing. May be called from worker
// threads too.
#pragma once

#include <functional>
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
  /// at() as a function, valid for the lifetime of this object.
  std::function<void(double share)> function() {
    return [this](double share) { at(share); };
  }

 private:
  Console& console_;
  std::string name_;
  std::mutex mutex_;
  int percent_ = -1;
};

}  // namespace sepx::app::cli
