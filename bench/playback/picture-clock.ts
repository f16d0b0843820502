/** A clock in a picture: 20 bits of milliseconds and four to check them, as blocks of light and dark in two rows at the top. */
const clockBits = 24;
const perRow = 12;
const blockWidth = 48;
const blockHeight = 40;
const clockRange = 2 ** 20;

/** Bits of a time, the last four of them the sum of all nibbles. */
function encodeTime(timeMs: number): number {
  const time = Math.floor(timeMs) % clockRange;
  return time * 16 + nibbleSum(time);
}

function nibbleSum(time: number): number {
  let sum = 5;
  for (let rest = time; rest > 0; rest = Math.floor(rest / 16)) sum += rest % 16;
  return sum % 16;
}

/** Paints the time into a picture of planar YUV. */
export function paintClock(luma: Uint8Array, width: number, timeMs: number): void {
  const bits = encodeTime(timeMs);
  for (let bit = 0; bit < clockBits; bit++) {
    const light = Math.floor(bits / 2 ** bit) % 2 === 1 ? 235 : 16;
    const [left, top] = [(bit % perRow) * blockWidth, Math.floor(bit / perRow) * blockHeight];
    for (let y = top; y < top + blockHeight; y++) luma.fill(light, y * width + left, y * width + left + blockWidth);
  }
}

/**
 * The same in a page that publishes, and how a page that plays reads it: `clock.paint(context)`, `clock.time(video)`, and `clock.read(video)`, which
 * says how long ago that was.
 */
export const clockPage = `
window.clock = (() => {
  const sum = (time) => {
    let total = 5;
    for (let rest = time; rest > 0; rest = Math.floor(rest / 16)) total += rest % 16;
    return total % 16;
  };
  const range = ${clockRange};
  const canvas = document.createElement('canvas');
  canvas.width = 640;
  canvas.height = 80;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const time = (video) => {
    context.drawImage(video, 0, 0, 640, 360);
    const { data } = context.getImageData(0, 0, 640, 80);
    let bits = 0;
    for (let bit = 0; bit < ${clockBits}; bit++) {
      const x = (bit % ${perRow}) * ${blockWidth} + ${blockWidth / 2};
      const y = Math.floor(bit / ${perRow}) * ${blockHeight} + ${blockHeight / 2};
      if (data[(y * 640 + x) * 4 + 1] > 127) bits += 2 ** bit;
    }
    const shown = Math.floor(bits / 16);
    return sum(shown) === bits % 16 ? shown : undefined;
  };
  return {
    time,
    paint(paint) {
      const now = Math.floor(Date.now() % range);
      const bits = now * 16 + sum(now);
      for (let bit = 0; bit < ${clockBits}; bit++) {
        paint.fillStyle = Math.floor(bits / 2 ** bit) % 2 === 1 ? '#fff' : '#000';
        paint.fillRect((bit % ${perRow}) * ${blockWidth}, Math.floor(bit / ${perRow}) * ${blockHeight}, ${blockWidth}, ${blockHeight});
      }
    },
    read(video) {
      const now = Date.now();
      const shown = time(video);
      return shown === undefined ? undefined : (now - shown + range * 4) % range;
    },
  };
})();
`;
