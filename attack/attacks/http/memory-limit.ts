import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { SyntheticPublisher } from '../../../tests/media/fixtures/synthetic-publisher.fixture.ts';
import { until } from '../../../tests/weir.fixture.ts';
import { type Attack, holds } from '../../attack.ts';
import { RtmpPeer } from '../../rtmp-peer.ts';
import type { Target } from '../../target.ts';
import type { SilentViewers } from './silent-viewers.ts';

const limitMb = 240;
const waves = 3;
const perWave = 250;
const kbps = 10_000;
const name = 'large';

/** Megabytes of a process and all its descendants that the kernel cannot drop: no pages of program files. */
function familyMb(pid: number): number {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    const [, kilobytes = '0'] = /^Pss_Anon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return children.reduce((sum, child) => sum + familyMb(child), Number(kilobytes) / 1024);
  } catch {
    return 0;
  }
}

/** Requests a stream; resolves to the head of the answer and leaves. */
function watch({ live }: Target, path: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port: live.weir.httpPort, host: '127.0.0.1' });
    socket.on('error', () => resolve(''));
    socket.once('data', (chunk) => {
      socket.destroy();
      resolve(chunk.toString('latin1', 0, 1000));
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  });
}

export const fullMemory: Attack = {
  id: 'S18',
  title: `a server with ${limitMb} MB: up to ${waves * perWave} clients over HTTPS that never read, until newcomers are refused`,
  growthMb: limitMb,
  env: { WEIR_MEMORY_LIMIT: String(limitMb) },
  async run(target) {
    const { live } = target;
    const { httpsPort: port, rtmpPort } = live.weir;
    const publisher = await SyntheticPublisher.start({ port: rtmpPort, name: `${name}?secret=${live.secret}`, kbps });
    await until(() => live.isLive(name), 'the large stream is live');
    let peakMb = 0;
    const timer = setInterval(() => {
      peakMb = Math.max(peakMb, familyMb(live.weir.process.pid ?? 0));
    }, 100);
    const threads: Worker[] = [];
    const isFull = async () => (await watch(target, `/live/${name}.flv`)).startsWith('HTTP/1.1 503');
    try {
      let openedAtRefusal = 0;
      for (let wave = 0; wave < waves; wave += 1) {
        const addresses = Array.from({ length: 8 }, (_, n) => `127.${50 + wave}.${n}.1`);
        const path = `/live/${name}.flv`;
        const workerData: SilentViewers = { port, isSecure: true, path, count: perWave, addresses };
        const thread = new Worker(new URL('./silent-viewers.ts', import.meta.url), { workerData });
        threads.push(thread);
        await once(thread, 'message');
        if (openedAtRefusal === 0 && (await isFull())) openedAtRefusal = (wave + 1) * perWave;
      }
      await until(isFull, 'a new viewer is refused', 20_000);
      const answer = await watch(target, '/live/honest.m3u8');
      holds(/^HTTP\/1\.1 503.*low on memory/s.test(answer), `a new viewer of HLS is answered ${answer.slice(0, 60)}`);
      const peer = new RtmpPeer({ port: rtmpPort, mode: 'publish', name: `new?secret=${live.secret}` });
      await peer.begun();
      holds(JSON.stringify(peer.events).includes('low on memory'), 'a new publisher is not refused for want of memory');
      peer.close();
      for (const thread of threads.splice(0)) await thread.terminate();
      await until(async () => !(await isFull()), 'newcomers are admitted again', 40_000);
      holds(peakMb < limitMb, `all processes together took ${Math.round(peakMb)} MB`);
      const when = openedAtRefusal === 0 ? 'in the end' : `from ${openedAtRefusal} clients on`;
      return `newcomers were refused ${when} and admitted later; at most ${Math.round(peakMb)} MB in all`;
    } finally {
      clearInterval(timer);
      for (const thread of threads) await thread.terminate();
      publisher.close();
    }
  },
};
