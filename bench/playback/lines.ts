import { setTimeout as sleep } from 'node:timers/promises';
import type { Publisher } from '../../tests/media/fixtures/ffmpeg.fixture.ts';
import { TcpLine } from '../../tests/media/fixtures/line/tcp-line.fixture.ts';
import { UdpLine } from '../../tests/media/fixtures/line/udp-line.fixture.ts';
import { publishByWhip, publishClip } from '../../tests/media/fixtures/viewer/broadcast.fixture.ts';
import { playerKinds, Viewer } from '../../tests/media/fixtures/viewer/viewer.fixture.ts';
import { until } from '../../tests/weir.fixture.ts';
import { DecodedFrames } from './decoded-frames.ts';
import { lineKinds, type MediaLine, usualLine, usualRate } from './line-kinds.ts';
import { hasSegments, type Measurement, openStage, round, type Stage } from './stage.ts';

const media = { sampleRate: 48_000, hasBFrames: false } as const;

/** Observed viewer: one behind a line, or one who watches a publisher behind a line. */
interface Watched extends MediaLine {
  readonly protocol: string;
  begin(): Promise<void>;
  report(): Promise<object>;
  close(): Promise<void>;
}

function watchedPage(protocol: string, line: MediaLine, viewer: Viewer, end?: () => Promise<unknown>): Watched {
  return {
    ...line,
    protocol,
    begin: () => viewer.begin(),
    async report() {
      const { frames, freezes, frozenMs, longestGapMs, rtc } = await viewer.report();
      return {
        ...figures({ frames, freezes, frozenMs, longestGapMs }),
        concealed: rtc && round(rtc.concealedShare * 100),
      };
    },
    async close() {
      await Promise.all([viewer.close(), end?.()]);
      line.line.close();
    },
  };
}

function figures(report: { frames: number; freezes: number; frozenMs: number; longestGapMs: number }): object {
  const { frames, freezes, frozenMs, longestGapMs } = report;
  return { frames, freezes, frozenSeconds: round(frozenMs / 1000), longestSeconds: round(longestGapMs / 1000) };
}

/** Viewers by every protocol, each behind a line of its own. */
async function openViewers({ live, browser, rtcPort }: Stage): Promise<Watched[]> {
  const { origin, rtmpPort, srtPort, httpPort } = live.weir;
  const source = publishClip('rtmp', 'show', media, { rtmpPort, srtPort, secret: live.secret });
  await until(() => hasSegments(live, 'show'), 'it has segments', 60_000);
  const pages = playerKinds.map(async (kind) => {
    const isRtc = kind === 'whep';
    const line = isRtc ? await UdpLine.open({ port: rtcPort }) : await TcpLine.open({ port: httpPort });
    const where = isRtc
      ? { origin, name: 'show', rtcPort: line.port }
      : { origin: `http://127.0.0.1:${line.port}`, name: 'show' };
    const viewer = await Viewer.open(browser, kind, where);
    await viewer.plays(3);
    return watchedPage(kind, { line, to: 'client' }, viewer, isRtc ? () => source.stop('SIGKILL') : undefined);
  });
  const players = (['rtmp', 'srt'] as const).map(async (protocol): Promise<Watched> => {
    const line = protocol === 'rtmp' ? await TcpLine.open({ port: rtmpPort }) : await UdpLine.open({ port: srtPort });
    const url =
      protocol === 'rtmp'
        ? `rtmp://127.0.0.1:${line.port}/live/show`
        : `srt://127.0.0.1:${line.port}?streamid=#!::r=live/show,m=request`;
    const decoded = new DecodedFrames(url);
    await until(() => decoded.frames > 25, `${protocol} plays`, 30_000);
    let sinceMs = 0;
    return {
      protocol,
      line,
      to: 'client',
      begin: async () => {
        sinceMs = performance.now();
      },
      report: async () => figures(decoded.report(sinceMs, 40)),
      close: async () => {
        decoded.stop();
        line.close();
      },
    };
  });
  return Promise.all([...pages, ...players]);
}

/** An encoder that connects again a second after it lost its connection, as OBS does. */
function persistentEncoder(start: () => Publisher): () => Promise<void> {
  let publisher = start();
  let isOver = false;
  const follow = async () => {
    while (!isOver) {
      await until(() => isOver || publisher.hasEnded, 'it ends', 600_000);
      await sleep(1000);
      if (!isOver) publisher = start();
    }
  };
  void follow();
  return async () => {
    isOver = true;
    await publisher.stop('SIGKILL');
  };
}

/** Publishers by every protocol, each behind a line of its own, watched over WebRTC on a good one: no buffer of a player hides a gap. */
async function openPublishers({ live, browser, rtcPort }: Stage): Promise<Watched[]> {
  const { origin, rtmpPort, srtPort } = live.weir;
  const { secret } = live;
  const open = async (protocol: 'rtmp' | 'srt' | 'whip') => {
    const port = { rtmp: rtmpPort, srt: srtPort, whip: rtcPort }[protocol];
    const line = protocol === 'rtmp' ? await TcpLine.open({ port }) : await UdpLine.open({ port });
    let end: () => Promise<unknown>;
    if (protocol === 'whip') {
      const page = await publishByWhip(browser, { origin, secret, rtcPort: line.port }, protocol);
      end = () => page.close();
    } else {
      const to = { rtmpPort: line.port, srtPort: line.port, secret };
      end = persistentEncoder(() => publishClip(protocol, protocol, media, to));
    }
    await until(() => live.isLive(protocol), `${protocol} is live`, 30_000);
    const viewer = await Viewer.open(browser, 'whep', { origin, name: protocol });
    await viewer.plays(3);
    return watchedPage(protocol, { line, to: 'server' }, viewer, end);
  };
  return Promise.all((['rtmp', 'srt', 'whip'] as const).map(open));
}

const sides = { viewers: openViewers, publishers: openPublishers };

export async function measureLines({ wanted, tell, tree, seconds = 20 }: Measurement): Promise<void> {
  const isWanted = (name: string, all: object) =>
    wanted.includes(name) || !Object.keys(all).some((one) => wanted.includes(one));
  for (const [side, open] of Object.entries(sides).filter(([name]) => isWanted(name, sides))) {
    for (const [kind, { lasting, event }] of Object.entries(lineKinds).filter(([name]) => isWanted(name, lineKinds))) {
      const stage = await openStage(tree);
      try {
        const watched = await open(stage);
        for (const { line } of watched) line.set(usualLine);
        const rates = await Promise.all(watched.map((one) => usualRate(one, 4)));
        if (lasting) for (const { line } of watched) line.set(lasting);
        if (lasting) await sleep(3000);
        await Promise.all(watched.map((one) => one.begin()));
        await Promise.all([sleep(seconds * 1000), ...watched.map((one, index) => event?.(one, rates[index] ?? 0))]);
        for (const [index, one] of watched.entries()) {
          const usualKbps = round((rates[index] ?? 0) / 1000, 0);
          tell({ side, line: kind, protocol: one.protocol, usualKbps, ...(await one.report()) });
        }
        await Promise.all(watched.map((one) => one.close()));
      } finally {
        await stage.close();
      }
    }
  }
}
