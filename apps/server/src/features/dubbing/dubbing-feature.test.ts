import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AiProvider } from '../../../../../tests/ai-provider.fixture.ts';
import { makeSpokenFilm, openStudio } from './dubbing.fixture.ts';
import { probeFilm, soundOf } from './film-probe.fixture.ts';
import { loudIn, startInterpreter } from './interpreter.fixture.ts';

const speeches: [number, number][] = [
  [1, 3],
  [4.5, 7],
  [9, 11],
];
let provider: AiProvider;
let film: string;
beforeAll(async () => {
  provider = await startInterpreter();
  film = await makeSpokenFilm('film.mp4', 14, speeches);
});
afterAll(() => provider.close());

describe('a dubbed film', () => {
  it('is recognised, translated, spoken and mixed, each sentence in its place', async () => {
    const studio = await openStudio(provider);
    const project = await studio.create(film, { asr: { aiAsrLanguage: 'en' } });
    expect(project).toMatchObject({
      title: 'My Dubbing Video',
      filetype: 'upload',
      task: '',
      format: { has_video: true },
    });
    expect(project.format?.duration).toBeCloseTo(14, 0);
    const { uuid } = project;
    expect((await studio.dub('task-query', { uuid, task: uuid })).code).not.toBe(0);
    expect((await studio.dub('list')).data.states).toEqual([]);
    expect((await studio.dub('task-start', { uuid })).data).toMatchObject({ uuid, status: 'running' });
    const done = await studio.settled(uuid);
    expect(done).toMatchObject({ status: 'done', percent: 100, cause: null, missing: [] });
    expect((await studio.dub('list')).data.states).toEqual([{ uuid, status: 'done', percent: 100 }]);
    const groups = done.asr_response?.groups ?? [];
    expect(groups.map(({ segments }) => segments.map(({ text }) => text))).toEqual(
      [1, 2, 3].map((n) => [`Sentence ${n} is said.`]),
    );
    expect(groups.map(({ translated, fit }) => [translated, fit])).toEqual(
      [1, 2, 3].map((n) => [`fr Sentence ${n} is said.`, 'fits']),
    );
    for (const [n, { start, free_space: free, tts_duration: seconds, duration }] of groups.entries()) {
      expect(Math.abs(start - (speeches[n]?.[0] ?? 0))).toBeLessThan(0.05);
      expect(free).toBeCloseTo(duration - seconds, 2);
      expect(seconds).toBeCloseTo(1.1, 1);
    }
    const { peaks: coded, perSecond } = (await studio.dub('peaks', { uuid })).data;
    const peaks = Buffer.from(coded, 'base64');
    // The last packet of sound reaches a little beyond the film.
    expect(Math.abs(peaks.length / perSecond - 14)).toBeLessThan(0.2);
    expect(peaks[2 * perSecond]).toBeGreaterThan((peaks[8 * perSecond] ?? 0) + 60);
    const { status, path } = await studio.exported(uuid);
    expect(status).toBe(200);
    const starts = loudIn(await soundOf(path)).map(([start]) => start);
    expect(starts).toHaveLength(3);
    for (const [n, start] of starts.entries()) expect(Math.abs(start - (speeches[n]?.[0] ?? 0))).toBeLessThan(0.1);
    const { streams } = await probeFilm(path);
    expect(streams.map(({ codec_type: type, codec_name: name }) => [type, name])).toEqual([
      ['video', 'h264'],
      ['audio', 'aac'],
      ['subtitle', 'mov_text'],
      ['subtitle', 'mov_text'],
    ]);
    expect(streams[0]?.nb_read_packets).toBe('350');
    expect(Math.abs(Number(streams[1]?.duration) - 14)).toBeLessThan(0.05);
  });
});
