import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { childrenOf } from '../weir.fixture.ts';
import { FlvViewer, Live } from './fixtures/live.fixture.ts';
import { Recordings } from './fixtures/record.fixture.ts';
import { SyntheticPublisher } from './fixtures/synthetic-publisher.fixture.ts';

const streams = 5;
const kbps = 4000;
const viewers: FlvViewer[] = [];
const silent: Socket[] = [];
const publishers: SyntheticPublisher[] = [];
let live: Live;

beforeAll(async () => {
  live = await Live.start();
  await new Recordings(live).start();
  for (let n = 0; n < streams; n++) {
    const name = `s${n}?secret=${live.secret}`;
    publishers.push(await SyntheticPublisher.start({ port: live.weir.rtmpPort, name, kbps }));
  }
});
afterAll(async () => {
  for (const socket of silent) socket.destroy();
  for (const viewer of viewers) viewer.close();
  for (const publisher of publishers) publisher.close();
  await live.close();
});

/** Memory of all processes of the product, pages that they share counted once, as a container counts them. */
function treeMb(pid = live.weir.process.pid ?? 0): number {
  const [, kb = '0'] = /^Pss:\s+(\d+) kB$/m.exec(readMap(pid)) ?? [];
  return childrenOf(pid).reduce((sum, child) => sum + treeMb(child), Number(kb) / 1024);
}

/** Empty for a program that ended after it was listed. */
function readMap(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  } catch {
    return '';
  }
}

it('S18: 5 recorded streams, 100 viewers and 400 that never read fit into a container of 512 MB', async () => {
  for (let n = 0; n < 100; n++) viewers.push(await FlvViewer.open(live.http(`s${n % streams}`, '.flv')));
  for (let n = 0; n < 400; n++) {
    const from = { host: '127.0.0.1', localAddress: `127.${1 + (n % 50)}.0.9` };
    const socket = connect({ port: live.weir.httpPort, ...from }).on('error', () => undefined);
    socket.pause().write(`GET /live/s${n % streams}.flv HTTP/1.1\r\nHost: x\r\n\r\n`);
    silent.push(socket);
  }
  const peaks: number[] = [];
  for (let n = 0; n < 15; n++) {
    await sleep(1000);
    peaks.push(Math.round(treeMb()));
  }
  expect(Math.max(...peaks)).toBeLessThan(400);
  const seen = viewers.map(({ bytes }) => bytes);
  await sleep(2000);
  expect(viewers.filter(({ bytes }, at) => bytes > (seen[at] ?? 0))).toHaveLength(100);
  expect(live.weir.records('process exited, restarting it')).toEqual([]);
});
