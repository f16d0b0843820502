import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { floods } from '../../../apps/engine/src/front-door/http2/floods.fixture.ts';
import { getFrame, RawHttp2 } from '../../../apps/engine/src/front-door/http2/raw-http2.fixture.ts';
import { SyntheticPublisher } from '../../../tests/media/fixtures/synthetic-publisher.fixture.ts';
import { until } from '../../../tests/weir.fixture.ts';
import { type Attack, holds } from '../../attack.ts';

const attackers = 20;
const mostBytes = 16 * 1024 * 1024;
const addresses = ['127.50.0.1', '127.51.0.1'];
const longestWaitMs = 1000;

/** A client that sends a request every 50 ms and knows how long the slowest answer took. */
class Honest {
  readonly #session: ClientHttp2Session;
  #isOver = false;
  #slowestMs = 0;
  #count = 0;
  readonly #done: Promise<void>;

  constructor(port: number) {
    this.#session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
    this.#session.on('error', () => undefined);
    this.#done = this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#isOver && !this.#session.destroyed) {
      const beganMs = performance.now();
      const stream = this.#session.request({ ':path': '/terraform/v1/mgmt/versions' });
      stream.resume();
      await once(stream, 'close');
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - beganMs);
      this.#count += 1;
      await sleep(50);
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  async seen(): Promise<string> {
    this.stop();
    await this.#done;
    const isOpen = !this.#session.destroyed;
    this.#session.destroy();
    holds(isOpen, 'the connection of an honest client ended');
    holds(this.#slowestMs < longestWaitMs, `an honest client waited ${Math.round(this.#slowestMs)} ms`);
    return `${this.#count} requests of an honest client took ${Math.round(this.#slowestMs)} ms at most`;
  }
}

/** Ends with how many bytes it took until the server ended the connection. A client that goes on writing may see a reset before the reason. */
async function attempt(
  port: number,
  flood: (typeof floods)[number],
  address: string | undefined,
): Promise<{ sent: number; isTold: boolean }> {
  const client = await RawHttp2.connect(port, [], address);
  client.send(...(flood.before ?? []));
  const sent = await client.flood(flood.bytes, mostBytes);
  holds(sent < mostBytes, `${flood.title}: nobody ended the connection`);
  if (!client.socket.destroyed) await Promise.race([once(client.socket, 'close'), sleep(10_000)]);
  holds(client.socket.destroyed, `${flood.title}: the connection stays open`);
  const { goaway } = client;
  holds(goaway === undefined || flood.codes.includes(goaway), `${flood.title}: ended with code ${goaway}`);
  return { sent, isTold: goaway !== undefined };
}

export const http2Floods: Attack = {
  id: 'S51',
  title: `${floods.length} kinds of floods over HTTP/2, each on ${attackers} connections at once`,
  growthMb: 200,
  async run({ live }) {
    const { httpsPort: port } = live.weir;
    const honest = new Honest(port);
    const ended: { sent: number; isTold: boolean }[] = [];
    try {
      for (const flood of floods) {
        const each = Array.from({ length: attackers }, (_, index) =>
          attempt(port, flood, addresses[index % addresses.length]),
        );
        ended.push(...(await Promise.all(each)));
      }
    } finally {
      honest.stop();
    }
    const told = ended.filter(({ isTold }) => isTold).length;
    holds(told > ended.length / 2, `only ${told} of ${ended.length} connections ended with an error`);
    const most = Math.max(...ended.map(({ sent }) => sent));
    return `${ended.length} connections ended within ${(most / 1e6).toFixed(1)} MB, ${told} saw why; ${await honest.seen()}`;
  },
};

const silent = 100;
const perConnection = 64;

/** Half of them have no window and half have the largest and do not read. */
export const http2Silent: Attack = {
  id: 'S51',
  title: `${silent} connections by HTTP/2 that request ${perConnection} segments each and take nothing`,
  growthMb: 300,
  async run({ live }) {
    const { httpsPort: port, rtmpPort } = live.weir;
    const publisher = await SyntheticPublisher.start({
      port: rtmpPort,
      name: `large?secret=${live.secret}`,
      kbps: 10_000,
    });
    let segment = '';
    await until(
      async () => {
        const answer = await fetch(live.http('large', '.m3u8?hls_ctx=0123456789abcdef'));
        segment = /^\S+\.ts\S*$/m.exec(await answer.text())?.[0] ?? '';
        return segment !== '';
      },
      'the large stream has a segment',
      40_000,
    );
    const honest = new Honest(port);
    const clients: RawHttp2[] = [];
    for (let index = 0; index < silent; index++) {
      const window = index % 2 === 0 ? 0 : 2 ** 31 - 1;
      const client = await RawHttp2.connect(port, [[4, window]], addresses[index % addresses.length]);
      if (window > 0) client.socket.pause();
      for (let stream = 1; stream < 2 * perConnection; stream += 2) client.send(getFrame(stream, `/live/${segment}`));
      clients.push(client);
    }
    await sleep(5000);
    await until(
      () =>
        clients.every(({ socket, resets }) => socket.destroyed || socket.isPaused() || resets.length >= perConnection),
      'those without a window lose their requests',
      60_000,
    ).finally(() => honest.stop());
    const seen = await honest.seen();
    for (const { socket } of clients) socket.destroy();
    publisher.close();
    return seen;
  },
};
