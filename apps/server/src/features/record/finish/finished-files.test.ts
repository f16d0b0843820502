import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { RecordingRow } from '../library/recording-repository.ts';
import { RecordingServer, within } from '../record-feature.fixture.ts';

const server = new RecordingServer();

/** Decoded frames of a file: their number and a checksum. */
function framesIn(file: string): string[] {
  const args = ['-v', 'error', '-xerror', '-i', file, '-map', '0:v', '-f', 'framemd5', '-'];
  return String(execFileSync('ffmpeg', args))
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => line.split(',').at(-1)?.trim() ?? '');
}

describe('a recording that ended', () => {
  it('becomes a file and a copy, and its end is reported when both exist', async () => {
    mkdirSync(server.path('mine'));
    await server.call('post-processing', { postProcess: 'post-cp-file', postCpDir: '/data/mine' });
    const recording = await server.record('whole');
    expect(recording).toMatchObject({
      app: 'live',
      progress: true,
      state: 'recording',
      duration: 6,
      discontinuities: 0,
    });
    const done = await server.finish(recording);
    const copy = server.path('mine', `${done.uuid}.mp4`);
    expect(done).toMatchObject({ state: 'done', copy, failure: '', error: '', thumbnail: true, lost: 0 });
    const file = server.path('record', done.uuid, 'index.mp4');
    expect(readFileSync(copy)).toEqual(readFileSync(file));
    expect(readdirSync(server.path('mine'))).toEqual([`${done.uuid}.mp4`]);
    await vi.waitFor(() => expect(server.ended).toMatchObject([{ uuid: done.uuid, isDone: true, path: file }]));
    expect(readdirSync(server.path('segments'))).toEqual([]);
    await vi.waitFor(
      () => expect(server.filesOf(done).sort()).toEqual(['index.jpg', 'index.mp4', 'segments.log']),
      within,
    );
    await server.call('post-processing', { postProcess: 'post-cp-file', postCpDir: '' });
  });

  it('takes no more disk than its file once that is verified, and its playlist plays the same from the file', async () => {
    const done = await server.finish(await server.record('lean'));
    const bytesOnDisk = () =>
      server.filesOf(done).reduce((sum, name) => sum + statSync(server.path('record', done.uuid, name)).size, 0);
    await vi.waitFor(
      () => expect(server.filesOf(done)).not.toContainEqual(expect.stringMatching(/\.(ts|m3u8)$/)),
      within,
    );
    await vi.waitFor(async () => expect((await server.list('lean'))[0]?.totalBytes).toBe(bytesOnDisk()), within);
    expect(await server.list('lean')).toMatchObject([{ ...done, size: done.mp4Bytes, totalBytes: bytesOnDisk() }]);
    const { m3u8 } = (await server.call('sign', { uuid: done.uuid })).data;
    const playlist = (await server.get(m3u8)).body;
    expect(playlist).toContain('#EXT-X-ENDLIST');
    expect(playlist.match(/#EXTINF:2\.0\d\d,/g)).toHaveLength(3);
    const uris = playlist.split('\n').filter((line) => line.startsWith('/'));
    const logged = readFileSync(server.path('record', done.uuid, 'segments.log'), 'utf8');
    for (const uri of uris) expect(logged).toContain(/([0-9a-f-]{36})\.ts\?/.exec(uri)?.[1]);
    const parts = await Promise.all(uris.map((uri) => server.get(uri)));
    for (const { headers } of parts) expect(headers['content-type']).toBe('video/mp2t');
    const folder = mkdtempSync(join(tmpdir(), 'weir-again-'));
    for (const [index, { rawPayload }] of parts.entries()) writeFileSync(join(folder, `${index}.ts`), rawPayload);
    writeFileSync(
      join(folder, 'x.m3u8'),
      uris.reduce((text, uri, index) => text.replace(uri, `${index}.ts`), playlist),
    );
    expect(framesIn(join(folder, 'x.m3u8'))).toEqual(framesIn(server.path('record', done.uuid, 'index.mp4')));
    const [first = ''] = uris;
    const whole = parts[0]?.rawPayload ?? Buffer.alloc(0);
    const part = await server.get(first, { range: 'bytes=188-375' });
    expect([part.statusCode, part.rawPayload]).toEqual([206, whole.subarray(188, 376)]);
    const head = await server.get(first, {}, 'HEAD');
    expect([head.statusCode, Number(head.headers['content-length'])]).toEqual([200, whole.length]);
    const stranger = first.replace(/[0-9a-f-]{36}\.ts/, '00000000-0000-4000-8000-00000000fffe.ts');
    expect((await server.get(stranger)).statusCode).toBe(404);
  });

  it('keeps its segments where that is set, and while a player reads them', async () => {
    const rule = { floorBytes: 0, quotaBytes: 0, atLimit: 'stop', keepDays: 0, keepBytes: 0 };
    expect(await server.call('storage', { ...rule, keepSegments: true })).toMatchObject({ code: 0 });
    expect((await server.call('query')).data.rule.keepSegments).toBe(true);
    const kept = await server.finish(await server.record('kept'));
    // Decided a moment after it is finished, by the rule of that moment.
    const rows = server.app.store.collection('recordings', RecordingRow);
    await vi.waitFor(async () => expect((await rows.get(kept.uuid))?.segmentsAre).toBe('kept'), within);
    await server.call('storage', rule);
    const running = await server.record('played');
    const { m3u8 } = (await server.call('sign', { uuid: running.uuid })).data;
    expect((await server.get(m3u8)).statusCode).toBe(200);
    const played = await server.finish(running);
    const later = await server.finish(await server.record('later'));
    await vi.waitFor(() => expect(server.filesOf(later)).not.toContain('index.m3u8'), within);
    for (const recording of [kept, played]) {
      expect(server.filesOf(recording).filter((name) => name.endsWith('.ts'))).toHaveLength(3);
      const [{ totalBytes, size, mp4Bytes } = recording] = await server.list(recording.stream);
      expect(totalBytes).toBeGreaterThan(size + mp4Bytes);
    }
  });
});
