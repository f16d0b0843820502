import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../../free-port.fixture.ts';
import { isAlive, ownConnection, until } from '../../weir.fixture.ts';
import { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { FrameViewer } from '../fixtures/frames.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { clipInput, makeClip, makeHeavyClip } from '../fixtures/record.fixture.ts';

const cleanUps: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function start(windowSeconds: number, env: Record<string, string> = {}): Promise<Live> {
  const live = await Live.start(env);
  cleanUps.push(() => live.close());
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  const saved = await live.post('/terraform/v1/hooks/rewind/save', { pattern: '/live/*', windowSeconds });
  expect(saved.code).toBe(0);
  return live;
}

async function text(url: string): Promise<string> {
  const response = await fetch(url, { headers: ownConnection });
  return response.status === 200 ? response.text() : '';
}

/** Reads the past of a stream as a player does: by its session, which outlives restarts. */
class PastReader {
  readonly #origin: string;
  readonly #path: string;
  #variant = '';

  constructor(origin: string, stream: string) {
    this.#origin = origin;
    this.#path = `/live/${stream}.dvr.m3u8`;
  }

  async read(): Promise<{ readonly first: number; readonly uris: readonly string[]; readonly playlist: string }> {
    if (this.#variant === '') {
      const master = await text(this.#origin + this.#path).catch(() => '');
      this.#variant = master.split('\n').find((line) => line.includes('hls_ctx=')) ?? '';
    }
    const playlist = this.#variant === '' ? '' : await text(`${this.#origin}/live/${this.#variant}`).catch(() => '');
    const uris = playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const first = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1] ?? Number.NaN);
    return { first, uris, playlist };
  }

  /** With at least this many pieces. While the engine is away there are none. */
  async until(pieces: number) {
    let read = await this.read();
    const isThere = async () => {
      read = await this.read();
      return read.uris.length >= pieces;
    };
    await until(isThere, `${pieces} pieces`);
    return read;
  }
}

it('F07: kill -9 of the server and the engine takes nothing from what viewers can go back to', async () => {
  const [http, rtmp] = [await freePort(), await freePort()];
  const env = { MGMT_LISTEN: `127.0.0.1:${http}`, WEIR_RTMP_LISTEN: `127.0.0.1:${rtmp}` };
  const live = await start(3600, env);
  const clip = makeClip(10);
  let isOver = false;
  let publisher: Publisher | undefined;
  const publishing = (async () => {
    while (!isOver) {
      publisher = new Publisher(live.publishUrl('show'), clipInput(clip, 100));
      await once(publisher.process, 'exit');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  cleanUps.push(async () => {
    isOver = true;
    await publisher?.stop('SIGKILL');
    await publishing;
  });
  const reader = new PastReader(`http://127.0.0.1:${http}`, 'show');
  await reader.until(1);
  let before = await reader.until(3);
  const discontinuities = ({ playlist }: { playlist: string }) => playlist.match(/EXT-X-DISCONTINUITY\n/g)?.length ?? 0;
  const expectKept = async () => {
    const after = await reader.until(before.uris.length + 2);
    expect(after.first).toBe(before.first);
    expect(after.uris.slice(0, before.uris.length)).toEqual(before.uris);
    for (const uri of after.uris) {
      const { status } = await fetch(`http://127.0.0.1:${http}/live/${uri}`, { headers: ownConnection });
      expect([uri, status]).toEqual([uri, 200]);
    }
    const more = discontinuities(after) - discontinuities(before);
    before = after;
    return more;
  };
  for (const plane of ['server', 'engine'] as const) {
    const pid = live.weir.pidOf(plane);
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid), `${plane} is gone`);
    // A new engine has a new publisher; a new server only finds what waited for it.
    const more = await expectKept();
    expect([plane, more > 0]).toEqual([plane, plane === 'engine']);
  }
}, 240_000);

it('F06: on a full disk what viewers can go back to becomes shorter, an alert says so, and live streams continue', async () => {
  const live = await start(120);
  const directory = join(live.weir.dataDir, 'rewind');
  mkdirSync(directory, { recursive: true });
  let isMounted = true;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'weir-test', directory], { stdio: 'pipe' });
    cleanUps.push(() => execFileSync('umount', ['-l', directory]));
  } catch {
    // Where the system does not let us, the free space that is to be kept stands for a small disk.
    isMounted = false;
    await live.post('/terraform/v1/hooks/record/storage', { floorBytes: 2 ** 50 });
  }
  const publisher = new Publisher(live.publishUrl('heavy'), clipInput(makeHeavyClip(4, 16), 200));
  cleanUps.push(() => publisher.stop('SIGKILL'));
  await until(() => live.isLive('heavy'), 'live');
  const viewer = FrameViewer.overFlv(live.weir.httpPort, '/live/heavy.flv');
  cleanUps.push(() => viewer.close());
  const query = async () => (await live.post('/terraform/v1/hooks/rewind/query')).data;
  await until(async () => (await query()).shortenedSince !== '', 'the window is shortened', 120_000);
  const { data: status } = await live.post('/terraform/v1/mgmt/status');
  expect(status.alerts.map(({ kind }: { kind: string }) => kind)).toContain('rewind-storage');
  if (isMounted) {
    const [{ from }] = (await query()).windows;
    await until(async () => (await query()).windows[0].from > from, 'the window moves on');
    expect((await query()).windows[0].bytes).toBeLessThan(32 * 2 ** 20);
  }
  const pictures = viewer.times.video.length;
  await until(() => viewer.times.video.length >= pictures + 50, 'two seconds more');
  expect(viewer.hasEnded).toBe(false);
}, 240_000);
