/** PCM (16 kHz, mono, s16) of voices that are none: noise of some loudness, with syllables, over a floor of noise. */
export function voice(parts: readonly { readonly seconds: number; readonly isLoud: boolean }[], floor = 0.002): Buffer {
  let seed = 7;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return (seed / 2 ** 31) * 2 - 1;
  };
  const samples = parts.flatMap(({ seconds, isLoud }) =>
    Array.from({ length: Math.round(seconds * 16_000) }, (_, n) => {
      // Four syllables a second, as people speak.
      const syllable = 0.03 + 0.97 * Math.abs(Math.sin((Math.PI * 4 * n) / 16_000));
      return random() * (isLoud ? 0.2 * syllable : floor);
    }),
  );
  const pcm = Buffer.alloc(samples.length * 2);
  for (const [n, sample] of samples.entries()) pcm.writeInt16LE(Math.round(sample * 32_767), n * 2);
  return pcm;
}
