// SPDX-License-Identifier: Apache-2.0
#include "ui/properties/registry.h"

#include <unistd.h>
#include <catch2/catch.hpp>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>

#include "engine/core/random.h"
#include "ui/document/history.h"
#include "ui/document/json_text.h"
#include "ui/document/script.h"
#include "ui/properties/refused.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

Property real(std::string key, double min, double max, bool open, double fallback) {
  Property property;
  property.key = std::move(key);
  property.min = min;
  property.max = max;
  property.open = open;
  property.fallback = fallback;
  return property;
}

PropertyRegistry sample() {
  PropertyRegistry registry;
  registry.declare(real("flow.p", 0, 1, true, 0.5));
  registry.declare(real("flow.points[].e", -1e6, 1e6, false, 0.0));
  registry.declare(real("flow.points[].w", -1e6, 1e6, false, 0.0));
  registry.declare(
      real("flow.free", -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), true, 1.0));
  registry.declare(real("flow.above", 0, std::numeric_limits<double>::infinity(), true, 1.0));
  Property name = real("flow.points[].name", 0, 0, false, 0);
  name.kind = Kind::Text;
  name.fallback = std::string();
  registry.declare(name);
  Property toggle = real("flow.show.loss", 0, 1, false, 0);
  toggle.kind = Kind::Toggle;
  toggle.fallback = true;
  registry.declare(toggle);
  Property count = real("flow.gauss.samples", 1, 100'000, false, 1000.0);
  count.kind = Kind::Integer;
  registry.declare(count);
  Property method = real("flow.basin.method", 0, 0, false, 0);
  method.kind = Kind::Choice;
  method.choices = {"exact", "integrate", "both"};
  method.fallback = std::string("exact");
  method.choiceLabel = [](const std::string& key) { return "<" + key + ">"; };
  registry.declare(method);
  Property live = method;
  live.key = "flow.field";
  live.choices.clear();
  live.liveChoices = [] { return std::vector<std::string>{"ew", "duffing"}; };
  live.fallback = std::string("ew");
  registry.declare(live);
  ReadOut loss;
  loss.key = "flow.points[].loss";
  loss.get = [](int index) { return index == 0 ? Value(0.25) : Value(); };
  registry.declare(loss);
  return registry;
}

const Document kTwoPoints = Document().with("flow.points[0].e", 0.3).with("flow.points[1].w", -0.2);

Document changed(const PropertyRegistry& registry, const Document& document, const std::string& key,
                 const Value& value) {
  CAPTURE(key);
  const Result<Document> next = registry.set(document, key, value);
  if (!next) FAIL(next.error().message);
  return *next;
}

std::string refusal(const std::string& key, const Value& value, const Document& document = kTwoPoints) {
  CAPTURE(key);
  const Result<Document> next = sample().set(document, key, value);
  REQUIRE_FALSE(next);
  CHECK(next.error().kind == ErrorKind::Usage);
  return next.error().message;
}

std::string checkRefusal(const Document& document) {
  const Result<void> checked = sample().check(document);
  REQUIRE_FALSE(checked);
  CHECK(checked.error().kind == ErrorKind::BadInput);
  return checked.error().message;
}

/// A locale with a decimal comma during its lifetime: an installed one, or one that localedef writes into a temporary
/// folder.
class CommaLocale {
 public:
  CommaLocale() : before_(std::setlocale(LC_ALL, nullptr)) {
    set_ = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
    if (set_) return;
    const std::string made = (folder_ / "de_DE.UTF-8").string();
    std::filesystem::create_directories(folder_);
    const std::string command = "localedef -i de_DE -f UTF-8 '" + made + "' >/dev/null 2>&1";
    if (std::system(command.c_str()) != 0) return;
    setenv("LOCPATH", folder_.c_str(), 1);
    set_ = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
    unsetenv("LOCPATH");
  }
  ~CommaLocale() {
    std::setlocale(LC_ALL, before_.c_str());
    std::filesystem::remove_all(folder_);
  }
  bool set() const { return set_; }

 private:
  std::string before_;
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / ("sepx_locale_" + std::to_string(getpid()));
  bool set_ = false;
};

}  // namespace

TEST_CASE("A key is resolved to its declaration and index") {
  const PropertyRegistry registry = sample();
  REQUIRE(registry.find("flow.p"));
  CHECK(registry.find("flow.p")->property->key == "flow.p");
  CHECK(registry.find("flow.p")->index == -1);
  CHECK(registry.find("flow.points[12].e")->property->key == "flow.points[].e");
  CHECK(registry.find("flow.points[12].e")->index == 12);
  CHECK(registry.find("flow.points[0].loss")->readOut->key == "flow.points[].loss");
  for (const char* key :
       {"", "flow", "flow.q", "flow.points[].e", "flow.points[-1].e", "flow.points[x].e", "flow.points[1.e",
        "flow.points[99999999999].e", "flow.points.e", "flow.p[0]", "flow.points[0].e[1]"}) {
    CAPTURE(key);
    CHECK_FALSE(registry.find(key));
  }
}

TEST_CASE("A value is that of the document or the fallback") {
  const PropertyRegistry registry = sample();
  CHECK(registry.real(Document(), "flow.p") == 0.5);
  CHECK(registry.toggle(Document(), "flow.show.loss"));
  CHECK(registry.text(Document(), "flow.basin.method") == "exact");
  const Document document = Document().with("flow.p", 0.25).with("flow.show.loss", false).with("flow.gauss.samples", 7);
  CHECK(registry.real(document, "flow.p") == 0.25);
  CHECK_FALSE(registry.toggle(document, "flow.show.loss"));
  CHECK(registry.real(document, "flow.gauss.samples") == 7);
  // A field of a wrong type counts as absent, so that no exhibit sees it.
  CHECK(registry.real(Document().with("flow.p", "x"), "flow.p") == 0.5);
  CHECK(registry.real(Document().with("flow", 3), "flow.p") == 0.5);
}

TEST_CASE("Elements of a list are read and set by index") {
  const PropertyRegistry registry = sample();
  CHECK(registry.real(kTwoPoints, "flow.points[0].e") == 0.3);
  CHECK(registry.real(kTwoPoints, "flow.points[1].e") == 0.0);  // the element exists, its field does not
  CHECK(std::holds_alternative<std::monostate>(registry.get(kTwoPoints, "flow.points[2].e")));
  CHECK(std::holds_alternative<std::monostate>(registry.get(kTwoPoints, "no.such.key")));
  CHECK(registry.get(kTwoPoints, "flow.points[0].loss") == Value(0.25));
  CHECK(registry.get(kTwoPoints, "flow.points[1].loss") == Value());
  const Document document = changed(registry, kTwoPoints, "flow.points[1].e", "2.5");
  CHECK(document.at("flow.points[1].e") == 2.5);
  CHECK(document.at("flow.points[1].w") == -0.2);
  // An index one past the end does not append: the exhibit adds points.
  CHECK_THAT(refusal("flow.points[2].e", 1.0), Catch::Contains("2 elements"));
  CHECK_THAT(refusal("flow.points[0].e", 1.0, Document()), Catch::Contains("0 elements"));
  CHECK_THAT(refusal("flow.points[0].e", 1.0, Document().with("flow.points", 5)), Catch::Contains("0 elements"));
}

TEST_CASE("Texts are converted to the kind of the property") {
  const PropertyRegistry registry = sample();
  CHECK(changed(registry, {}, "flow.p", "0.25").at("flow.p") == 0.25);
  CHECK(changed(registry, {}, "flow.p", " 2.5e-1 ").at("flow.p") == 0.25);
  CHECK(changed(registry, {}, "flow.show.loss", "off").at("flow.show.loss") == false);
  CHECK(changed(registry, {}, "flow.show.loss", "true").at("flow.show.loss") == true);
  CHECK(changed(registry, {}, "flow.show.loss", 0.0).at("flow.show.loss") == false);
  CHECK(changed(registry, {}, "flow.gauss.samples", "500").at("flow.gauss.samples").dump() == "500");
  CHECK(changed(registry, {}, "flow.basin.method", "both").at("flow.basin.method") == "both");
  CHECK(changed(registry, {}, "flow.field", "duffing").at("flow.field") == "duffing");
  CHECK(changed(registry, kTwoPoints, "flow.points[0].name", "0.5").at("flow.points[0].name") == "0.5");
  CHECK(changed(registry, {}, "flow.free", -1e300).at("flow.free") == -1e300);
  CHECK(changed(registry, {}, "flow.p", 5e-324).at("flow.p") == 5e-324);
}

TEST_CASE("A number may be written in the format in which it is shown") {
  const Property any = real("x", -1e9, 1e9, false, 0.0);
  const auto taken = [&any](const char* text) {
    const Result<Value> value = accept(any, Value(std::string(text)));
    return value ? std::get<double>(*value) : std::nan("");
  };
  CHECK(taken("1e-05") == 1e-5);
  CHECK(taken("10⁻⁵") == 1e-5);
  CHECK(taken("2.3·10⁻¹²") == 2.3e-12);
  CHECK(taken("−1.5·10⁸") == -1.5e8);
  CHECK(taken("−10²") == -100);
  CHECK(taken("−0.25") == -0.25);
  CHECK(taken("107,456") == 107456);
  CHECK(taken("10") == 10);
  CHECK(taken("100") == 100);
  for (const char* const wrong : {"1,5", "1,234,5", "10⁻", "·10⁻⁵⁵x", "2·", "10⁻⁵ m", "x·10⁻⁵"})
    CHECK(std::isnan(taken(wrong)));
}

TEST_CASE("A value outside its domain is refused with a message that contains the domain") {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const Value& value : {Value(0.0), Value(1.0), Value(-0.5), Value(1e6), Value("1"), Value(nan), Value(infinity),
                             Value(-infinity), Value("nan"), Value("inf")}) {
    CHECK_THAT(refusal("flow.p", value),
               Catch::Contains("(flow.p) must lie between 0 and 1") && Catch::Contains("0.5 is kept"));
  }
  CHECK_THAT(refusal("flow.p", 1.0), Catch::Contains("both excluded"));
  CHECK_THAT(refusal("flow.p", -2.0), !Catch::Contains("excluded") && Catch::Contains("\u22122 was given"));
  CHECK_THAT(refusal("flow.points[0].e", 1.1e6),
             Catch::Contains("flow.points[0].e") && Catch::Contains("between \u22121e+06 and 1e+06"));
  CHECK_THAT(refusal("flow.free", nan), Catch::Contains("finite"));
  CHECK_THAT(refusal("flow.above", 0.0), Catch::Contains("above 0"));
  for (const char* text : {"", "x", "0,5", "0.5x", "1e999", "--1", "0x10"}) {
    CAPTURE(text);
    CHECK_THAT(refusal("flow.p", text), Catch::Contains("must be a number"));
  }
  CHECK_THAT(refusal("flow.p", Value()), Catch::Contains("must be a number"));
  CHECK_THAT(refusal("flow.p", true), Catch::Contains("must be a number"));
  CHECK_THAT(refusal("flow.gauss.samples", 2.5), Catch::Contains("whole number"));
  CHECK_THAT(refusal("flow.gauss.samples", 0.0), Catch::Contains("between 1 and"));
  CHECK_THAT(refusal("flow.basin.method", "magic"),
             Catch::Contains("\"magic\"") && Catch::Contains("exact, integrate, both"));
  CHECK_THAT(refusal("flow.field", "x"), Catch::Contains("ew, duffing"));
  CHECK_THAT(refusal("flow.show.loss", "maybe"), Catch::Contains("true nor false"));
  const std::string comma = refusal("flow.p", "0," + std::string(5000, '5'));
  CHECK_THAT(comma, Catch::Contains("with a decimal point, 0.555"));
  CHECK(comma.size() < 500);
  CHECK_THAT(refusal("flow.points[0].name", "\xFF"), Catch::Contains("UTF-8"));
  CHECK_THAT(refusal("flow.points[0].name", std::string(20'000, 'a')), Catch::Contains("bytes"));
}

TEST_CASE("An unknown key is refused with the nearest known key") {
  CHECK_THAT(refusal("flow.pp", 1.0), Catch::Contains("\"flow.p\""));
  CHECK_THAT(refusal("flow.basin.metod", 1.0), Catch::Contains("\"flow.basin.method\""));
  CHECK_THAT(refusal("weather", 1.0), !Catch::Contains("nearest"));
  CHECK_THAT(refusal("flow.points[0].loss", 1.0), Catch::Contains("result"));
  const std::string hostile = refusal(std::string(100'000, 'x') + "\x1b\n", 1.0);
  CHECK(hostile.size() < 300);
}

TEST_CASE("An opened document is checked field by field") {
  const PropertyRegistry registry = sample();
  CHECK(registry.check(Document()));
  CHECK(registry.check(kTwoPoints.with("unknown.field", Json{{"x", "y"}}).with("flow.later", 3)));
  CHECK_THAT(checkRefusal(Document().with("flow.p", 1.5)),
             Catch::Contains("flow.p") && Catch::Contains("1.5") && Catch::Contains("between 0 and 1"));
  CHECK_THAT(checkRefusal(Document().with("flow.p", "0.5")),
             Catch::Contains("\"flow.p\"") && Catch::Contains("not a number"));
  CHECK_THAT(checkRefusal(Document().with("flow.p", Json())), Catch::Contains("null"));
  CHECK_THAT(checkRefusal(Document().with("flow.p", Json::array({1, 2}))), Catch::Contains("[…]"));
  CHECK_THAT(checkRefusal(Document().with("flow.show.loss", 1)), Catch::Contains("not true or false"));
  CHECK_THAT(checkRefusal(Document().with("flow.field", "zz")), Catch::Contains("ew, duffing"));
  CHECK_THAT(checkRefusal(Document().with("flow.gauss.samples", 1e300)), Catch::Contains("1e+300"));
  CHECK_THAT(checkRefusal(Document().with("flow", 3)), Catch::Contains("\"flow\"") && Catch::Contains("not an object"));
  CHECK_THAT(checkRefusal(Document().with("flow.points", 3)), Catch::Contains("not a list"));
  CHECK_THAT(checkRefusal(Document().with("flow.points", Json::array({3}))),
             Catch::Contains("flow.points[0]") && Catch::Contains("not an object"));
  CHECK_THAT(checkRefusal(kTwoPoints.with("flow.points[1].w", 1e9)),
             Catch::Contains("flow.points[1].w") && Catch::Contains("1e+09"));
}

TEST_CASE("The effect on other fields is not computed for a refused value") {
  PropertyRegistry registry;
  int asked = 0;
  Property x{.key = "a.x", .label = "x", .min = 0, .max = 1, .fallback = 0.5};
  x.follow = [&asked](const Document&, const Document& with) -> Result<Document> {
    ++asked;
    return with;
  };
  registry.declare(std::move(x));
  for (const Json& refused : {Json(1e300), Json("a text"), Json(2)}) {
    CHECK_FALSE(registry.check(Document().with("a.x", refused)));
    CHECK(allRefused(registry, Document().with("a.x", refused)).size() == 1);
  }
  CHECK(asked == 0);
  CHECK(registry.check(Document().with("a.x", 0.25)));
  CHECK(asked == 1);
}

TEST_CASE("With any content of a document, set gives a valid value and get returns values of the domain") {
  const PropertyRegistry registry = sample();
  RandomStream random(21);
  const std::vector<Json> odd = {
      3, -1e300, "text", nullptr, true, Json::array({1, "a"}), Json{{"e", "x"}}, Json::object()};
  const std::vector<std::string> places = {"flow",           "flow.p",    "flow.points",
                                           "flow.points[0]", "flow.show", "flow.basin.method"};
  for (int round = 0; round < 2000; ++round) {
    Document document;
    for (int i = 0; i < 3; ++i)
      document = document.with(places[random.below(places.size())], odd[random.below(odd.size())]);
    const double p = registry.real(document, "flow.p");
    CHECK(std::isfinite(p));
    const Result<Document> next = registry.set(document, "flow.p", 0.75);
    REQUIRE(next);
    CHECK(registry.real(*next, "flow.p") == 0.75);
    registry.check(document).map_error([](const Error& error) { REQUIRE_FALSE(error.message.empty()); });
  }
}

TEST_CASE("Values are formatted for display") {
  const PropertyRegistry registry = sample();
  const auto shown = [&registry](const char* key, const Value& value) {
    return formatValue(*registry.find(key)->property, value);
  };
  CHECK(shown("flow.p", 0.5) == "0.500");
  CHECK(shown("flow.gauss.samples", 1e6) == "1,000,000");
  CHECK(shown("flow.show.loss", true) == "yes");
  CHECK(shown("flow.basin.method", "both") == "<both>");
  CHECK(shown("flow.p", Value()) == "\xE2\x80\x93");
  const ReadOut& loss = *registry.find("flow.points[0].loss")->readOut;
  CHECK(formatValue(loss, 0.6662784424) == "0.666278");
  CHECK(formatValue(loss, Value()) == "\xE2\x80\x93");
  CHECK(formatValue(loss, std::nan("")) == "\xE2\x80\x93");
  CHECK(formatValue(loss, -0.25) == "\u22120.250000");
  CHECK(shown("flow.points[0].e", -0.25).rfind("\u22120.25", 0) == 0);
  CHECK(toString(0.1 + 0.2) == "0.30000000000000004");
  CHECK(toString(false) == "false");
  CHECK(toString(Value()) == "none");
}

TEST_CASE("Undoing 500 random actions restores the initial hash, and redoing them the final one") {
  const PropertyRegistry registry = sample();
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed);
    History history(kTwoPoints.with("elsewhere.kept", "as it is"));
    const std::uint64_t initial = history.present().hash();
    const std::vector<std::string> keys = {
        "flow.p",         "flow.points[0].e",   "flow.points[1].w",  "flow.points[3].name",
        "flow.show.loss", "flow.gauss.samples", "flow.basin.method", "flow.free"};
    const std::vector<Value> values = {
        0.25, 0.75, 1.5, std::nan(""), 17.0, true, std::string("both"), std::string("off"), Value()};
    int done = 0;
    for (int action = 0; action < 500; ++action) {
      const Document& present = history.present();
      const std::uint64_t choice = random.below(12);
      if (choice == 0) {
        history.undo();
      } else if (choice == 1) {
        history.redo();
      } else if (choice == 2) {
        history.seal();
      } else if (choice == 3) {
        const std::size_t size = present.at("flow.points").size();
        history.commit(
            present.with("flow.points[" + std::to_string(size) + "]", Json{{"e", random.normal()}, {"w", 1}}), "add");
      } else if (choice == 4) {
        const std::size_t size = present.at("flow.points").size();
        if (size > 0)
          history.commit(present.without("flow.points[" + std::to_string(random.below(size)) + "]"), "delete");
      } else {
        const std::string& key = keys[random.below(keys.size())];
        const Value value = random.below(2) ? Value(random.uniform(-2, 2)) : values[random.below(values.size())];
        const Result<Document> next = registry.set(present, key, value);
        if (next) history.commit(*next, key, random.below(2) ? key : std::string());
        done += next ? 1 : 0;
      }
    }
    CHECK(done > 50);
    while (history.redo()) {
    }
    const std::uint64_t final = history.present().hash();
    const std::size_t steps = history.undoSteps();
    CHECK(steps > 50);
    while (history.undo()) {
    }
    CHECK(history.present().hash() == initial);
    std::size_t redone = 0;
    while (history.redo())
      ++redone;
    CHECK(redone == steps);
    CHECK(history.present().hash() == final);
  }
}

TEST_CASE("Numbers are read and written alike in every locale") {
  const CommaLocale locale;
  if (!locale.set()) {
    WARN("no locale with a decimal comma is installed or can be made here, so this case is not run");
    return;
  }
  CHECK(std::string(std::localeconv()->decimal_point) == ",");
  const PropertyRegistry registry = sample();
  CHECK(changed(registry, {}, "flow.p", "0.25").at("flow.p") == 0.25);
  CHECK_THAT(refusal("flow.p", "0,25"), Catch::Contains("must be a number"));
  CHECK(toString(0.5) == "0.5");
  CHECK(formatValue(*registry.find("flow.p")->property, 0.5) == "0.500");
  CHECK(formatValue(*registry.find("flow.gauss.samples")->property, 123456.0) == "123,456");
  CHECK_THAT(refusal("flow.p", 1.5), Catch::Contains("1.5"));
  const Document document = Document().with("flow.p", 0.125);
  CHECK(compactText(document.toJson()) == R"({"version":1,"flow":{"p":0.125}})");
  CHECK(Document::fromJson(*parseJson(compactText(document.toJson())))->at("flow.p") == 0.125);
  CHECK(parseSteps("drag 0.5,1.5 -> 2.25,1 in 0.5", "l", 1)->front().to.x == 2.25);
}

TEST_CASE("A parameter with a source outside the document has that value until the document sets another") {
  PropertyRegistry registry;
  std::string outside = "first";
  Property tags;
  tags.key = "run.tags";
  tags.kind = Kind::Text;
  tags.fallback = "";
  tags.live = [&outside] { return Value(outside); };
  registry.declare(std::move(tags));
  CHECK(registry.text({}, "run.tags") == "first");
  outside = "second";
  CHECK(registry.text({}, "run.tags") == "second");
  CHECK(registry.text(Document().with("run.tags", "mine"), "run.tags") == "mine");
}
