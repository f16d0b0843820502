import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { RecordingServer, within } from '../record-feature.fixture.ts';

const server = new RecordingServer();

describe('a recording', () => {
  it('cannot be deleted while it runs, and its deletion removes all of it and nothing else', async () => {
    const recording = await server.record('short', 1);
    const { uuid } = recording;
    const directory = server.path('record', uuid);
    expect(await server.call('remove', { uuid })).toMatchObject({ code: 1004 });
    await server.finish(recording);
    writeFileSync(join(directory, 'notes.txt'), 'of the owner');
    symlinkSync('/etc/hosts', join(directory, '00000000-0000-4000-8000-00000000ffff.ts'));
    expect(await server.call('remove', { uuid })).toMatchObject({ code: 0 });
    expect(readdirSync(directory)).toEqual(['notes.txt']);
    expect(existsSync('/etc/hosts')).toBe(true);
    expect(await server.list('short')).toEqual([]);
    for (const body of [{ uuid }, { uuid: '../mine' }, { uuid: 'x' }])
      expect(await server.call('remove', body)).toMatchObject({ code: 1003 });
    expect(await server.call('remove')).toMatchObject({ code: 1000 });
    expect(await server.call('end', { uuid })).toMatchObject({ code: 1003 });
  });

  it('that cannot be finished reports why, keeps its segments, and can be tried again', async () => {
    const recording = await server.record('broken', 1);
    const file = join(
      server.app.dataDir,
      'record',
      recording.uuid,
      readdirSync(server.path('record', recording.uuid)).find((name) => name.endsWith('.ts')) ?? '',
    );
    const good = readFileSync(file);
    writeFileSync(file, Buffer.alloc(good.length));
    await server.call('end', { uuid: recording.uuid });
    await vi.waitFor(
      async () => expect(await server.list('broken')).toMatchObject([{ failure: 'ffmpeg', tries: 1 }]),
      within,
    );
    const [failing] = await server.list('broken');
    expect(failing).toMatchObject({ state: 'finishing', progress: true });
    expect(failing?.error).not.toBe('');
    expect(failing?.nextTry).not.toBe('');
    writeFileSync(file, good);
    expect(await server.call('retry', { uuid: recording.uuid })).toMatchObject({ code: 0 });
    await vi.waitFor(
      async () => expect(await server.list('broken')).toMatchObject([{ state: 'done', error: '' }]),
      within,
    );
  });

  it('F02: becomes one film when its publishers had different formats', async () => {
    const wide = join(mkdtempSync(join(tmpdir(), 'weir-wide-')), 'wide.ts');
    // Video of another size, without audio.
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=200x90:rate=30',
      '-t',
      '2',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      '-f',
      'mpegts',
      wide,
    ]);
    await server.announce('mixed', 0);
    await server.announce('mixed', 10, readFileSync(wide));
    await server.announce('mixed', 20);
    const done = await server.finish(await server.recorded('mixed', 3));
    expect(done).toMatchObject({ state: 'done', error: '', discontinuities: 2 });
    const file = server.path('record', done.uuid, 'index.mp4');
    const probe = execFileSync('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=codec_name,width,height,duration',
      '-of',
      'json',
      file,
    ]);
    const { streams } = JSON.parse(String(probe));
    expect(streams).toMatchObject([{ codec_name: 'h264', width: 160, height: 90 }, { codec_name: 'aac' }]);
    for (const { duration } of streams) expect(Math.abs(Number(duration) - 6)).toBeLessThan(0.15);
    const asTimed = ['-fps_mode', 'passthrough', '-enc_time_base', '-1'];
    execFileSync('ffmpeg', ['-v', 'error', '-xerror', '-i', file, ...asTimed, '-f', 'null', '-']);
  });
});
