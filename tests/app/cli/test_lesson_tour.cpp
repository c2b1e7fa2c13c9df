// SPDX-License-Identifier: Apache-2.0
// A tour through the steps of a lesson, as the studio and the stage show it, and the pictures of its steps.
#include <filesystem>

#include <catch2/catch.hpp>

#include "app/lesson_tour.h"
#include "engine/render/png.h"
#include "tests/temporary_folder.h"

using namespace sepx;
using namespace sepx::app;

namespace {

constexpr const char* kLesson = R"(# Tour

## One

A point.

```steps
exhibit flow
set flow.p 0.5 flow.q 0.8
add point 0.9,0.4
wait settled
```

```ask
question "Drag the point to a better start."
answer flow.points[0].limit.kind == global-min
solution drag 0.9,0.4 -> 0.6,-0.6 in 1
```

## Two

Where it is now.

```steps
expect flow.points[0].limit.kind == global-min
set flow.p 0.25
```

## Three

It trains.

```steps
exhibit training
click ui:training.start
```
)";

Options smallWindow() {
  Options options;
  options.size = gpu::Extent{960, 540};
  options.threads = 1;
  options.theme = "projector";
  return options;
}

}  // namespace

TEST_CASE("A tour answers the questions of a step before the next step, and the stage shows the same as the studio") {
  const tests::TemporaryFolder folder;
  const std::string file = folder.file("tour.md", kLesson);
  auto tour = LessonTour::begin(smallWindow(), file, true);
  INFO((tour ? std::string() : tour.error().message));
  REQUIRE(tour);
  const auto next = [&] {
    const auto more = (*tour)->next();
    INFO((more ? std::string() : more.error().message));
    REQUIRE(more);
    return *more;
  };
  const auto p = [&] { return std::get<double>(*(*tour)->shown().workbench().get("flow.p")); };
  REQUIRE(next());
  CHECK((*tour)->step() == 0);
  CHECK((*tour)->shown().workbench().options().follows);
  CHECK(p() == 0.5);
  CHECK((*tour)->shown().workbench().lessonStep() == 0);
  REQUIRE(next());  // the expectation of this step is that of the answer
  CHECK(p() == 0.25);
  CHECK((*tour)->shown().workbench().lessonStep() == 1);
  CHECK((*tour)->trainsNext());
}

TEST_CASE("Pictures of a lesson end before a step that trains, if this is requested") {
  const tests::TemporaryFolder folder;
  const std::string file = folder.file("tour.md", kLesson);
  const auto made = lessonPictures(smallWindow(), file, {folder.path.string(), true, true, false});
  INFO((made ? std::string() : made.error().message));
  REQUIRE(made);
  CHECK(*made == 2);
  const auto first = render::readPng(folder / lessonPictureName(0)),
             second = render::readPng(folder / lessonPictureName(1));
  REQUIRE(first);
  REQUIRE(second);
  CHECK(first->extent == gpu::Extent{480, 270});
  CHECK(first->rgba != second->rgba);
  CHECK_FALSE(std::filesystem::exists(folder / lessonPictureName(2)));
}
