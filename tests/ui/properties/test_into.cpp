// SPDX-License-Identifier: Apache-2.0
// Each row of a declaration names the member that it sets: numbers, truth values, texts and enumerations, with and
// without a value in the document.
#include <catch2/catch.hpp>

#include "ui/properties/declarations.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

enum class Look { Cards, Table };
struct Inner {
  double width = 0;
  int count = 0;
};
struct Base {
  Inner inner;
};
struct State : Base {
  double size = -1;
  int steps = -1;
  std::uint64_t seed = 7;
  bool shown = false, averaged = false;
  Look look = Look::Table;
  std::string name = "before";
  std::vector<int> places;
};
struct Other {
  double size = -1;
};

PropertyRegistry declared() {
  PropertyRegistry registry;
  const auto places = [](State& state, const Value& text) { state.places.assign(toString(text).size(), 1); };
  declareParameters(
      registry, {.prefix = "a."},
      {{.key = "size", .into = &State::size, .min = 0, .max = 10, .fallback = 2.5},
       {.key = "steps", .into = &State::steps, .kind = Kind::Integer, .min = 1, .max = 100, .fallback = 10.0},
       {.key = "seed", .into = &State::seed, .kind = Kind::Integer, .max = 1e15, .fallback = 3.0},
       {.key = "shown", .into = &State::shown, .fallback = true},
       {.key = "look", .into = &State::look, .options = {{"cards", "cards"}, {"table", "table"}}},
       {.key = "weights", .into = &State::averaged, .options = {{"raw", "raw"}, {"averaged", "averaged"}}},
       {.key = "name", .into = &State::name, .fallback = "none"},
       {.key = "places", .into = Into::by<State>(places), .fallback = "xy"},
       {.key = "width", .into = Into::of<State>(&State::inner, &Inner::width), .fallback = 4.0},
       {.key = "other", .into = &Other::size, .fallback = 9.0}});
  declareParameters(registry, {.prefix = "b."}, {{.key = "size", .into = &State::size, .fallback = 77.0}});
  return registry;
}

}  // namespace

TEST_CASE("Without values in the document, a state gets the fallbacks of its rows", "[into]") {
  State state;
  declared().read(Document(), state, "a.");
  CHECK(state.size == 2.5);
  CHECK(state.steps == 10);
  CHECK(state.seed == 3);
  CHECK(state.shown);
  CHECK_FALSE(state.averaged);
  CHECK((state.look == Look::Cards));
  CHECK(state.name == "none");
  CHECK(state.places.size() == 2);
  CHECK(state.inner.width == 4);
  CHECK(state.inner.count == 0);  // no row names this member
}

TEST_CASE("A state gets the values of a document: a choice as its index, a whole number within its range", "[into]") {
  const Document document = Document()
                                .with("a.size", 5.0)
                                .with("a.steps", 1e12)
                                .with("a.shown", false)
                                .with("a.look", "table")
                                .with("a.weights", "averaged")
                                .with("a.name", "x")
                                .with("a.places", "");
  State state;
  const PropertyRegistry registry = declared();
  registry.read(document, state, "a.");
  CHECK(state.size == 5);
  CHECK(state.steps == 100);
  CHECK_FALSE(state.shown);
  CHECK((state.look == Look::Table));
  CHECK(state.averaged);
  CHECK(state.name == "x");
  CHECK(state.places.empty());
  // An unknown choice and a value of another type give the fallback.
  registry.read(document.with("a.look", "wall").with("a.size", "wide"), state, "a.");
  CHECK((state.look == Look::Table));
  CHECK(state.size == 2.5);
}

TEST_CASE("Rows with another prefix or of another state type set nothing", "[into]") {
  State state;
  const PropertyRegistry registry = declared();
  registry.read(Document(), state, "b.");
  CHECK(state.size == 77);
  CHECK(state.steps == -1);
  Other other;
  registry.read(Document(), other);
  CHECK(other.size == 9);
}
