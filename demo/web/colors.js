// Colours of bodies and inks, light and dark. Those of the page itself stand in style.css.

const HUES = ["#d4896a", "#d8b365", "#93b28c", "#74a9ab", "#8299c4", "#b58fb3", "#4a5462"];
const HUES_DARK = ["#b96f52", "#b8944c", "#6f9469", "#528a8d", "#627aaa", "#967095", "#c9d1da"];

const LIGHT = {
  paper: "#fbfaf7", edge: "#3a414b", ground: "#dcd8cf", groundEdge: "#a49d90", kinematic: "#b9c0c9", oneWay: "#5d9a62",
  grid: "#eeebe4", inks: ["#2d333b", "#b9b3a8", "#cf9d14", "#dd7422", "#cc3f3a", "#2f6fc0"],
};
const DARK = {
  paper: "#15181d", edge: "#0a0c0f", ground: "#2b313a", groundEdge: "#4a525e", kinematic: "#566070", oneWay: "#7cc081",
  grid: "#1c2026", inks: ["#dfe4ea", "#566070", "#e5bd4b", "#ee9550", "#ec6a62", "#79aef0"],
};

function mixed(a, b, share) {
  const part = (color, k) => parseInt(color.slice(1 + 2 * k, 3 + 2 * k), 16);
  const mix = (k) => Math.round(part(a, k) * (1 - share) + part(b, k) * share);
  return `rgb(${mix(0)} ${mix(1)} ${mix(2)})`;
}

const paint = (fill, stroke) => ({ fill, stroke });

/** The palette of the system's colour scheme: of each hue how it looks awake and asleep. */
export function palette(isDark) {
  const base = isDark ? DARK : LIGHT;
  const hues = (isDark ? HUES_DARK : HUES).map((hue) => [
    paint(hue, mixed(hue, base.edge, isDark ? 0.55 : 0.5)),
    paint(mixed(hue, base.paper, 0.55), mixed(hue, base.paper, isDark ? 0.3 : 0.2)),
  ]);
  return { ...base, hues };
}

/** The colour of a number of commands.rs. */
export function ink(palette, number) {
  return number < 0 ? palette.inks[-1 - number] ?? palette.inks[0] : `#${number.toString(16).padStart(6, "0")}`;
}
