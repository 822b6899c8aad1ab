// Draws a map as SVG: one unit is one step, x to the right and y up from the middle.

import { placed } from "./captions.js";

const SVG = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Looks at so many cells to each side, with room for numbers, and tells how large letters of some pixels are there.
export function frameSheet(svg, extent) {
  const [edge, pixels] = [extent + 0.5, svg.clientWidth < 420 ? 11.5 : 13];
  const unit = (2 * edge) / Math.max(100, svg.clientWidth - 5 * pixels);
  const [left, top] = [3.2 * pixels * unit, 2 * pixels * unit];
  const width = 2 * edge + left + 1.8 * pixels * unit;
  svg.setAttribute("viewBox", `${-edge - left} ${-edge - top} ${width} ${width}`);
  return pixels * unit;
}

// Lines between cells, numbers along two sides, and the origin. `extent` is the number of cells to each side.
// `size` is that of letters, in cells.
export function drawPaper(svg, extent, frame, size) {
  const edge = extent + 0.5;
  const paper = element("g", { class: "paper" });
  paper.append(element("rect", { x: -edge, y: -edge, width: 2 * edge, height: 2 * edge, class: "sheet" }));
  for (let at = -extent; at < extent; at += 1) {
    paper.append(element("path", { d: `M${at + 0.5} ${-edge}V${edge}M${-edge} ${at + 0.5}H${edge}`, class: "rule" }));
  }
  paper.append(element("path", { d: `M0 ${-edge}V${edge}M${-edge} 0H${edge}`, class: "axis" }));
  const every = extent > 12 ? 5 : 2;
  for (let at = -Math.floor(extent / every) * every; at <= extent; at += every) {
    const label = String(at).replace("-", "−");
    paper.append(element("text", { x: at, y: edge + size * 1.3, "font-size": size, class: "tick" }, label));
    paper.append(element("text", { x: -edge - size * 0.4, y: -at + size * 0.35, "font-size": size, class: "tick side" }, label));
  }
  const up = frame === "local" ? "ahead" : "north";
  paper.append(element("text", { x: 0, y: -edge - size * 0.6, "font-size": size, class: "up" }, up));
  if (frame === "local") paper.append(element("path", { d: "M0 -.45L.34 .4L0 .2L-.34 .4Z", class: "origin here" }));
  else paper.append(element("path", { d: "M-.3 -.3L.3 .3M-.3 .3L.3 -.3", class: "origin" }));
  return paper;
}

// One thing, door or the person at its place; a wedge shows the way it faces.
function drawToken({ item, x, y, facing, radius, selected }) {
  const token = element("g", {
    class: `token ${item.kind}${selected ? " selected" : ""}`,
    transform: `translate(${x} ${-y})`,
    "data-name": item.name,
  });
  if (facing !== null) {
    const wedge = `M0 ${-radius - 0.3}L.26 ${-radius + 0.06}H-.26Z`;
    token.append(element("path", { d: wedge, class: "wedge", transform: `rotate(${90 * facing})` }));
  }
  if (item.kind === "door") token.append(element("rect", { x: -0.4, y: -0.4, width: 0.8, height: 0.8, rx: 0.08 }));
  else token.append(element("circle", { r: radius }));
  if (item.letter) {
    const small = item.letter.length > 1 ? 0.36 : 0.5;
    token.append(element("text", { y: small * 0.36, "font-size": small, class: "letter" }, item.letter));
  }
  return token;
}

// All that was placed, names below and tokens above; what is selected comes last, and so on top.
export function drawTokens(shown, selected, extent, font) {
  const tokens = shown
    .map(([item, place]) => ({
      item,
      ...place,
      caption: item.kind === "agent" ? "you" : item.name,
      leans: item.kind === "agent",
      radius: item.kind === "agent" ? 0.62 : 0.42,
      selected: item.name === selected,
    }))
    .sort((one, other) => one.selected - other.selected);
  const captions = placed(tokens, font, extent + 1).map(({ x, y, anchor }, at) => {
    const { item, caption, selected: chosen } = tokens[at];
    const attributes = { x, y, "text-anchor": anchor, "font-size": font };
    return element("text", { ...attributes, class: `caption ${item.kind}${chosen ? " selected" : ""}` }, caption);
  });
  return [...captions, ...tokens.map(drawToken)];
}

// A ruler between two places.
export function drawRuler(from, to) {
  return element("path", { d: `M${from.x} ${-from.y}L${to.x} ${-to.y}`, class: "ruler" });
}

// Circles where the word for a distance changes, rays where the word for a direction does.
export function drawCompass(at, rings, facing, extent) {
  const edge = extent + 0.5;
  const box = { x: -edge, y: -edge, width: 2 * edge, height: 2 * edge };
  const sheet = element("svg", { ...box, viewBox: Object.values(box).join(" ") });
  const compass = element("g", { class: "compass", transform: `translate(${at.x} ${-at.y}) rotate(${90 * (facing ?? 0)})` });
  for (const radius of rings) compass.append(element("circle", { r: radius }));
  const far = rings[rings.length - 1];
  for (let degrees = -180; degrees < 180; degrees += 22.5) {
    const seen = facing !== null && Math.abs(degrees) <= 45;
    compass.append(element("path", { d: `M0 0V${-far}`, transform: `rotate(${degrees})`, class: seen ? "seen" : "" }));
  }
  sheet.append(compass);
  return sheet;
}
