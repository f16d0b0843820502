import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { freeUdpPort, UdpProxy } from '../fixtures/udp-proxy.fixture.ts';
import { Call, launchCallingBrowser } from '../fixtures/webrtc.fixture.ts';

interface StreamFacts {
  readonly name: string;
  readonly frames: number;
  readonly publish: { readonly active: boolean };
  readonly video: { readonly codec: string; readonly width: number } | null;
  readonly audio: { readonly codec: string } | null;
}

interface ClientFacts {
  readonly name: string;
  readonly type: string;
  readonly transport: Record<string, number>;
}

/** A server, a browser with a camera, and a road between them that can lose datagrams. */
export class RtcDesk {
  readonly live: Live;
  readonly browser: Browser;
  readonly road: UdpProxy;
  #calls: Call[] = [];

  private constructor(live: Live, browser: Browser, road: UdpProxy) {
    this.live = live;
    this.browser = browser;
    this.road = road;
  }

  static async start(env: Record<string, string> = {}): Promise<RtcDesk> {
    // Two ports that differ in their number of digits now and then: what clients are told is not what we listen on.
    const [behind, front] = [await freeUdpPort(), await freeUdpPort()];
    const road = await UdpProxy.open(front, { host: '127.0.0.1', port: behind });
    const ports = { WEIR_RTC_LISTEN: `127.0.0.1:${behind}`, RTC_PORT: String(front) };
    const [live, browser] = await Promise.all([Live.start({ ...ports, ...env }), launchCallingBrowser()]);
    return new RtcDesk(live, browser, road);
  }

  url(kind: 'whip' | 'whep', name: string, query = ''): string {
    return `${this.live.weir.origin}/rtc/v1/${kind}/?app=live&stream=${name}&eip=127.0.0.1${query}`;
  }

  async call(kind: 'whip' | 'whep', name: string, codec = '', query = ''): Promise<Call> {
    const isPublish = kind === 'whip';
    const address = this.url(kind, name, isPublish ? `&secret=${this.live.secret}` : query);
    const opened = await Call.open(this.browser, this.live.weir.origin, address, isPublish, { codec });
    this.#calls.push(opened);
    expect((await opened.answer()).status).toBe(201);
    return opened;
  }

  async publishByCamera(name: string): Promise<Call> {
    const publisher = await this.call('whip', name);
    await until(async () => (await this.streamNamed(name))?.video?.width === 640, 'pictures arrive');
    return publisher;
  }

  async streamNamed(name: string): Promise<StreamFacts | undefined> {
    return (await this.#list<StreamFacts>('streams')).find((stream) => stream.name === name);
  }

  async clientsOf(name: string): Promise<ClientFacts[]> {
    return (await this.#list<ClientFacts>('clients')).filter((client) => client.name === name);
  }

  setLoss(share: number): void {
    this.road.toServerLoss = share;
    this.road.toClientLoss = share;
  }

  /** Ends all calls, on a road that loses nothing. */
  async clear(): Promise<void> {
    this.setLoss(0);
    await Promise.all(this.#calls.splice(0).map(({ page }) => page.close()));
  }

  async close(): Promise<void> {
    await Promise.all([this.browser.close(), this.live.close()]);
    this.road.close();
  }

  async #list<T>(path: string): Promise<T[]> {
    const answer = (await this.live.post(`/api/v1/${path}?count=100`)) as unknown as Record<string, T[]>;
    return answer[path] ?? [];
  }
}
