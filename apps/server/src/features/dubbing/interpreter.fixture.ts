import { AiProvider } from '../../../../../tests/ai-provider.fixture.ts';
import { writeWav } from '../../ai/wav.ts';

/** Loud passages of PCM: start and end in seconds. */
export function loudIn(pcm: Buffer, rate = 16_000): [number, number][] {
  const frame = rate / 50;
  const found: [number, number][] = [];
  for (let at = 0; at + frame * 2 <= pcm.length; at += frame * 2) {
    let peak = 0;
    for (let n = 0; n < frame; n++) peak = Math.max(peak, Math.abs(pcm.readInt16LE(at + n * 2)));
    const second = at / 2 / rate;
    const last = found.at(-1);
    if (peak < 1500) continue;
    if (last && second - last[1] < 0.05) last[1] = second + 0.02;
    else found.push([second, second + 0.02]);
  }
  return found;
}

/**
 * A provider that understands such films: it tells each sound as a sentence, a little wrong in time as recognisers are, translates by a
 * prefix, and says a text in a sound as long as the text, with silence around it.
 */
export async function startInterpreter(): Promise<AiProvider> {
  const provider = await AiProvider.start();
  provider.hearsIn = (pcm) =>
    loudIn(pcm).map(([start, end], n) => ({
      start: Math.max(0, start - 0.15),
      end,
      text: `Sentence ${n + 1} is said.`,
    }));
  provider.reply = (message) => `fr ${message.split('\n').at(-1) ?? ''}`;
  provider.speaks = (text) => tone(text.length * 0.05);
  return provider;
}

/** Speech as providers return it: 0.2 s of silence, the voice, 0.3 s of silence. */
export function tone(seconds: number): Buffer {
  const rate = 16_000;
  const pcm = Buffer.alloc(Math.round((seconds + 0.5) * rate) * 2);
  const from = 0.2 * rate;
  for (let n = 0; n < seconds * rate; n++) pcm.writeInt16LE(Math.round(9000 * Math.sin(n * 0.2)), (from + n) * 2);
  return Buffer.from(writeWav(pcm));
}
