/** RGB, three bytes per pixel. */
export interface RgbImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** In pixels; right and bottom are exclusive. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Per channel in the order blue, green, red, as in the training. */
export interface Scale {
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
}

/**
 * Resizes a part of an image into the float planes that models expect. Averages when shrinking, because thin strokes would be lost
 * otherwise.
 */
export function toPlanes(
  image: RgbImage,
  box: Box,
  width: number,
  height: number,
  { mean, deviation }: Scale,
): Float32Array {
  const planes = new Float32Array(3 * width * height);
  const columns = samplePlaces(box.left, box.right, width, image.width);
  const rows = samplePlaces(box.top, box.bottom, height, image.height);
  const weight = 1 / (columns.perPixel * rows.perPixel * 255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let [red, green, blue] = [0, 0, 0];
      for (let j = y * rows.perPixel; j < (y + 1) * rows.perPixel; j++) {
        const line = (rows.places[j] ?? 0) * image.width;
        for (let i = x * columns.perPixel; i < (x + 1) * columns.perPixel; i++) {
          const at = (line + (columns.places[i] ?? 0)) * 3;
          red += image.pixels[at] ?? 0;
          green += image.pixels[at + 1] ?? 0;
          blue += image.pixels[at + 2] ?? 0;
        }
      }
      const at = y * width + x;
      planes[at] = (blue * weight - mean[0]) / deviation[0];
      planes[width * height + at] = (green * weight - mean[1]) / deviation[1];
      planes[2 * width * height + at] = (red * weight - mean[2]) / deviation[2];
    }
  }
  return planes;
}

/** Source columns (or rows) for each target pixel. */
function samplePlaces(from: number, to: number, count: number, most: number): { places: Int32Array; perPixel: number } {
  // At least two, so that enlarging interpolates neighbours.
  const perPixel = Math.max(2, Math.ceil((to - from) / count));
  const places = new Int32Array(count * perPixel);
  const step = (to - from) / places.length;
  for (let n = 0; n < places.length; n++)
    places[n] = Math.min(most - 1, Math.max(0, Math.floor(from + (n + 0.5) * step)));
  return { places, perPixel };
}
