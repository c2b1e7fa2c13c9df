// SPDX-License-Identifier: Apache-2.0
// Helpers that the tests of lessons share: a lesson of three steps, lessons of one step, and a function that runs
// frames.
#pragma once

#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "engine/core/file.h"
#include "tests/ui/workbench/bench.h"

namespace sepx::test {

inline constexpr const char* kLesson = R"(# A lesson for the tests

## One

The first step sets a point.

```steps
set flow.p 0.5
set flow.q 0.8
add point 0.3,0.2
expect flow.points[0].limit.kind == local-min
```

## Two

The second drags it.

```steps
drag 0.3,0.2 -> 0.3,-1.2 in 2
expect flow.points[0].limit.kind == global-min
```

```ask
question "Where does it end?"
choice "In a local minimum"
choice "In a global minimum" correct
because "It crossed the separatrix."
```

## Three

```steps
set flow.q 0.2
```

The third turns the chain.
)";

/// Writes this lesson to a file and returns its path.
inline std::string lessonFile() {
  const auto path = std::filesystem::temp_directory_path() / "sepx-test-lesson.md";
  REQUIRE(writeFile(path.string(), kLesson));
  return path.string();
}

inline void frames(Bench& bench, int count) {
  for (int i = 0; i < count; ++i)
    bench.frame();
}

/// A lesson of one step with these script lines.
inline std::string lessonOf(const std::string& steps) {
  return "# T\n\n## One\n\n```steps\n" + steps + "\n```\n";
}

}  // namespace sepx::test
