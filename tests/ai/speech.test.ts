import { execFileSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localModels } from '../local-ai.fixture.ts';
import { AiProcess } from './ai-process.fixture.ts';
import { pcmOf, prompts, textOf, wavOf, wordErrors } from './human-speech.fixture.ts';

let ai: AiProcess;
beforeAll(async () => {
  ai = await AiProcess.start(await localModels());
});
afterAll(() => ai.close());

const second = 32_000;
const silence = (seconds: number) => Buffer.alloc(seconds * second);
/** What ffmpeg makes of a description of a sound. */
const sound = (source: string) =>
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-ar', '16000', '-ac', '1', '-f', 's16le', '-']);

async function utterancesOf(pcm: Buffer): Promise<[number, number][]> {
  // In pieces of odd length, as a network may bring them.
  const pieces = Array.from({ length: Math.ceil(pcm.length / 7777) }, (_, n) => pcm.subarray(n * 7777, (n + 1) * 7777));
  const { status, body } = await ai.ask('POST', '/v1/audio/voice-activity', Readable.from(pieces));
  expect(status).toBe(200);
  const events = body
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  return events.flatMap(({ utterance }) => (utterance ? [utterance] : []));
}

describe('speech of a person', () => {
  it('is understood: at most 6 % wrong words, in segments that follow each other', async () => {
    let [errors, words] = [0, 0];
    for (const prompt of prompts) {
      const { status, json } = await ai.transcribe(wavOf(pcmOf(prompt)));
      expect([status, json.task, json.language]).toEqual([200, 'transcribe', 'en']);
      const found = wordErrors(textOf(prompt), json.text);
      errors += found.errors;
      words += found.words;
      const times = json.segments.flatMap(({ start, end }: { start: number; end: number }) => [start, end]);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(times.at(-1)).toBeLessThanOrEqual(json.duration + 0.001);
      for (const { text } of json.segments) expect(text.length).toBeLessThanOrEqual(84);
    }
    expect(words).toBeGreaterThan(300);
    expect(errors / words).toBeLessThan(0.06);
  });

  it('is found where it is, to 100 ms, and told while the stream goes on', async () => {
    const parts = ['ss-noservice', 'tt-allbusy', 'invalid'].map(pcmOf).map(loudPart);
    const pcm = Buffer.concat([silence(2), ...parts.flatMap((part) => [part, silence(1.5)])]);
    let at = 2;
    const expected = parts.map((part) => {
      const [from, to] = [at, at + part.length / second];
      at = to + 1.5;
      return [from, to] as const;
    });
    const found = (await utterancesOf(pcm)).map((pair) => pair.map((sample) => sample / 16_000));
    // One sentence may be two utterances; none reaches over a silence.
    for (const [from, to] of expected) {
      const inside = found.filter(([start = 0, end = 0]) => start < to && end > from);
      expect(Math.abs((inside[0]?.[0] ?? 0) - from)).toBeLessThan(0.1);
      expect(Math.abs((inside.at(-1)?.[1] ?? 0) - to)).toBeLessThan(0.1);
    }
    expect(found.length).toBeLessThanOrEqual(8);
  });

  it('is told before the body has ended', async () => {
    const body = new Readable({ read: () => undefined });
    body.push(Buffer.concat([silence(1), pcmOf('ss-noservice'), silence(1)]));
    const answer = ai.lines('/v1/audio/voice-activity', body);
    const first = await answer.next();
    const second = await answer.next();
    expect([first.value, second.value]).toEqual([
      { speech: expect.any(Number) },
      { utterance: [expect.any(Number), expect.any(Number)] },
    ]);
    body.push(null);
    expect((await answer.next()).done).toBe(true);
  });
});

it.each([
  ['silence', () => silence(12)],
  ['noise', () => sound('anoisesrc=d=8:a=0.2:c=pink')],
  ['a tone', () => sound('sine=f=440:d=8')],
])('%s has no words', async (_, make) => {
  const { json } = await ai.transcribe(wavOf(make()));
  expect(json).toMatchObject({ text: '', segments: [] });
});

it('refuses a language that it does not know, a model that is not here, and a sound that is none', async () => {
  const wav = wavOf(silence(1));
  const code = async (answer: ReturnType<AiProcess['ask']>) => {
    const { status, json } = await answer;
    return [status, json.error.code];
  };
  expect(await code(ai.transcribe(wav, { language: 'zh' }))).toEqual([400, 'unsupported_language']);
  expect(await code(ai.transcribe(wav, { language: 'en us; rm' }))).toEqual([400, 'invalid_request']);
  expect(await code(ai.transcribe(wav, { model: '../../etc' }))).toEqual([404, 'model_not_found']);
  expect(await code(ai.transcribe(Buffer.from('MP3')))).toEqual([400, 'invalid_request']);
  expect((await ai.transcribe(wav, { language: 'en-US', model: '' })).status).toBe(200);
});

/** From the first to the last 10 ms that are loud. */
function loudPart(pcm: Buffer): Buffer {
  const frame = 320;
  const loud = Array.from({ length: Math.floor(pcm.length / frame) }, (_, n) => n).filter((n) => {
    let sum = 0;
    for (let at = n * frame; at < (n + 1) * frame; at += 2) sum += pcm.readInt16LE(at) ** 2;
    return Math.sqrt(sum / 160) > 330;
  });
  return pcm.subarray((loud[0] ?? 0) * frame, ((loud.at(-1) ?? 0) + 1) * frame);
}
