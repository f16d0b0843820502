import { existsSync } from 'node:fs';
import type { Recording } from '@weir/contract';
import { expect, it, vi } from 'vitest';
import { RecordingRow } from '../library/recording-repository.ts';
import { RecordingServer, within } from '../record-feature.fixture.ts';

const server = new RecordingServer('fmp4');
const dayMs = 24 * 3600_000;
const unlimited = { floorBytes: 0, quotaBytes: 0, atLimit: 'stop', keepDays: 0, keepBytes: 0, keepSegments: true };

const isThere = ({ uuid }: Recording) => existsSync(server.path('record', uuid));
const segmentsOf = (recording: Recording) => server.filesOf(recording).filter((name) => name.endsWith('.m4s'));
const initsOf = (recording: Recording) => server.filesOf(recording).filter((name) => name.startsWith('init-'));

/** The init section and every segment of its playlist are served. */
async function expectPlayable({ uuid }: Recording, segments: number): Promise<void> {
  const playlist = (await server.get((await server.call('sign', { uuid })).data.m3u8)).body;
  const [, init = ''] = /#EXT-X-MAP:URI="([^"]+)"/.exec(playlist) ?? [];
  const uris = [init, ...playlist.split('\n').filter((line) => line.startsWith('/'))];
  expect(uris).toHaveLength(segments + 1);
  for (const uri of uris) expect((await server.get(uri)).statusCode).toBe(200);
}

it('rules of age and size remove fMP4 recordings with their init sections, and never one that a segment still needs', async () => {
  await server.call('storage', unlimited);
  const rows = server.app.store.collection('recordings', RecordingRow);
  const kept: Recording[] = [];
  for (const stream of ['old', 'young']) {
    const done = await server.finish(await server.record(stream));
    await vi.waitFor(async () => expect((await rows.get(done.uuid))?.segmentsAre).toBe('kept'), within);
    expect([segmentsOf(done).length, initsOf(done).length]).toEqual([3, 1]);
    kept.push(done);
  }
  const [old, young] = kept as [Recording, Recording];
  const running = await server.record('running', 2);
  const row = (await rows.get(old.uuid)) as RecordingRow;
  await rows.put(old.uuid, { ...row, endedAtMs: row.endedAtMs - 2 * dayMs });

  await server.call('storage', { ...unlimited, keepDays: 1 });
  await vi.waitFor(() => expect(isThere(old)).toBe(false), within);
  await expectPlayable(young, 3);

  await server.call('storage', { ...unlimited, keepBytes: 1 });
  await vi.waitFor(() => expect(isThere(young)).toBe(false), within);
  expect([segmentsOf(running).length, initsOf(running).length]).toEqual([2, 1]);

  await server.call('storage', { ...unlimited, keepSegments: false });
  const done = await server.finish(running);
  await vi.waitFor(() => expect([...segmentsOf(done), ...initsOf(done)]).toEqual([]), within);
  await expectPlayable(done, 2);
});
