/** ISO 14496-3, table 1.19: the elements of each channel configuration, by their ids in the bit stream. */
const one = 0;
const pair = 1;
const lowFrequency = 3;
const end = 7;
const elements: Readonly<Record<number, readonly number[]>> = {
  1: [one],
  2: [pair],
  3: [one, pair],
  4: [one, pair, one],
  5: [one, pair, pair],
  6: [one, pair, pair, lowFrequency],
  8: [one, pair, pair, pair, lowFrequency],
};

/**
 * One frame of AAC-LC that holds silence, for any sample rate; undefined for a number of channels that has no configuration. Each channel
 * is one long window without any scale factor band, so there is nothing in it to decode.
 */
export function silentAac(channels: number): Buffer | undefined {
  const order = elements[channels];
  if (!order) return undefined;
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >>> bit) & 1);
  };
  // reserved, window sequence, window shape, scale factor bands, predictor
  const window = () => put(0, 1 + 2 + 1 + 6 + 1);
  // pulse, temporal noise shaping, gain control
  const tools = () => put(0, 3);
  const gain = () => put(0, 8);
  const tags = new Map<number, number>();
  for (const element of order) {
    const tag = tags.get(element) ?? 0;
    tags.set(element, tag + 1);
    put(element, 3);
    put(tag, 4);
    if (element === pair) {
      // A common window, then which bands are coded as middle and side: none.
      put(1, 1);
      window();
      put(0, 2);
      for (const _ of [1, 2]) {
        gain();
        tools();
      }
    } else {
      gain();
      window();
      tools();
    }
  }
  put(end, 3);
  while (bits.length % 8 !== 0) bits.push(0);
  const frame = Buffer.alloc(bits.length / 8);
  for (const [index, bit] of bits.entries())
    if (bit === 1) frame[index >> 3] = (frame[index >> 3] ?? 0) | (0x80 >> (index & 7));
  return frame;
}
