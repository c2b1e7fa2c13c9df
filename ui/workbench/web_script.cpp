// SPDX-License-Identifier: Apache-2.0
#include "ui/workbench/web_script.h"

#include <array>

#include <openssl/sha.h>

#include "engine/render/svg_text.h"

namespace sepx::ui {

std::string_view webScript() {
  static constexpr std::string_view kText = R"~((function () {
"use strict";
const sections = JSON.parse(document.getElementById("values").textContent).sections;
document.documentElement.classList.add("js");

function short(number) {
  return String(Number(number.toPrecision(5))).replace("-", "\u2212");
}
function nearest(data, x, y) {
  let best = null, least = data.reach * data.reach;
  data.views.forEach(function (view, v) {
    view.rows.forEach(function (row, r) {
      row.cells.forEach(function (cell, c) {
        const away = (cell[0] - x) * (cell[0] - x) + (cell[1] - y) * (cell[1] - y);
        if (away < least) { least = away; best = {view: v, row: r, cell: c}; }
      });
    });
  });
  return best;
}
function along(from, to, share, log) {
  return log ? from * Math.pow(to / from, share) : from + share * (to - from);
}
function overPlane(data, x, y) {
  for (const plane of data.planes) {
    const box = plane.box;
    if (x < box[0] || x > box[2] || y < box[1] || y > box[3]) continue;
    const right = (x - box[0]) / (box[2] - box[0]), up = (box[3] - y) / (box[3] - box[1]);
    const said = [plane.x + " = " + short(along(plane.from[0], plane.to[0], right, plane.log[0])),
                  plane.y + " = " + short(along(plane.from[1], plane.to[1], up, plane.log[1]))];
    for (const layer of plane.layers) {
      const column = Math.min(layer.columns - 1, Math.floor(right * layer.columns));
      const row = Math.min(layer.rows - 1, Math.floor(up * layer.rows));
      const value = layer.values[row * layer.columns + column];
      if (value === null) continue;
      said.push(layer.name + (layer.words ? ": " + (layer.words[value] || value) : " \u2248 " + short(value)));
    }
    return said.join(", ");
  }
  return "";
}

sections.forEach(function (section, number) {
  const box = document.querySelector("[data-section='" + number + "']");
  if (!box) return;
  const figures = Array.from(box.querySelectorAll(".picture"));
  const slider = box.querySelector(".slider input"), reading = box.querySelector(".slider output");
  const line = box.querySelector(".value"), tip = box.querySelector(".tip");
  let shown = section.start, chosen = null;

  function ring(figure, cell) {
    const svg = figure.querySelector("svg");
    let mark = svg.querySelector(".ring");
    if (!mark) {
      mark = document.createElementNS(svg.namespaceURI, "circle");
      mark.setAttribute("class", "ring");
      mark.setAttribute("r", "7");
      svg.appendChild(mark);
    }
    mark.setAttribute("visibility", cell ? "visible" : "hidden");
    if (cell) { mark.setAttribute("cx", cell[0]); mark.setAttribute("cy", cell[1]); }
  }
  function say(text, cell) {
    line.textContent = text;
    ring(figures[shown], cell);
  }
  function cellOf(place) {
    const view = place && section.pictures[shown].views[place.view];
    const row = view && view.rows[place.row];
    return row ? row.cells[place.cell] : undefined;
  }
  function choose(place) {
    const cell = cellOf(place);
    if (!cell) return false;
    chosen = place;
    say(cell[2], cell);
    return true;
  }
  function show(index) {
    ring(figures[shown], null);
    shown = Math.max(0, Math.min(figures.length - 1, index));
    figures.forEach(function (figure, i) { figure.classList.toggle("on", i === shown); });
    if (slider) {
      slider.value = shown;
      reading.textContent = section.slider.values[shown];
      slider.setAttribute("aria-valuetext", section.slider.label + " = " + section.slider.values[shown]);
    }
    tip.hidden = true;
    if (!choose(chosen)) line.textContent = "";
  }
  function step(name) {
    const views = section.pictures[shown].views;
    if (!views.length) return false;
    if (!cellOf(chosen)) return choose({view: 0, row: 0, cell: 0});
    const at = Object.assign({}, chosen), rows = views[at.view].rows;
    if (name === "ArrowRight") at.cell += 1;
    else if (name === "ArrowLeft") at.cell -= 1;
    else if (name === "ArrowDown") at.row += 1;
    else if (name === "ArrowUp") at.row -= 1;
    else if (name === "Home") at.cell = 0;
    else if (name === "End") at.cell = rows[at.row].cells.length - 1;
    else if (name === "PageDown") { at.view += 1; at.row = at.cell = 0; }
    else if (name === "PageUp") { at.view -= 1; at.row = at.cell = 0; }
    else return false;
    const row = views[at.view] && views[at.view].rows[at.row];
    if (row) at.cell = Math.max(0, Math.min(row.cells.length - 1, at.cell));
    choose(at);
    return true;
  }

  function read(x, y) {
    const data = section.pictures[shown], place = nearest(data, x, y);
    if (place) return choose(place);
    chosen = null;
    say(overPlane(data, x, y), null);
  }

  figures.forEach(function (figure, i) {
    const data = section.pictures[i], frame = figure.querySelector(".frame"), svg = figure.querySelector("svg");
    function point(event) {
      const at = svg.getBoundingClientRect();
      read((event.clientX - at.left) / at.width * data.width, (event.clientY - at.top) / at.height * data.height);
      tip.textContent = line.textContent;
      tip.hidden = !tip.textContent;
      const edge = box.getBoundingClientRect();
      tip.style.left = Math.max(0, Math.min(event.clientX - edge.left + 14, edge.width - tip.offsetWidth)) + "px";
      tip.style.top = event.clientY - edge.top + 18 + "px";
    }
    frame.addEventListener("pointermove", point);
    frame.addEventListener("pointerdown", point);
    frame.addEventListener("pointerleave", function () { tip.hidden = true; });
    frame.tabIndex = 0;
    frame.addEventListener("keydown", function (event) {
      if (!event.ctrlKey && !event.altKey && !event.metaKey && step(event.key)) event.preventDefault();
    });
  });
  if (slider) slider.addEventListener("input", function () { show(Number(slider.value)); });
  show(shown);

  function follow() {
    const asked = new URLSearchParams(location.hash.slice(1));
    if (Number(asked.get("section") || 0) !== number) return;
    if (asked.has("picture")) show(Math.round(Number(asked.get("picture"))) || 0);
    const place = (asked.get("at") || "").split(",").map(Number);
    if (place.length === 2 && place.every(Number.isFinite)) read(place[0], place[1]);
    if (!asked.has("view")) return;
    const name = asked.get("view"), views = section.pictures[shown].views;
    const view = views.findIndex(function (one) { return one.name === name || one.name.endsWith("." + name); });
    choose({view: view, row: Number(asked.get("row") || 0), cell: Number(asked.get("cell") || 0)});
  }
  window.addEventListener("hashchange", follow);
  follow();
});
}());
)~";
  return kText;
}

std::string_view webStyle() {
  static constexpr std::string_view kText = R"~(
:root{color-scheme:light dark;--page:#fff;--text:#1c1f24;--muted:#5a626e;--edge:#d5d9e0;--code:#f1f3f6;--accent:#1f5fbf}
@media (prefers-color-scheme:dark){
:root{--page:#15181d;--text:#e6e9ee;--muted:#a3abb8;--edge:#3a414c;--code:#22272f;--accent:#7fb2ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:17px/1.55 system-ui,sans-serif}
main{max-width:80rem;margin:0 auto;padding:1.5rem 1.2rem 3rem}
h1{font-size:1.7rem;line-height:1.25;margin:.4rem 0 1rem}
h2{font-size:1.3rem;line-height:1.3;margin:2.6rem 0 .6rem}
h3{font-size:1.08rem;margin:1.6rem 0 .4rem}
p,ul,ol,pre,dl{margin:.7rem 0}
main>section>p,main>section>ul,main>section>ol,main>header>p{max-width:44rem}
code,pre{font:.92em/1.45 ui-monospace,monospace;background:var(--code);border-radius:3px}
code{padding:0 .25em;overflow-wrap:anywhere}
pre{padding:.6rem .8rem;overflow-x:auto}
.pictures{position:relative;margin:1.2rem 0}
figure{margin:0}
.picture+.picture{margin-top:1.6rem}
.js .picture{display:none;margin:0}
.js .picture.on{display:block}
.frame{border:1px solid var(--edge);border-radius:4px;overflow:hidden;background:#fff;touch-action:pan-y}
.frame:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.frame svg{display:block;width:100%;height:auto}
.frame svg text{white-space:pre}
.ring{fill:none;stroke:#d0312d;stroke-width:2.5;pointer-events:none}
figcaption,.at,footer,.source{color:var(--muted);font-size:.88rem}
figcaption{margin-top:.5rem;max-width:60rem}
.state{font-size:.88rem;max-width:60rem}.state summary{font-size:17px}.state code{user-select:all}
.at{margin:0 0 .3rem;font-weight:600}
.js .at,.slider,.value{display:none}
.js .slider{display:flex;gap:.8rem;align-items:center;margin:0 0 .6rem}
.slider input{flex:1;min-width:6rem;accent-color:var(--accent)}
.slider output{min-width:4.5em;font-variant-numeric:tabular-nums}
.js .value{display:block;min-height:1.55em;margin:0 0 .4rem;font-variant-numeric:tabular-nums}
.value:empty::before{content:attr(data-hint);color:var(--muted)}
section~section .value:empty::before{content:""}
.tip{position:absolute;z-index:2;max-width:22rem;padding:.2rem .55rem;border-radius:4px;background:#1c1f24;color:#fff;
font-size:.85rem;pointer-events:none}
.slider{max-width:60rem}
details{max-width:60rem;margin:.8rem 0;border:1px solid var(--edge);border-radius:4px;padding:.3rem .8rem}
summary{cursor:pointer;font-weight:600}
dt{font-weight:600;margin-top:.7rem}
dd{margin:.2rem 0 .2rem 1rem;overflow-x:auto}
.question{border-left:3px solid var(--accent);padding:.1rem 0 .1rem 1rem;margin:1.2rem 0;max-width:44rem}
math{font-size:1.08em}math[display=block]{margin:.45em 0}
footer{margin-top:3rem;border-top:1px solid var(--edge);padding-top:.8rem}
@media (max-width:40rem){.frame{overflow-x:auto;touch-action:auto}.frame svg{min-width:36rem}body{font-size:16px}main{padding:1rem .8rem 2rem}h1{font-size:1.4rem}h2{font-size:1.15rem}}
@media print{
:root{--page:#fff;--text:#000;--muted:#444;--edge:#bbb;--code:#f3f3f3;color-scheme:light}
body{font-size:10.5pt}main{max-width:none;padding:0}
h1,h2,h3{break-after:avoid}section,.picture,.question{break-inside:avoid}
.frame svg{max-height:12.5cm}details:not([open]){display:none}
.js .slider,.js .value,.tip,.ring{display:none}.js .picture.on .at{display:block}}
)~";
  return kText;
}

std::string webPolicy() {
  const std::string_view script = webScript();
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(script.data()), script.size(), digest.data());
  const std::string_view bytes(reinterpret_cast<const char*>(digest.data()), digest.size());
  return "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; script-src 'sha256-" +
         render::svg::base64(bytes) + "'; base-uri 'none'; form-action 'none'";
}

}  // namespace sepx::ui
