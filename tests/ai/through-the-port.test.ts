import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, SecretRedactor } from '@weir/plane';
import { parseConfig } from '@weir/plane/config';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAi } from '../../apps/server/src/ai/create-ai.ts';
import { systemClock } from '../../apps/server/src/core/clock.ts';
import { OutgoingClient } from '../../apps/server/src/core/outgoing/request/outgoing-client.ts';
import { MemoryStore } from '../../apps/server/src/core/store/memory-store.ts';
import { localModels } from '../local-ai.fixture.ts';

const root = join(import.meta.dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'weir-port-'));
/** Never: the patience of a test is that of its runner. */
const { signal } = new AbortController();
let made: ReturnType<typeof createAi>;

beforeAll(async () => {
  const environment = { WEIR_DATA: directory, WEIR_MODELS: await localModels() };
  const config = parseConfig(environment, { cwd: directory, version: '1.2.3' });
  const log = createLog('test', 'error');
  log.level = 'silent';
  const sockets = { engine: '', server: join(directory, 'server.sock') };
  made = createAi({
    boot: { config, sockets, hookToken: '', ownToken: '' },
    entry: join(root, 'apps/ai/src/main.ts'),
    store: new MemoryStore(),
    outgoing: new OutgoingClient(),
    hidden: new SecretRedactor(),
    log,
    clock: systemClock,
  });
});
afterAll(() => made.close());

/** A sentence as WAV, 16 kHz. */
function speech(text: string): { audio: Buffer; seconds: number } {
  const file = join(directory, 'speech.wav');
  const source = `flite=text='${text}':voice=slt`;
  execFileSync('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', source, '-ar', '16000', '-ac', '1', '-y', file]);
  const audio = readFileSync(file);
  return { audio, seconds: (audio.length - 44) / 32_000 };
}

it('answers through the port, without a provider or a network', async () => {
  const { ai, localAi, aiMeter } = made.offers;
  expect(await ai.describe('transcribe', undefined, 'en')).toEqual({ by: 'built-in', host: '', cause: null });
  expect(await ai.describe('transcribe', undefined, 'zh')).toMatchObject({
    by: 'nobody',
    cause: 'unsupported-language',
  });
  const heard = await ai.transcribe({
    ...speech('Good evening and welcome to our show about rivers and lakes.'),
    feature: 'transcript',
    language: 'en',
    signal,
  });
  expect(heard.text.toLowerCase()).toMatch(/evening.*welcome.*show.*rivers and lakes/);
  expect((await aiMeter.today()).rows).toMatchObject([
    { feature: 'transcript', host: 'built-in', calls: 1, errors: 0 },
  ]);
  expect(localAi.keeper.state()).toMatchObject({ phase: 'running', starts: 1, failures: 0 });
});

it('retries after its process is killed, and answers', async () => {
  const { ai, localAi } = made.offers;
  const sentence = { ...speech('One two three.'), feature: 'transcript', language: 'en', signal } as const;
  await ai.transcribe(sentence);
  process.kill(localAi.keeper.state().pid, 'SIGKILL');
  expect((await ai.transcribe(sentence)).text).not.toBe('');
  expect(localAi.keeper.state().starts).toBeGreaterThan(1);
});

it('detects voices in a signal while it lasts', async () => {
  const call = await made.offers.localAi.listen(signal);
  const told: object[] = [];
  const reading = (async () => {
    for await (const line of call?.lines ?? []) told.push(line);
  })();
  const { audio } = speech('Hello and welcome.');
  call?.write(Buffer.concat([Buffer.alloc(16_000), audio.subarray(44), Buffer.alloc(32_000)]));
  await expect.poll(() => told.some((line) => 'utterance' in line)).toBe(true);
  call?.end();
  await reading;
});
