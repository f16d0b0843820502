import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localModels } from '../local-ai.fixture.ts';
import { AiProcess } from './ai-process.fixture.ts';
import { wordErrors } from './human-speech.fixture.ts';

let ai: AiProcess;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'weir-voices-'));
  ai = await AiProcess.start(await localModels());
});
afterAll(async () => {
  await ai.close();
  rmSync(directory, { recursive: true });
});

const text = 'The number you have dialed is not in service. Please check the number and try again.';

/** Codec and duration by ffprobe. */
function probe(audio: Buffer): { codec: string; seconds: number } {
  const file = join(directory, 'audio');
  writeFileSync(file, audio);
  const args = ['-v', 'error', '-show_entries', 'stream=codec_name:format=duration', '-of', 'csv=p=0', file];
  const [codec = '', seconds = ''] = execFileSync('ffprobe', args).toString().trim().split('\n');
  return { codec, seconds: Number(seconds) };
}

it('lists the voices of the installed programs, with their languages', async () => {
  const { json } = await ai.sendRequest('GET', '/v1/models');
  const voices = json.data.filter(({ kind }: { kind: string }) => kind === 'voice');
  expect(voices).toContainEqual(expect.objectContaining({ id: 'flite-slt', languages: ['en'] }));
  expect(voices).toContainEqual(expect.objectContaining({ id: 'espeak-zh', languages: ['zh'] }));
  expect(new Set(voices.map(({ id }: { id: string }) => id)).size).toBe(voices.length);
});

it.each(['flite-slt', 'espeak-en'])('speaks with %s so that built-in recognition understands it', async (voice) => {
  const { status, type, body } = await ai.post('/v1/audio/speech', { model: voice, voice, input: text });
  expect([status, type]).toEqual([200, 'audio/wav']);
  writeFileSync(join(directory, 'voice.wav'), body);
  const to16k = ['-v', 'error', '-i', join(directory, 'voice.wav'), '-ar', '16000', '-ac', '1', '-f', 'wav', '-'];
  const heard = await ai.transcribe(execFileSync('ffmpeg', to16k));
  const { errors, words } = wordErrors(text, heard.json.text);
  expect(errors / words).toBeLessThan(0.3);
});

it.each([
  ['wav', 'pcm_s16le'],
  ['aac', 'aac'],
  ['mp3', 'mp3'],
])('speaks as %s, also Chinese', async (format, codec) => {
  const { status, body } = await ai.post('/v1/audio/speech', {
    input: '你好，欢迎收看今天的节目。',
    response_format: format,
  });
  expect(status).toBe(200);
  const found = probe(body);
  expect(found.codec).toBe(codec);
  expect(found.seconds).toBeGreaterThan(1);
});

it('reads markup and options aloud as text, and refuses what it cannot read', async () => {
  for (const input of ['--version', '-w /etc/passwd', '$(touch /tmp/x); `id`', '<speak>hello</speak>\0\n\n.']) {
    for (const voice of ['flite-slt', 'espeak-en']) {
      const { status, body } = await ai.post('/v1/audio/speech', { voice, input });
      expect([input, status, body.toString('latin1', 0, 4)]).toEqual([input, 200, 'RIFF']);
    }
  }
  const refused: [object, number][] = [
    [{ input: '' }, 400],
    [{ input: 5 }, 400],
    [{ input: 'x'.repeat(5000) }, 400],
    [{ input: 'x', response_format: 'flac' }, 400],
    [{ input: 'x', response_format: 'toString' }, 400],
    [{ input: 'x', voice: '../../x' }, 404],
  ];
  for (const [body, status] of refused)
    expect([body, (await ai.post('/v1/audio/speech', body)).status]).toEqual([body, status]);
});
