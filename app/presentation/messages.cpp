// SPDX-License-Identifier: Apache-2.0
// See messages.h.
#include "app/presentation/messages.h"

#include <array>
#include <cmath>
#include <utility>

#include "engine/core/json.h"
#include "engine/core/try.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::app {
namespace {

using ui::Json;
using ui::PicturePlace;

constexpr std::array<const char*, 3> kKeys{"next", "previous", "blank"};
constexpr int kMostSide = 65535;

/// Reads members of an object; the first that is not as it should be is remembered.
class Reader {
 public:
  explicit Reader(const Json& object) : object_(object) {
    if (!object.is_object()) wrong_ = "message";
  }
  std::string text(const char* name) {
    const Json* const value = member(name);
    if (value && value->is_string()) return value->get<std::string>();
    return bad(name, std::string());
  }
  bool flag(const char* name) {
    const Json* const value = member(name);
    return value && value->is_boolean() ? value->get<bool>() : bad(name, false);
  }
  std::uint64_t count(const char* name, std::uint64_t most = ~0ull) {
    const Json* const value = member(name);
    if (value && value->is_number_unsigned() && value->get<std::uint64_t>() <= most) return value->get<std::uint64_t>();
    return bad(name, std::uint64_t{0});
  }
  std::int64_t integer(const char* name) {
    const Json* const value = member(name);
    return value && value->is_number_integer() ? value->get<std::int64_t>() : bad(name, std::int64_t{0});
  }
  double real(const char* name) {
    const Json* const value = member(name);
    return value && value->is_number() ? value->get<double>() : bad(name, 0.0);
  }
  /// Null where it is not there.
  const Json* optional(const char* name) { return member(name); }
  template <class T>
  T bad(const char* name, T value) {
    if (wrong_.empty()) wrong_ = name;
    return value;
  }
  const std::string& wrong() const { return wrong_; }

 private:
  const Json* member(const char* name) const {
    if (!object_.is_object()) return nullptr;
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }
  const Json& object_;
  std::string wrong_;
};

Json placeJson(const PicturePlace& place) {
  return {{"pane", place.pane}, {"view", place.view}, {"x", place.x}, {"y", place.y}};
}

std::optional<PicturePlace> placeFrom(const Json& json) {
  Reader reader(json);
  PicturePlace place;
  place.pane = static_cast<int>(reader.count("pane", ui::kMostPanes));
  place.view = reader.text("view");
  place.x = reader.real("x");
  place.y = reader.real("y");
  if (!reader.wrong().empty() || !std::isfinite(place.x) || !std::isfinite(place.y)) return std::nullopt;
  return place;
}

Json shownJson(const ui::Presented& shown) {
  Json json{{"seed", shown.seed},       {"lesson", shown.lesson},   {"step", shown.step},
            {"start", shown.startPage}, {"playing", shown.playing}, {"blank", shown.blank},
            {"numbers", shown.numbers}, {"code", shown.code}};
  Json answers = Json::array();
  for (const auto& [question, choice] : shown.answers)
    answers.push_back(Json::array({question, choice}));
  json["answers"] = std::move(answers);
  if (shown.pointer) json["pointer"] = placeJson(*shown.pointer);
  if (shown.zoom) json["zoom"] = Json::array({placeJson(shown.zoom->first), placeJson(shown.zoom->second)});
  Json laser = Json::array();
  for (const ui::LaserPoint& one : shown.laser) {
    Json point = placeJson(one.at);
    point["seconds"] = one.seconds;
    laser.push_back(std::move(point));
  }
  json["laser"] = std::move(laser);
  return json;
}

void readAnswers(Reader& reader, ui::Presented& shown) {
  constexpr std::size_t kMostAnswers = 1000;
  const Json* const answers = reader.optional("answers");
  bool good = answers && answers->is_array() && answers->size() <= kMostAnswers;
  for (std::size_t i = 0; good && i < answers->size(); ++i) {
    const Json& one = (*answers)[i];
    good = one.is_array() && one.size() == 2 && one[0].is_number_unsigned() && one[1].is_number_unsigned();
    if (good) shown.answers.emplace_back(one[0].get<std::size_t>(), one[1].get<std::size_t>());
  }
  if (!good) reader.bad("answers", 0);
}

void readLaser(Reader& reader, ui::Presented& shown) {
  const Json* const laser = reader.optional("laser");
  bool good = laser && laser->is_array() && laser->size() <= 2 * ui::kMostLaserPoints;
  for (std::size_t i = 0; good && i < laser->size(); ++i) {
    Reader point((*laser)[i]);
    const auto place = placeFrom((*laser)[i]);
    const double seconds = point.real("seconds");
    good = place && point.wrong().empty() && std::isfinite(seconds);
    if (good) shown.laser.push_back({*place, seconds});
  }
  if (!good) reader.bad("laser", 0);
}

void readPlaces(Reader& reader, ui::Presented& shown) {
  if (const Json* const pointer = reader.optional("pointer")) {
    shown.pointer = placeFrom(*pointer);
    if (!shown.pointer) reader.bad("pointer", 0);
  }
  const Json* const zoom = reader.optional("zoom");
  if (!zoom) return;
  const bool pair = zoom->is_array() && zoom->size() == 2;
  const auto first = pair ? placeFrom((*zoom)[0]) : std::nullopt, second = pair ? placeFrom((*zoom)[1]) : std::nullopt;
  if (first && second) {
    shown.zoom.emplace(*first, *second);
  } else {
    reader.bad("zoom", 0);
  }
}

tl::unexpected<Error> wrongField(const std::string& kind, const std::string& field) {
  return fail(ErrorKind::BadInput,
              ui::trFormat("the message {} is unusable: its field \"{}\" is missing or wrong", inQuotes(kind), field));
}

template <class Message>
Result<LinkMessage> checked(const char* kind, const Reader& reader, Message message) {
  if (!reader.wrong().empty()) return wrongField(kind, reader.wrong());
  return LinkMessage(std::move(message));
}

Result<LinkMessage> helloFrom(const Json& json) {
  Reader reader(json);
  HelloMessage hello;
  hello.version = static_cast<int>(reader.count("version", 1'000'000));
  // What else a hello of another version says is its own affair.
  if (reader.wrong().empty() && hello.version != kPresentationVersion) return LinkMessage(std::move(hello));
  hello.program = reader.text("program");
  hello.monitor = reader.text("monitor");
  hello.width = static_cast<int>(reader.count("width", kMostSide));
  hello.height = static_cast<int>(reader.count("height", kMostSide));
  return checked("hello", reader, std::move(hello));
}

Result<LinkMessage> stateFrom(const Json& json) {
  Reader reader(json);
  StateMessage state;
  state.number = reader.count("number");
  state.time = reader.integer("time");
  if (const Json* const document = reader.optional("document")) {
    state.document = *document;
  } else if (const Json* const changes = reader.optional("changes")) {
    SEPX_ASSIGN(state.changes, changesFromJson(*changes));
  } else {
    reader.bad("document", 0);
  }
  const Json* const shown = reader.optional("shown");
  if (!shown || !shown->is_object()) return wrongField("state", "shown");
  Reader inner(*shown);
  state.shown.seed = inner.count("seed");
  state.shown.lesson = inner.text("lesson");
  state.shown.step = inner.count("step", 100'000);
  state.shown.startPage = inner.flag("start");
  state.shown.playing = inner.flag("playing");
  state.shown.blank = inner.flag("blank");
  state.shown.numbers = inner.flag("numbers");
  state.shown.code = inner.flag("code");
  readAnswers(inner, state.shown);
  readPlaces(inner, state.shown);
  readLaser(inner, state.shown);
  if (!inner.wrong().empty()) return wrongField("state", inner.wrong());
  return checked("state", reader, std::move(state));
}

Result<LinkMessage> drawnFrom(const Json& json) {
  Reader reader(json);
  DrawnMessage drawn{reader.count("number"), reader.integer("time")};
  return checked("drawn", reader, drawn);
}

Result<LinkMessage> keyFrom(const Json& json) {
  Reader reader(json);
  const std::string name = reader.text("name");
  for (std::size_t i = 0; i < kKeys.size(); ++i)
    if (name == kKeys[i]) return LinkMessage(KeyMessage{static_cast<RemoteKey>(i)});
  return wrongField("key", "name");
}

Result<LinkMessage> goodbyeFrom(const Json& json) {
  Reader reader(json);
  GoodbyeMessage goodbye{reader.flag("ends")};
  return checked("goodbye", reader, goodbye);
}

Json jsonOf(const HelloMessage& hello) {
  return {{"kind", "hello"},          {"version", hello.version}, {"program", hello.program},
          {"monitor", hello.monitor}, {"width", hello.width},     {"height", hello.height}};
}

Json jsonOf(const StateMessage& state) {
  Json json{{"kind", "state"}, {"number", state.number}, {"time", state.time}};
  if (state.document) {
    json["document"] = *state.document;
  } else {
    json["changes"] = toJson(state.changes);
  }
  json["shown"] = shownJson(state.shown);
  return json;
}

Json jsonOf(const DrawnMessage& drawn) {
  return {{"kind", "drawn"}, {"number", drawn.number}, {"time", drawn.time}};
}

Json jsonOf(const KeyMessage& key) {
  return {{"kind", "key"}, {"name", kKeys[static_cast<std::size_t>(key.key)]}};
}

Json jsonOf(const GoodbyeMessage& goodbye) {
  return {{"kind", "goodbye"}, {"ends", goodbye.ends}};
}

}  // namespace

std::string encode(const LinkMessage& message) {
  const Json json = std::visit([](const auto& one) { return jsonOf(one); }, message);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<LinkMessage> decode(std::string_view text) {
  SEPX_ASSIGN(const Json json, parseJson<Json>(text));
  Reader reader(json);
  const std::string kind = reader.text("kind");
  if (!reader.wrong().empty()) return fail(ErrorKind::BadInput, ui::tr("a message without a kind"));
  if (kind == "hello") return helloFrom(json);
  if (kind == "state") return stateFrom(json);
  if (kind == "drawn") return drawnFrom(json);
  if (kind == "key") return keyFrom(json);
  if (kind == "goodbye") return goodbyeFrom(json);
  return fail(ErrorKind::BadInput, ui::trFormat("a message of the unknown kind {}", inQuotes(kind)));
}

}  // namespace sepx::app
