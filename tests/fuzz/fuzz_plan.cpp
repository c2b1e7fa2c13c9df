// SPDX-License-Identifier: Apache-2.0
// Plans of sweeps: an accepted plan gives runs that pass the checks of a config; a refusal is one line of readable
// text.
#include <cstdlib>
#include <string_view>

#include "engine/sweep/sweep_plan.h"
#include "tests/fuzz/look.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sepx;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto sweep = sweep::parseSweep(text, "plan.json", [](const std::string&) -> Result<sweep::NamedConfig> {
    return sweep::NamedConfig{R"({"model": {"length": 8, "d_model": 4}})", "config.json", "."};
  });
  if (sweep) {
    for (const sweep::SweepRun& run : sweep->runs)
      if (!train::check(run.config) || run.values.size() != sweep->fields.size()) std::abort();
    return 0;
  }
  fuzz::checkSentence(sweep.error());
  return 0;
}
