// SPDX-License-Identifier: Apache-2.0
// Messages are decoded as they were encoded. Invalid messages give one error message.
#include <catch2/catch.hpp>

#include "app/presentation/messages.h"
#include "ui/document/json_text.h"

using namespace sepx;
using namespace sepx::app;
using ui::Json;
using ui::PicturePlace;

namespace {

template <class Message>
Message sentAndRead(const Message& message) {
  const auto read = decode(encode(message));
  INFO((read ? std::string() : read.error().message));
  REQUIRE(read);
  REQUIRE(std::holds_alternative<Message>(*read));
  return std::get<Message>(*read);
}

StateMessage sampleState() {
  StateMessage state;
  state.number = 7;
  state.time = 123'456'789'012;
  state.document = Json{{"version", 1}, {"flow", {{"p", 0.5}}}};
  state.shown.seed = ~0ull;
  state.shown.lesson = "/lessons/\"quoted\" 中.md";
  state.shown.step = 3;
  state.shown.answers = {{0, 2}, {1, 0}};
  state.shown.language = "zh_CN";
  state.shown.playing = state.shown.numbers = state.shown.code = true;
  state.shown.pointer = PicturePlace{1, {}, 0.25, -1.5};
  state.shown.zoom.emplace(PicturePlace{1, "training.curves.loss", 0, 0}, PicturePlace{0, {}, 1, 1});
  state.shown.laser = {{PicturePlace{2, {}, 0.1, 0.2}, 17.25}};
  return state;
}

std::string refusal(const std::string& text) {
  const auto read = decode(text);
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == ErrorKind::BadInput);
  CHECK_FALSE(read.error().message.empty());
  return read.error().message;
}

}  // namespace

TEST_CASE("Every kind of message is decoded as it was encoded", "[presentation]") {
  const HelloMessage hello =
      sentAndRead(HelloMessage{.program = "1.2", .monitor = "HDMI-1", .width = 1920, .height = 1080});
  CHECK(hello.version == kPresentationVersion);
  CHECK(hello.monitor == "HDMI-1");
  CHECK(hello.height == 1080);
  const StateMessage sent = sampleState(), state = sentAndRead(sent);
  CHECK(state.number == sent.number);
  CHECK(state.time == sent.time);
  CHECK(state.document == sent.document);
  CHECK(state.shown == sent.shown);
  StateMessage further = sent;
  further.document.reset();
  further.changes = {{"flow.p", Json(0.25)}, {"flow.q", std::nullopt}};
  const StateMessage changed = sentAndRead(further);
  CHECK_FALSE(changed.document);
  REQUIRE(changed.changes.size() == 2);
  CHECK(changed.changes[0].value == Json(0.25));
  CHECK_FALSE(changed.changes[1].value);
  CHECK(sentAndRead(DrawnMessage{9, 5}).number == 9);
  for (const RemoteKey key : {RemoteKey::Next, RemoteKey::Previous, RemoteKey::Blank})
    CHECK(sentAndRead(KeyMessage{key}).key == key);
  CHECK(sentAndRead(GoodbyeMessage{true}).ends);
}

TEST_CASE("A document with the deepest allowed nesting is decoded, as a whole and as a change", "[presentation]") {
  // The document is the first level of a session.
  Json deepest = 1;
  for (int level = 1; level < ui::kDeepestNesting; ++level)
    deepest = Json::array({deepest});
  const Json session = Json{{"version", 1}, {"deep", deepest}};
  REQUIRE(ui::parseJson(session.dump()));
  StateMessage state = sampleState();
  state.document = session;
  CHECK(sentAndRead(state).document == session);
  state.document.reset();
  state.changes = {{"deep", deepest}};
  CHECK(sentAndRead(state).changes.front().value == deepest);
  for (int level = 0; level < 10; ++level)
    deepest = Json::array({deepest});
  state.changes = {{"deep", deepest}};
  CHECK(refusal(encode(state)).find("nested deeper") != std::string::npos);
}

TEST_CASE("A hello of another version is read up to its version", "[presentation]") {
  const auto read = decode(R"({"kind":"hello","version":1,"what":"else"})");
  REQUIRE(read);
  CHECK(std::get<HelloMessage>(*read).version == 1);
}

TEST_CASE("Invalid messages are refused with an error message", "[presentation]") {
  CHECK(refusal("").size() > 0);
  CHECK(refusal("{").size() > 0);
  CHECK(refusal("[]").find("kind") != std::string::npos);
  CHECK(refusal(R"({"kind":"reboot"})").find("reboot") != std::string::npos);
  CHECK(refusal(R"({"kind":"key","name":"escape"})").find("name") != std::string::npos);
  CHECK(refusal(R"({"kind":"drawn","number":-1,"time":0})").find("number") != std::string::npos);
  CHECK(refusal(R"({"kind":"hello","version":2})").find("program") != std::string::npos);
  CHECK(refusal(std::string(200'000, '[')).size() < 300);
  // Changes one field at a time of a valid message.
  const Json good = Json::parse(encode(sampleState()));
  for (const char* const name : {"number", "time", "shown", "live"}) {
    Json bad = good;
    bad[name] = "x";
    CHECK(refusal(bad.dump()).find(name) != std::string::npos);
  }
  for (const char* const name : {"seed", "lesson", "step", "start", "playing", "blank", "numbers", "code", "answers",
                                 "pointer", "zoom", "laser", "language"}) {
    Json bad = good;
    bad["shown"][name] = Json::array({Json::object()});
    CHECK(refusal(bad.dump()).find(name) != std::string::npos);
  }
  Json beyond = good;
  beyond["shown"]["pointer"]["pane"] = 5;
  CHECK(refusal(beyond.dump()).find("pointer") != std::string::npos);
  Json many = good;
  many["shown"]["laser"] = Json(1000, good["shown"]["laser"][0]);
  CHECK(refusal(many.dump()).find("laser") != std::string::npos);
}
