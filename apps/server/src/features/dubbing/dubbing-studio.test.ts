import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AiProvider } from '../../../../../tests/ai-provider.fixture.ts';
import { makeSpokenFilm, openStudio } from './dubbing.fixture.ts';
import { soundOf } from './film-probe.fixture.ts';
import { loudIn, startInterpreter, tone } from './interpreter.fixture.ts';

let provider: AiProvider;
let film: string;
beforeAll(async () => {
  film = await makeSpokenFilm('studio.mp4', 12, [
    [1, 3],
    [4, 6],
    [8, 10],
  ]);
});
beforeEach(async () => {
  provider = await startInterpreter();
  return () => provider.close();
});

async function dubbed(change: object = {}) {
  const studio = await openStudio(provider);
  const { uuid } = await studio.create(film, { asr: { aiAsrLanguage: 'en' }, ...change });
  await studio.dub('task-start', { uuid });
  await studio.settled(uuid);
  const groups = async () => (await studio.task(uuid)).asr_response?.groups ?? [];
  return { studio, uuid, groups };
}

describe('a dubbing group', () => {
  it('is rephrased shorter, then spoken faster, then into the pause, and is reported when nothing fits', async () => {
    const seconds = new Map<string, number>();
    provider.speaks = (text) => tone(seconds.get(text) ?? 1);
    // Sentence 1 fits after two rephrasings, 2 needs to be faster, 3 the pause behind it.
    provider.reply = (message) => {
      const line = message.split('\n').at(-1) ?? '';
      return line.startsWith('fr') ? `${line}~` : `fr ${line}`;
    };
    const line = (n: number, signs = 0) => `fr Sentence ${n} is said.${'~'.repeat(signs)}`;
    for (const [text, length] of [
      [line(1), 4],
      [line(1, 1), 3],
      [line(1, 2), 1.9],
      ...[0, 1, 2, 3].map((signs) => [line(2, signs), 2.3] as const),
      ...[0, 1, 2, 3].map((signs) => [line(3, signs), 3.5] as const),
    ] as const)
      seconds.set(text, length);
    const { studio, uuid, groups } = await dubbed();
    const [one, two, three] = await groups();
    expect(one).toMatchObject({ rephrased: line(1, 2), tempo: 1, fit: 'fits' });
    expect(two).toMatchObject({ rephrased: line(2, 3), fit: 'fits' });
    expect(two?.tempo).toBeGreaterThan(1.1);
    expect(two?.tempo).toBeLessThanOrEqual(1.25);
    expect(two?.free_space).toBeGreaterThan(-0.03);
    expect(three).toMatchObject({ fit: 'pause', over: 0 });
    expect(three?.free_space).toBeLessThan(0);
    // Voices do not overlap: each ends before the next begins.
    const { path } = await studio.exported(uuid);
    expect(loudIn(await soundOf(path))).toHaveLength(3);
    seconds.set('Much too long', 9);
    await studio.dub('update', { uuid, rephrase: { aiChatEnabled: false } });
    const edited = await studio.dub('task-edit', { uuid, group: three?.uuid, translated: 'Much too long' });
    expect(edited.data.asr_response.groups[2]).toMatchObject({ fit: 'long', tempo: 1.25 });
    expect(edited.data.asr_response.groups[2].over).toBeGreaterThan(3);
    await studio.settled(uuid);
    expect((await studio.exported(uuid)).message).toMatch(/^group 2 is too long by 3\.\d s/);
  });

  it('is corrected, split, merged and moved, and only what depends on it is made again', async () => {
    const { studio, uuid, groups } = await dubbed();
    const [first, second] = await groups();
    const before = await studio.exported(uuid);
    const spoken = provider.count('/audio/speech');
    const edited = await studio.dub('task-edit', { uuid, group: first?.uuid, translated: 'Bonjour à tous' });
    expect(edited.data.asr_response.groups[0]).toMatchObject({ translated: 'Bonjour à tous', fit: 'fits' });
    expect(provider.count('/audio/speech')).toBe(spoken + 1);
    // An export is of what there is now.
    await studio.settled(uuid);
    const after = await studio.exported(uuid);
    expect(readdirSync(join(studio.dataDir, 'dubbing', uuid, 'exports'))).toHaveLength(1);
    const [was, is] = await Promise.all([before, after].map(async ({ path }) => loudIn(await soundOf(path))));
    expect(is?.[0]?.[1]).toBeLessThan((was?.[0]?.[1] ?? 0) - 0.2);
    expect(is?.[1]).toEqual(was?.[1]);
    // A concurrent change is detected.
    const stale = await studio.dub('task-edit', { uuid, group: first?.uuid, revision: first?.revision, text: 'Mine' });
    expect(stale).toMatchObject({ status: 422, data: { why: { kind: 'changed' } } });
    const split = await studio.dub('task-split', { uuid, group: second?.uuid, at: 5 });
    expect(split.data.asr_response.groups.slice(1, 3)).toMatchObject([
      { start: expect.closeTo(4, 1), end: 5, segments: [{ text: 'Sentence 2' }] },
      { start: 5, segments: [{ text: 'is said.' }] },
    ]);
    const merged = await studio.dub('task-merge', { uuid, group: second?.uuid, direction: 'next' });
    expect(merged.data.asr_response.groups).toHaveLength(3);
    expect(merged.data.asr_response.groups[1]).toMatchObject({ fit: 'fits', end: expect.closeTo(6, 1) });
    expect((await studio.dub('task-merge', { uuid, group: second?.uuid, direction: 'up' })).data.message).toMatch(
      /direction/,
    );
    const moved = await studio.dub('task-edit', { uuid, group: second?.uuid, start: 4.5 });
    expect(moved.data.asr_response.groups[1]).toMatchObject({ start: 4.5 });
    const outside = await studio.dub('task-edit', { uuid, group: second?.uuid, end: 9 });
    expect(outside.data.message).toMatch(/between its neighbors/);
    const rephrased = await studio.dub('task-rephrase', { uuid, task: uuid, group: first?.uuid });
    expect(rephrased.data.asr_response.groups[0]).toMatchObject({ rephrased: 'fr Bonjour à tous', fit: 'fits' });
  });
});

describe('a split or merge', () => {
  it('is undone, but not over the changes of another editor', async () => {
    const { studio, uuid, groups } = await dubbed();
    const [, second, third] = await groups();
    const seen = (of: readonly (typeof second)[]) => of.map((one) => ({ group: one?.uuid, revision: one?.revision }));
    const split = await studio.dub('task-split', { uuid, group: second?.uuid, at: 5 });
    // The second half has work left, which a restarted server continues.
    expect(split.data.status).not.toBe('done');
    await studio.settled(uuid);
    const [, left, right] = await groups();
    expect([left, right].map((one) => [one?.translated, one?.corrected])).toEqual([
      ['fr Sentence 2', false],
      ['fr is said.', false],
    ]);
    const regroup = (change: object) => studio.dub('task-regroup', { uuid, ...change });
    const back = await regroup({ groups: seen([left, right]), known: [second] });
    expect(back.data.asr_response.groups).toHaveLength(3);
    expect(back.data.asr_response.groups[1]).toMatchObject({
      uuid: second?.uuid,
      start: second?.start,
      end: second?.end,
      translated: second?.translated,
      fit: 'fits',
    });
    // Twice is refused, and changes nothing.
    const stale = await regroup({ groups: seen([left, right]), known: [second] });
    expect(stale).toMatchObject({ status: 422, data: { why: { kind: 'changed' } } });
    // And forth again, with what was made of it: nobody translates that a second time.
    const chats = provider.count('/chat/completions');
    const [, whole] = await groups();
    const forth = await regroup({ groups: seen([whole]), known: [left, right] });
    expect(forth.data.asr_response.groups[2]).toMatchObject({ uuid: right?.uuid, translated: 'fr is said.' });
    expect(provider.count('/chat/completions')).toBe(chats);
    await studio.settled(uuid);
    // Other groups are never taken for these, nor pushed aside.
    const now = await groups();
    const strange = [
      { groups: seen([now[1]]), known: [now[1], now[3]] },
      { groups: seen([now[0], now[2]]), known: [second] },
      { groups: seen([now[1]]), known: [left, left] },
      { groups: seen([{ ...left, uuid: 'gone' } as typeof left]), known: [second] },
      { groups: seen([now[1], now[2]]), known: [{ ...second, end: third?.end }] },
      { groups: [], known: [second] },
      { groups: seen([now[1]]), known: [{ ...second, uuid: '../x' }] },
    ];
    for (const each of strange) expect((await regroup(each)).code).not.toBe(0);
    expect((await groups()).map((one) => one.revision)).toEqual(now.map((one) => one.revision));
  });
});

describe('a dubbing task', () => {
  it('answers with what changed since the cursor, also after an edit', async () => {
    const { studio, uuid } = await dubbed();
    const { cursor, asr_response: whole } = await studio.task(uuid);
    const [first, second] = whole?.groups ?? [];
    const since = async (known: string) => (await studio.dub('task-query', { uuid, task: uuid, since: known })).data;
    expect(await since(cursor)).toMatchObject({ since: cursor, order: null, asr_response: { groups: [] } });
    const split = await studio.dub('task-split', { uuid, group: second?.uuid, at: 5, since: cursor });
    expect(split.data.order).toHaveLength(4);
    expect(split.data.asr_response.groups[0].uuid).toBe(first?.uuid);
    expect(split.data.asr_response.groups).toHaveLength(3);
    expect(await since('another-1')).toMatchObject({ since: '', order: null, asr_response: { groups: { length: 4 } } });
  });

  it('speaks a group again in the same words, and the export has the new audio', async () => {
    const { studio, uuid, groups } = await dubbed();
    const [first, second] = await groups();
    const before = await studio.exported(uuid);
    provider.speaks = () => tone(1.6);
    const asked = provider.count('/audio/speech');
    const chats = provider.count('/chat/completions');
    const spoken = await studio.dub('task-speak', { uuid, group: first?.uuid, revision: first?.revision });
    expect(spoken.data.asr_response.groups[0]).toMatchObject({ translated: first?.translated, fit: 'fits' });
    expect(spoken.data.asr_response.groups[0].tts).not.toBe(first?.tts);
    expect(spoken.data.asr_response.groups[1].tts).toBe(second?.tts);
    expect([provider.count('/audio/speech'), provider.count('/chat/completions')]).toEqual([asked + 1, chats]);
    await studio.settled(uuid);
    const after = await studio.exported(uuid);
    const [was, is] = await Promise.all([before, after].map(async ({ path }) => loudIn(await soundOf(path))));
    expect(is?.[0]?.[1]).toBeGreaterThan((was?.[0]?.[1] ?? 0) + 0.3);
  });
});

describe('dubbing players', () => {
  it('read the film and the voices with the API secret or a link to this project, in ranges, and no other way', async () => {
    const { studio, uuid, groups } = await dubbed();
    const [group] = await groups();
    const secret = 'srs-v2-00000000000000000000000000000000';
    const { token } = (await studio.dub('links', { uuid })).data;
    const other = (await studio.dub('links', { uuid: (await studio.create(film)).uuid })).data.token;
    const get = (path: string, headers = {}) =>
      studio.inject({ method: 'GET', url: `/terraform/v1/dubbing/${path}`, headers });
    for (const good of [secret, token]) {
      const played = await get(`play?uuid=${uuid}&token=${good}`, { range: 'bytes=4-7' });
      expect([played.statusCode, played.headers['content-type'], played.body]).toEqual([206, 'video/mp4', 'ftyp']);
      const voice = await get(`task-tts?uuid=${uuid}&group=${group?.uuid}&token=${good}`);
      expect([voice.statusCode, voice.headers['content-type']]).toEqual([200, 'audio/aac']);
      expect(voice.rawPayload.subarray(0, 1)).toEqual(Buffer.from([0xff]));
    }
    for (const bad of ['', 'x', other, `${token}x`]) {
      expect((await get(`play?uuid=${uuid}&token=${bad}`)).statusCode).toBeGreaterThanOrEqual(400);
      expect((await get(`task-tts?uuid=${uuid}&group=${group?.uuid}&token=${bad}`)).statusCode).toBeGreaterThanOrEqual(
        400,
      );
      expect((await get(`export?uuid=${uuid}&task=${uuid}&token=${bad}`)).statusCode).toBeGreaterThanOrEqual(400);
    }
    const strange = { method: 'POST', url: '/terraform/v1/dubbing/export', payload: { uuid: 5, task: [] } } as const;
    expect((await studio.inject(strange)).statusCode).toBe(401);
    expect((await get(`task-tts?uuid=${uuid}&group=../../x&token=${token}`)).statusCode).toBe(404);
    expect((await get(`play?uuid=../${uuid}&token=${secret}`)).statusCode).toBe(404);
  });

  it('never receive a key: settings show a mask, and the mask keeps it', async () => {
    const { studio, uuid } = await dubbed({
      tts: { aiSecretKey: 'sk-of-the-voice-1234', aiBaseURL: provider.baseURL },
    });
    const shown = (await studio.dub('query', { uuid })).data;
    expect(JSON.stringify(shown)).not.toContain('sk-of-the-voice');
    await studio.dub('update', { ...shown, title: 'Other' });
    await studio.dub('task-restart', { uuid, step: 'tts' });
    await studio.settled(uuid);
    expect(provider.asked.filter(({ path }) => path.endsWith('/speech')).at(-1)?.key).toBe('sk-of-the-voice-1234');
    const elsewhere = { ...shown, tts: { ...shown.tts, aiBaseURL: 'http://127.0.0.1:9/v1' } };
    expect((await studio.dub('update', elsewhere)).data.message).toMatch(/enter the secret key again/);
  });
});
