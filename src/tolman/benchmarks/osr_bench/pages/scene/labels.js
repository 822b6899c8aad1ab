// Names beside marks, as many as find room. The others come when their class is chosen.
"use strict";
(() => {
  const { svg } = Osr;
  const PIXELS = 11.5;
  const WIDE = 0.56;
  const MARK = 0.2;

  const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
  const around = ([x, y], half, tall) => [x - half, y - tall, x + half, y + tall];

  const centre = Osr.scene.size / 2;
  const wide = Osr.grid.wide / 2;

  // `unit` is what one pixel is worth on the map. Nothing sticks out of the picture.
  function labels(marked, unit) {
    const font = PIXELS * unit;
    const taken = marked.map((mark) => around(mark.xy, MARK, MARK));
    const group = svg("g", { class: "labels", "font-size": font.toFixed(4) });
    for (const mark of marked.filter((each) => each.label)) {
      const half = (mark.label.length * WIDE * font) / 2;
      const away = MARK + font * 0.62;
      const aside = MARK + half + font * 0.2;
      const places = [[0, away], [0, -away], [aside, 0], [-aside, 0], [0, away + font], [0, -away - font]];
      const free = places
        .map(([x, y]) => [mark.xy[0] + x, mark.xy[1] + y])
        .filter((at) => Math.abs(at[0] - centre) + half <= wide)
        .find((at) => taken.every((other) => !overlap(around(at, half, font * 0.5), other)));
      const at = free ?? [Math.min(centre + wide - half, Math.max(centre - wide + half, mark.xy[0])), mark.xy[1] + away];
      const kind = `${mark.kind}${free ? "" : " crowded"}`;
      if (free) taken.push(around(at, half, font * 0.5));
      const [x, y] = at.map((value) => value.toFixed(3));
      group.append(svg("text", { x, y, class: kind, "data-name": mark.name }, mark.label));
    }
    return group;
  }

  Osr.labels = labels;
})();
