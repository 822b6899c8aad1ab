// Where names go on a map, so that they hide neither tokens nor each other, as far as there is room.

const WIDTH = 0.56; // of a letter, in heights

const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

// A box around a text that starts or ends beside a token, or stands above or below it.
function candidates(token, font) {
  const width = token.caption.length * font * WIDTH;
  const gap = (side) => token.radius + (token.facing === side ? 0.4 : 0.15);
  const [x, y, half] = [token.x, -token.y, font * 0.6];
  const beside = { top: y - half, bottom: y + half };
  const right = { ...beside, left: x + gap(1), right: x + gap(1) + width, x: x + gap(1), anchor: "start" };
  const left = { ...beside, left: x - gap(3) - width, right: x - gap(3), x: x - gap(3), anchor: "end" };
  const middle = { left: x - width / 2, right: x + width / 2, x, anchor: "middle" };
  const above = { ...middle, top: y - gap(0) - 2 * half, bottom: y - gap(0) };
  const below = { ...middle, top: y + gap(2), bottom: y + gap(2) + 2 * half };
  return token.leans ? [left, right, above, below] : [right, left, above, below];
}

// For each token its caption: x, y, and how the text is anchored there. `edge` is where the sheet ends.
export function placed(tokens, font, edge) {
  const taken = tokens.map(({ x, y, radius }) => ({ left: x - radius, right: x + radius, top: -y - radius, bottom: -y + radius }));
  return tokens.map((token, own) => {
    const boxes = candidates(token, font);
    const inside = boxes.filter((box) => box.left >= -edge && box.right <= edge);
    const free = inside.find((box) => !taken.some((other, at) => at !== own && meet(box, other)));
    const box = free ?? inside[0] ?? boxes[0];
    taken.push(box);
    return { x: box.x, y: (box.top + box.bottom) / 2 + font * 0.35, anchor: box.anchor };
  });
}
