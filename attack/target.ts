import { request } from 'node:http';
import { badSteps, FrameViewer } from '../tests/media/fixtures/frames.fixture.ts';
import { Live } from '../tests/media/fixtures/live.fixture.ts';
import { SyntheticPublisher } from '../tests/media/fixtures/synthetic-publisher.fixture.ts';
import { until, workersOf } from '../tests/weir.fixture.ts';
import { type Attack, holds } from './attack.ts';
import { MemoryWatch } from './memory-watch.ts';

/** No plane needs this much for anything here. */
const limitMb = 700;
const planes = ['engine', 'server'] as const;
/** Processes of the engine's, begun when somebody calls. What one takes for itself, and room for those who are there. */
const workers = ['srt', 'rtc'] as const;
const workerMb = 250;
const checkEveryMs = 200;

/** A whole product with one honest stream and one honest viewer, who must notice nothing. */
export class Target {
  readonly live: Live;
  readonly #publisher: SyntheticPublisher;
  readonly #viewer: FrameViewer;
  readonly #pids: Record<string, number>;
  readonly #memory: MemoryWatch;
  /** Workers seen so far. */
  readonly #workers = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  private constructor(live: Live, publisher: SyntheticPublisher, viewer: FrameViewer) {
    this.live = live;
    this.#publisher = publisher;
    this.#viewer = viewer;
    this.#pids = Object.fromEntries(planes.map((plane) => [plane, live.weir.pidOf(plane)]));
    this.#memory = new MemoryWatch(
      planes.map((name) => ({ name, pid: live.weir.pidOf(name) })),
      limitMb,
    );
    this.#timer = setInterval(() => this.#check(), checkEveryMs);
  }

  static async start(env: Record<string, string> = {}): Promise<Target> {
    const live = await Live.start(env);
    const { rtmpPort, httpPort } = live.weir;
    const name = `honest?secret=${live.secret}`;
    const publisher = await SyntheticPublisher.start({ port: rtmpPort, name, kbps: 500 });
    await until(() => live.isLive('honest'), 'the honest stream is live');
    const viewer = FrameViewer.overFlv(httpPort, '/live/honest.flv');
    await until(() => viewer.times.video.length > 50, 'the honest viewer watches');
    return new Target(live, publisher, viewer);
  }

  /** Sends a request from a chosen address of this machine; returns status and text. */
  sendRequest(
    path: string,
    { method = 'GET', from = '127.0.0.1', headers = {}, body = '' }: RequestOptions = {},
  ): Promise<Said> {
    return new Promise((resolve, reject) => {
      const address = { host: '127.0.0.1', port: this.live.weir.httpPort, localAddress: from };
      const outgoing = request({ ...address, path, method, headers, agent: false }, async (response) => {
        let text = '';
        for await (const chunk of response) text += String(chunk);
        resolve({ status: response.statusCode ?? 0, text });
      });
      outgoing.setTimeout(30_000, () => outgoing.destroy(new Error('no answer within 30 s')));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /** Takes an address as the source of a virtual live slot, so that ffprobe looks at it. */
  async probeSource(url: string): Promise<void> {
    const { data } = await this.live.post('/terraform/v1/ffmpeg/vlive/stream-url', { url });
    const files = [{ uuid: data?.uuid }];
    if (data?.uuid) await this.live.post('/terraform/v1/ffmpeg/vlive/source', { platform: 'wx', files });
  }

  /** Checks the invariants after every attack; returns the growth of both planes in words. */
  async check({ growthMb }: Pick<Attack, 'growthMb'>): Promise<string> {
    const { live } = this;
    holds(this.#memory.overrun === undefined, this.#memory.overrun ?? '');
    const growth = planes.map((plane) => ({ plane, mb: this.#memory.growthOf(plane) }));
    for (const { plane, mb } of growth) {
      holds(live.weir.hasPlane(plane) && live.weir.pidOf(plane) === this.#pids[plane], `the ${plane} ended`);
      holds(mb <= growthMb, `the ${plane} grew by ${mb} MB, more than ${growthMb}`);
    }
    const held = [...this.#workers].map(([name, pid]) => ({ name, pid, mb: this.#memory.peakOf(name) }));
    for (const { name, pid, mb } of held) {
      holds(this.#isThere(pid), `the process of ${name} ended`);
      holds(mb <= workerMb, `the process of ${name} took ${mb} MB, more than ${workerMb}`);
    }
    const { status } = await this.sendRequest('/terraform/v1/mgmt/versions');
    holds(status === 200, `the front door answers ${status}`);
    const seen = this.#viewer.times.video.length;
    await until(() => this.#viewer.times.video.length > seen + 25, 'the honest viewer still watches');
    const gaps = badSteps(this.#viewer.times.video, 1, 41);
    holds(gaps.length === 0, `the honest viewer lost frames ${gaps.length} times`);
    return [
      ...growth.map(({ plane, mb }) => `${plane} +${mb} MB`),
      ...held.map(({ name, mb }) => `${name} ${mb} MB`),
    ].join(', ');
  }

  #isThere(pid: number): boolean {
    return workers.some((name) => workersOf(this.live.weir.pidOf('engine'), name).includes(pid));
  }

  #check(): void {
    if (!this.live.weir.hasPlane('engine')) return;
    for (const name of workers) {
      const [pid] = workersOf(this.live.weir.pidOf('engine'), name);
      if (pid === undefined || this.#workers.has(name)) continue;
      this.#workers.set(name, pid);
      this.#memory.add({ name, pid });
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#memory.close();
    this.#viewer.close();
    this.#publisher.close();
    await this.live.close();
  }
}

interface RequestOptions {
  readonly method?: string;
  readonly from?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Said {
  readonly status: number;
  readonly text: string;
}
