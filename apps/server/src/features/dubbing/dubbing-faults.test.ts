import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@weir/plane';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AiProvider } from '../../../../../tests/ai-provider.fixture.ts';
import { SqliteStore } from '../../core/store/sqlite-store.ts';
import { makeSpokenFilm, openStudio } from './dubbing.fixture.ts';
import { loudIn, startInterpreter, tone } from './interpreter.fixture.ts';

const log = createLog('test', 'error');
log.level = 'silent';
let provider: AiProvider;
let film: string;
beforeAll(async () => {
  film = await makeSpokenFilm('faults.mp4', 12, [
    [1, 3],
    [5, 7],
    [9, 11],
  ]);
});
beforeEach(async () => {
  provider = await startInterpreter();
  return () => provider.close();
});
const settings = { asr: { aiAsrLanguage: 'en' } };
const waiting = { interval: 50 };
let count = 0;
const directory = mkdtempSync(join(tmpdir(), 'weir-dubbing-faults-'));
const newFile = () => join(directory, `${count++}.db`);
afterAll(() => rmSync(directory, { recursive: true }));

/** Questions of this kind get no answer until they are let go. */
function hold(kind: 'hearsIn' | 'reply' | 'speaks'): () => void {
  const able = provider[kind];
  provider[kind] = () => {
    throw new Error('nobody answers');
  };
  return () => Object.assign(provider, { [kind]: able });
}

describe('dubbing', () => {
  it.each([
    ['asr', 'hearsIn'],
    ['translating', 'reply'],
    ['tts', 'speaks'],
  ] as const)('continues by itself after the server ended while %s, with no group twice', async (status, kind) => {
    const [dataDir, file] = [mkdtempSync(join(tmpdir(), 'weir-app-')), newFile()];
    const first = await openStudio(provider, { dataDir, store: new SqliteStore(file, log) });
    const { uuid } = await first.create(film, settings);
    const letGo = hold(kind);
    await first.dub('task-start', { uuid });
    await vi.waitFor(async () => expect((await first.task(uuid)).status).toBe(status), waiting);
    await first.close();
    letGo();
    const second = await openStudio(provider, { dataDir, store: new SqliteStore(file, log) });
    const done = await second.settled(uuid);
    expect(done).toMatchObject({ status: 'done', cause: null });
    const texts = done.asr_response?.groups.map(({ translated }) => translated);
    expect(texts).toEqual([1, 2, 3].map((n) => `fr Sentence ${n} is said.`));
    // Not asked for again: what was understood before.
    expect(provider.count('/audio/transcriptions')).toBeLessThanOrEqual(status === 'asr' ? 5 : 1);
  });

  it('continues by itself after the server ended while rephrasing, with no group twice', async () => {
    const [dataDir, file] = [mkdtempSync(join(tmpdir(), 'weir-app-')), newFile()];
    const first = await openStudio(provider, { dataDir, store: new SqliteStore(file, log) });
    const { uuid } = await first.create(film, settings);
    const { reply } = provider;
    provider.speaks = (text) => tone(text.startsWith('fr Sentence') ? 4 : 1);
    provider.reply = (text) => {
      if (!text.includes('Translate:')) throw new Error('nobody answers');
      return reply?.(text) ?? '';
    };
    await first.dub('task-start', { uuid });
    await vi.waitFor(async () => expect((await first.task(uuid)).status).toBe('rephrasing'), waiting);
    await first.close();
    provider.reply = (text) => text.replace(/^fr Sentence/, 'Phrase');
    const second = await openStudio(provider, { dataDir, store: new SqliteStore(file, log) });
    const done = await second.settled(uuid);
    expect(done.asr_response?.groups.map(({ rephrased, fit }) => [rephrased, fit])).toEqual(
      [1, 2, 3].map((n) => [`Phrase ${n} is said.`, 'fits']),
    );
    expect(provider.count('/audio/transcriptions')).toBe(1);
  });

  it('extracts the audio again when the server ended during the extraction', async () => {
    const studio = await openStudio(provider);
    const { uuid } = await studio.create(film, settings);
    const files = join(studio.dataDir, 'dubbing', uuid);
    mkdirSync(files, { recursive: true });
    for (const half of ['speech.part', 'speech.pcm', 'levels.bin.part']) writeFileSync(join(files, half), 'half');
    await studio.dub('task-start', { uuid });
    const done = await studio.settled(uuid);
    expect(done).toMatchObject({ status: 'done', missing: [] });
    expect(done.asr_response?.groups).toHaveLength(3);
    expect(readdirSync(files).toSorted()).toEqual(['exports', 'levels.bin', 'speech.pcm', 'voices']);
  });

  it('leaves out a part that was not recognised, names it, and recognises it when asked again', async () => {
    const studio = await openStudio(provider);
    const long = await makeSpokenFilm('parts.mp4', 320, [
      [10, 12],
      [160, 164],
      [300, 302],
    ]);
    const { uuid } = await studio.create(long, settings);
    const { hearsIn } = provider;
    // The part with the longest speech gets an answer that is none.
    provider.hearsIn = (pcm) =>
      loudIn(pcm).some(([start, end]) => end - start > 3)
        ? [{ start: 0, end: 1, text: 7 as unknown as string }]
        : (hearsIn?.(pcm) ?? []);
    await studio.dub('task-start', { uuid });
    const partly = await studio.settled(uuid);
    expect(partly.missing).toHaveLength(1);
    expect(partly.missing[0]?.start).toBeLessThan(160);
    expect(partly.missing[0]?.end).toBeGreaterThan(164);
    expect(partly.asr_response?.groups).toHaveLength(2);
    provider.hearsIn = hearsIn;
    await studio.dub('task-start', { uuid });
    const whole = await studio.settled(uuid, ({ status, missing }) => status === 'done' && missing.length === 0);
    expect(whole.asr_response?.groups.map(({ start }) => Math.round(start))).toEqual([10, 160, 300]);
  });

  it('waits for a provider that is away, reports it, and continues when it is back', async () => {
    const studio = await openStudio(provider);
    const { uuid } = await studio.create(film, settings);
    provider.mood = 'fails';
    await studio.dub('task-start', { uuid });
    const waited = await studio.settled(uuid, ({ cause }) => cause !== null);
    expect(waited).toMatchObject({ status: 'asr', cause: 'provider-error' });
    provider.mood = 'well';
    // Starting by hand skips the wait before the next attempt.
    await studio.dub('task-start', { uuid });
    expect(await studio.settled(uuid)).toMatchObject({ status: 'done', cause: null, message: '' });
    // In the middle of another step, and nobody says anything.
    let voices = 0;
    provider.speaks = () => {
      voices += 1;
      if (voices === 2) void provider.disappear();
      return tone(1);
    };
    await studio.dub('task-restart', { uuid, step: 'tts' });
    expect(await studio.settled(uuid, ({ cause }) => cause !== null)).toMatchObject({ status: 'tts' });
    await provider.comeBack();
    const done = await studio.settled(uuid);
    expect(done).toMatchObject({ status: 'done', cause: null });
    expect(done.asr_response?.groups.map(({ fit }) => fit)).toEqual(['fits', 'fits', 'fits']);
  });

  it('fails with a message where a person must act, and starts again on request', async () => {
    const studio = await openStudio(provider);
    const { uuid } = await studio.create(film, settings);
    provider.mood = 'no-quota';
    await studio.dub('task-start', { uuid });
    expect(await studio.settled(uuid)).toMatchObject({ status: 'failed', cause: 'quota' });
    provider.mood = 'well';
    await studio.dub('task-start', { uuid });
    expect(await studio.settled(uuid)).toMatchObject({ status: 'done', cause: null });
  });

  it('leaves out a sentence that could not be translated, names it, and tries again on request', async () => {
    const studio = await openStudio(provider);
    const { uuid } = await studio.create(film, settings);
    const { reply } = provider;
    provider.reply = (text) => (text.endsWith('Sentence 2 is said.') ? ' ' : (reply?.(text) ?? ''));
    await studio.dub('task-start', { uuid });
    const failed = await studio.settled(uuid);
    expect(failed).toMatchObject({ status: 'failed', cause: 'bad-answer', message: 'one group could not be made' });
    expect(failed.asr_response?.groups.map(({ cause, fit }) => [cause, fit])).toEqual([
      [null, 'fits'],
      ['bad-answer', 'none'],
      [null, 'fits'],
    ]);
    expect((await studio.exported(uuid)).message).toBe('task not finished, status=failed');
    provider.reply = reply;
    await studio.dub('task-start', { uuid });
    expect(await studio.settled(uuid)).toMatchObject({ status: 'done' });
  });

  it('pauses, and repeats from a chosen step', async () => {
    const studio = await openStudio(provider);
    const { uuid } = await studio.create(film, settings);
    const letGo = hold('speaks');
    await studio.dub('task-start', { uuid });
    await vi.waitFor(async () => expect((await studio.task(uuid)).status).toBe('tts'), waiting);
    expect((await studio.dub('task-pause', { uuid })).data.status).toBe('paused');
    letGo();
    await studio.dub('task-start', { uuid });
    await studio.settled(uuid);
    // Finished steps are not repeated.
    expect(provider.count('/audio/transcriptions')).toBe(1);
    expect(provider.count('/chat/completions')).toBe(3);
    provider.reply = (text) => `de ${text.split('\n').at(-1)}`;
    await studio.dub('task-restart', { uuid, step: 'translating' });
    const again = await studio.settled(uuid);
    expect(again.asr_response?.groups[0]).toMatchObject({ translated: 'de Sentence 1 is said.', fit: 'fits' });
    await studio.dub('task-restart', { uuid, step: 'asr' });
    const anew = await studio.settled(uuid);
    expect(anew.asr_response?.groups).toHaveLength(3);
    expect(anew.asr_response?.groups[0]?.uuid).not.toBe(again.asr_response?.groups[0]?.uuid);
  });

  it('searches again for shorter words, and deletes the task and its files when it is cancelled', async () => {
    const studio = await openStudio(provider);
    const { uuid } = await studio.create(film, settings);
    const { reply } = provider;
    provider.speaks = (text) => tone(text.startsWith('fr') ? 4 : 1.5);
    provider.reply = (text) => (text.includes('Translate:') ? (reply?.(text) ?? '') : 'Short');
    await studio.dub('task-start', { uuid });
    expect((await studio.settled(uuid)).asr_response?.groups[0]).toMatchObject({ rephrased: 'Short', fit: 'fits' });
    provider.reply = () => 'Shorter';
    await studio.dub('task-restart', { uuid, step: 'rephrasing' });
    const again = (await studio.settled(uuid)).asr_response?.groups[0];
    expect(again).toMatchObject({ translated: 'fr Sentence 1 is said.', rephrased: 'Shorter', fit: 'fits' });
    expect(provider.count('/audio/transcriptions')).toBe(1);

    hold('speaks');
    await studio.dub('task-restart', { uuid, step: 'tts' });
    await vi.waitFor(async () => expect((await studio.task(uuid)).status).toBe('tts'), waiting);
    expect((await studio.dub('task-cancel', { uuid })).code).toBe(0);
    expect(existsSync(join(studio.dataDir, 'dubbing', uuid))).toBe(false);
    expect((await studio.dub('query', { uuid })).data).toMatchObject({ uuid, task: '', asr: { aiAsrLanguage: 'en' } });
    expect((await studio.dub('task-query', { uuid, task: uuid })).status).toBe(404);
    provider.speaks = () => tone(1);
    provider.reply = reply;
    await studio.dub('task-start', { uuid });
    expect((await studio.settled(uuid)).asr_response?.groups).toHaveLength(3);
    expect(provider.count('/audio/transcriptions')).toBe(2);
  });

  it('ends with its project and leaves nothing behind', async () => {
    const studio = await openStudio(provider);
    const { uuid } = await studio.create(film, settings);
    hold('speaks');
    await studio.dub('task-start', { uuid });
    await vi.waitFor(async () => expect((await studio.task(uuid)).status).toBe('tts'), waiting);
    expect(existsSync(join(studio.dataDir, 'dubbing', uuid, 'speech.pcm'))).toBe(true);
    expect((await studio.dub('remove', { uuid })).code).toBe(0);
    expect(readdirSync(join(studio.dataDir, 'dubbing'))).toEqual([]);
    expect((await studio.dub('query', { uuid })).code).not.toBe(0);
    expect((await studio.dub('list')).data.projects).toEqual([]);
  });
});
