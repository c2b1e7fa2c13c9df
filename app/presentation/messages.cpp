// SPDX-License-Identifier: Apache-2.0
// See messages.h.
#include "app/presentation/messages.h"

#include <array>
#include <cmath>
#include <utility>

#include "app/presentation/message_reader.h"
#include "engine/core/json.h"
#include "engine/core/try.h"
#include "ui/document/json_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::app {
namespace {

using ui::Json;
using ui::PicturePlace;

constexpr std::array<const char*, 3> kKeys{"next", "previous", "blank"};
constexpr int kMostSide = 65535;
constexpr std::size_t kMostLanguage = 32;  // bytes of the key of a language
constexpr int kLevelsAround = 4;           // nesting levels of a message around the document or a part of it

Json placeJson(const PicturePlace& place) {
  return {{"pane", place.pane}, {"view", place.view}, {"x", place.x}, {"y", place.y}};
}

std::optional<PicturePlace> placeFrom(const Json& json) {
  MessageReader reader(json);
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
            {"numbers", shown.numbers}, {"code", shown.code},       {"language", shown.language}};
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

void readAnswers(MessageReader& reader, ui::Presented& shown) {
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

void readLaser(MessageReader& reader, ui::Presented& shown) {
  const Json* const laser = reader.optional("laser");
  bool good = laser && laser->is_array() && laser->size() <= 2 * ui::kMostLaserPoints;
  for (std::size_t i = 0; good && i < laser->size(); ++i) {
    MessageReader point((*laser)[i]);
    const auto place = placeFrom((*laser)[i]);
    const double seconds = point.real("seconds");
    good = place && point.wrong().empty() && std::isfinite(seconds);
    if (good) shown.laser.push_back({*place, seconds});
  }
  if (!good) reader.bad("laser", 0);
}

void readPlaces(MessageReader& reader, ui::Presented& shown) {
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

void readLive(MessageReader& reader, StateMessage& state) {
  const Json* const live = reader.optional("live");
  bool good = live && live->is_array() && live->size() <= ui::kMostLiveRuns;
  for (std::size_t i = 0; good && i < live->size(); ++i) {
    auto one = liveFromJson((*live)[i]);
    good = one.has_value();
    if (good) state.live.push_back(std::move(*one));
  }
  if (!good) reader.bad("live", 0);
}

tl::unexpected<Error> wrongField(const std::string& kind, const std::string& field) {
  return fail(ErrorKind::BadInput,
              ui::trFormat("the message {} is unusable: its field \"{}\" is missing or wrong", inQuotes(kind), field));
}

template <class Message>
Result<LinkMessage> checked(const char* kind, const MessageReader& reader, Message message) {
  if (!reader.wrong().empty()) return wrongField(kind, reader.wrong());
  return LinkMessage(std::move(message));
}

Result<LinkMessage> helloFrom(const Json& json) {
  MessageReader reader(json);
  HelloMessage hello;
  hello.version = static_cast<int>(reader.count("version", 1'000'000));
  // The remaining fields of a hello of another version may differ and are not read.
  if (reader.wrong().empty() && hello.version != kPresentationVersion) return LinkMessage(std::move(hello));
  hello.program = reader.text("program");
  hello.monitor = reader.text("monitor");
  hello.width = static_cast<int>(reader.count("width", kMostSide));
  hello.height = static_cast<int>(reader.count("height", kMostSide));
  return checked("hello", reader, std::move(hello));
}

Result<LinkMessage> stateFrom(const Json& json) {
  MessageReader reader(json);
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
  MessageReader inner(*shown);
  state.shown.seed = inner.count("seed");
  state.shown.lesson = inner.text("lesson");
  state.shown.step = inner.count("step", 100'000);
  state.shown.startPage = inner.flag("start");
  state.shown.playing = inner.flag("playing");
  state.shown.blank = inner.flag("blank");
  state.shown.numbers = inner.flag("numbers");
  state.shown.code = inner.flag("code");
  state.shown.language = inner.text("language");
  if (state.shown.language.size() > kMostLanguage) inner.bad("language", 0);
  readAnswers(inner, state.shown);
  readPlaces(inner, state.shown);
  readLaser(inner, state.shown);
  if (!inner.wrong().empty()) return wrongField("state", inner.wrong());
  readLive(reader, state);
  return checked("state", reader, std::move(state));
}

Result<LinkMessage> drawnFrom(const Json& json) {
  MessageReader reader(json);
  DrawnMessage drawn{reader.count("number"), reader.integer("time")};
  return checked("drawn", reader, drawn);
}

Result<LinkMessage> keyFrom(const Json& json) {
  MessageReader reader(json);
  const std::string name = reader.text("name");
  for (std::size_t i = 0; i < kKeys.size(); ++i)
    if (name == kKeys[i]) return LinkMessage(KeyMessage{static_cast<RemoteKey>(i)});
  return wrongField("key", "name");
}

Result<LinkMessage> goodbyeFrom(const Json& json) {
  MessageReader reader(json);
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
  Json live = Json::array();
  for (const LiveUpdate& one : state.live)
    live.push_back(toJson(one));
  json["live"] = std::move(live);
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
  SEPX_ASSIGN(const Json json, parseJson<Json>(text, {.depth = ui::kDeepestNesting + kLevelsAround}));
  MessageReader reader(json);
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
