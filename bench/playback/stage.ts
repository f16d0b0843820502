import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { Live } from '../../tests/media/fixtures/live.fixture.ts';
import { freeUdpPort } from '../../tests/media/fixtures/udp-proxy.fixture.ts';
import { launchViewers } from '../../tests/media/fixtures/viewer/viewer.fixture.ts';

/** Input of a measurement. */
export interface Measurement {
  /** Names of what to measure; all without any. */
  readonly wanted: readonly string[];
  readonly tell: (row: object) => void;
  readonly tree: string | undefined;
  readonly seconds: number | undefined;
}

/** A whole product and a browser for its viewers. */
export interface Stage {
  readonly live: Live;
  readonly browser: Browser;
  readonly rtcPort: number;
  close(): Promise<void>;
}

export async function openStage(tree: string | undefined): Promise<Stage> {
  const rtcPort = await freeUdpPort();
  const env = { WEIR_RTC_LISTEN: `127.0.0.1:${rtcPort}`, RTC_PORT: String(rtcPort) };
  const entry = tree === undefined ? undefined : join(tree, 'apps/weir/src/main.ts');
  const [live, browser] = await Promise.all([Live.start(env, entry), launchViewers()]);
  // Segments of two seconds: HLS has enough of them soon.
  await live.post('/terraform/v1/mgmt/hlsll/update', { hlsLowLatency: true });
  return {
    live,
    browser,
    rtcPort,
    async close() {
      await Promise.all([browser.close(), live.close()]);
    },
  };
}

export const round = (value: number, digits = 1) => Math.round(value * 10 ** digits) / 10 ** digits;

/** True if there is enough of a stream for HLS players. */
export async function hasSegments(live: Live, name: string, suffix = '.m3u8'): Promise<boolean> {
  const url = live.http(name, suffix);
  const master = await (await fetch(url)).text();
  const media = /^[^#].*\.m3u8\S*$/m.exec(master)?.[0];
  const text = media === undefined ? master : await (await fetch(new URL(media, url))).text();
  return (text.match(/#EXTINF/g)?.length ?? 0) >= 4;
}
