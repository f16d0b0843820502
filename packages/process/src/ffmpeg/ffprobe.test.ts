import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ffprobe } from './ffprobe.ts';

const folder = mkdtempSync(join(tmpdir(), 'weir-probe-'));
const film = join(folder, "it's -a film.mp4");
beforeAll(() => {
  const args = [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=64x64:rate=10',
    '-t',
    '1',
    '-pix_fmt',
    'yuv420p',
    film,
  ];
  execFileSync('ffmpeg', args);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('ffprobe', () => {
  it('reports the contents of a file', async () => {
    const answer = await ffprobe({ kind: 'file', path: film });
    expect(answer).toMatchObject({ ok: true, json: { streams: [{ codec_name: 'h264', width: 64 }] } });
  });

  it('gives the cause when there is nothing to read', async () => {
    const broken = join(folder, 'broken.mp4');
    writeFileSync(broken, 'no film');
    expect(await ffprobe({ kind: 'file', path: broken })).toMatchObject({ ok: false, cause: 'input-broken' });
    expect(await ffprobe({ kind: 'file', path: join(folder, 'none.mp4') })).toMatchObject({ cause: 'not-found' });
    expect(await ffprobe({ kind: 'live', url: 'rtmp://127.0.0.1:1/a/b' })).toMatchObject({
      cause: 'connection-refused',
    });
  });

  it('S15: opens no file that a list names', async () => {
    const list = join(folder, 'list.mp4');
    writeFileSync(list, '#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n');
    expect(await ffprobe({ kind: 'file', path: list })).toMatchObject({ ok: false });
  });

  it('S17: refuses pictures above 8K before they take memory', async () => {
    const large = join(folder, 'large.mp4');
    const picture = ['-f', 'lavfi', '-i', 'color=black:size=8192x8192', '-frames:v', '1', '-preset', 'ultrafast'];
    execFileSync('ffmpeg', ['-v', 'error', ...picture, '-pix_fmt', 'yuv420p', large]);
    const detail = expect.stringMatching(/^Picture size 8192x8192 exceeds/);
    expect(await ffprobe({ kind: 'file', path: large })).toMatchObject({ ok: false, cause: 'input-broken', detail });
  });

  it('stops after its time limit, and when the caller aborts', async () => {
    const mute = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
    await new Promise((resolve) => mute.once('listening', resolve));
    const address = mute.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const target = { kind: 'live', url: `rtmp://127.0.0.1:${port}/a/b` } as const;
    expect(await ffprobe(target, { limitMs: 300 })).toMatchObject({ ok: false, cause: 'timed-out' });
    const abort = new AbortController();
    const answer = ffprobe(target, { signal: abort.signal });
    abort.abort();
    expect(await answer).toMatchObject({ ok: false });
    await new Promise((resolve) => mute.close(resolve));
  });
});
