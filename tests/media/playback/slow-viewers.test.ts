import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamViewer } from '@weir/contract';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { FlvViewer, Live } from '../fixtures/live.fixture.ts';

let live: Live;
let publisher: Publisher;
beforeAll(async () => {
  live = await Live.start();
  publisher = new Publisher(live.publishUrl('show'));
  await until(() => live.isLive('show'), 'live');
});
afterAll(async () => {
  await publisher?.stop('SIGKILL');
  await live.close();
});

async function readViewers() {
  const asked = { app: 'live', stream: 'show', since: Date.now() };
  const { viewers, diagnosis } = (await live.post('/terraform/v1/mgmt/streams/detail', asked)).data;
  const of = (protocol: string) => (viewers as StreamViewer[]).filter((viewer) => viewer.protocol === protocol);
  return { of, issues: (diagnosis.issues as { id: string }[]).map(({ id }) => id) };
}

/** A player that stops reading when it is paused: what the server sends meanwhile waits in its system's memory. */
async function openFlv(): Promise<Socket> {
  const socket = connect(live.weir.httpPort, '127.0.0.1');
  socket.write('GET /live/show.flv HTTP/1.1\r\nHost: a\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  onTestFinished(() => void socket.destroy());
  return socket.resume();
}

/** A low-latency player with a connection of its own, which takes a part now and then: the newest, or one that is old already. */
function followLow(isSlow: boolean) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const over = new AbortController();
  const fetched = async (path: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    get({ host: '127.0.0.1', port: live.weir.httpPort, path, agent }, (answer) => resolve(text(answer))).once(
      'error',
      reject,
    );
    return promise;
  };
  const run = async () => {
    const [uri = ''] = /^show\.ll\.m3u8.*$/m.exec(await fetched('/live/show.ll.m3u8')) ?? [];
    while (!over.signal.aborted) {
      const playlist = await fetched(`/live/${uri}&_HLS_msn=1`);
      const parts = [...playlist.matchAll(/#EXT-X-PART:.*URI="([^"]+)"/g)].map(([, part]) => part);
      const part = parts.at(isSlow ? 0 : -1);
      if (part !== undefined) await fetched(`/live/${part}`);
      await sleep(300);
    }
  };
  const running = run().catch(() => undefined);
  const leave = async () => {
    over.abort();
    await running;
    agent.destroy();
  };
  onTestFinished(leave);
  return { leave };
}

it('the diagnosis names FLV viewers that do not read, and clears them once they have caught up', async () => {
  const quick = await Promise.all([0, 1].map(() => FlvViewer.open(live.http('show', '.flv'))));
  onTestFinished(() => {
    for (const viewer of quick) viewer.close();
  });
  const slow = await openFlv();
  await until(async () => (await readViewers()).of('flv').length === 3, 'three watch');
  slow.pause();
  // The quick ones are read in this process, which a busy machine lets wait, too.
  await until(async () => {
    const [late, ...others] = (await readViewers()).of('flv').filter(({ isSlow }) => isSlow);
    return late !== undefined && (late.behindMs ?? 0) > 2000 && others.length === 0;
  }, 'one is slow');
  await until(async () => (await readViewers()).issues.includes('viewers-behind'), 'it is said');
  await until(async () => {
    const { clients } = (await live.post('/api/v1/clients?count=100')) as unknown as {
      clients: { type: string; behind_ms: number; slow: boolean }[];
    };
    return clients.flatMap(({ type, slow: isSlow }) => (isSlow ? [type] : [])).join() === 'flv-play';
  }, 'the client is listed as slow');
  slow.resume();
  const isOver = async () => {
    const { of, issues } = await readViewers();
    return !of('flv').some(({ isSlow }) => isSlow) && !issues.includes('viewers-behind');
  };
  await until(isOver, 'nobody is slow any more');
});

it('the diagnosis names low-latency viewers that request old parts, and does not count those who left', async () => {
  const [quick, slow] = [followLow(false), followLow(true)];
  await until(async () => {
    const viewers = (await readViewers()).of('hls');
    const late = viewers.filter(({ isSlow }) => isSlow);
    return late.length === 1 && viewers.some(({ isSlow, behindMs }) => !isSlow && behindMs !== null && behindMs < 2000);
  }, 'one is slow');
  await until(async () => (await readViewers()).issues.includes('viewers-behind'), 'it is said');
  await slow.leave();
  const leftMs = Date.now();
  await until(async () => (await readViewers()).of('hls').length === 1, 'it is gone');
  expect(Date.now() - leftMs).toBeLessThan(20_000);
  await quick.leave();
  await until(async () => (await readViewers()).of('hls').length === 0, 'nobody watches');
});
