// SPDX-License-Identifier: Apache-2.0
// A folder that appears as a whole: its files are written in one beside it, reach the disk together (one wait, not one
// a file), and the folder is renamed into place. Without commit() nothing is left. Private to engine/train. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/descriptor.h"
#include "engine/core/result.h"

namespace sepx::train {

class NewFolder {
 public:
  /// OutputFailed with path and reason, in words of `target`, as all that follow.
  static Result<std::unique_ptr<NewFolder>> begin(const std::string& target);
  ~NewFolder();
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  /// The next file; write() goes to the last one.
  Result<void> file(const std::string& name);
  Result<void> write(std::string_view piece);
  /// Takes the place of a folder that is there: at every moment one of the two has the name.
  Result<void> commit();

 private:
  NewFolder(std::string target, std::string aside) : target_(std::move(target)), aside_(std::move(aside)) {}
  Result<void> putInPlace();
  tl::unexpected<Error> notWritten(const std::string& name, int error) const;

  std::string target_, aside_;  ///< aside: goes at the end
  std::vector<std::string> names_;
  std::vector<Descriptor> files_;
};

/// A name beside `target` that no reader takes for a finished folder.
std::string besideOf(const std::string& target);

}  // namespace sepx::train
