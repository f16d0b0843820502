import { setTimeout as sleep } from 'node:timers/promises';
import type { MediaFrame } from '@weir/media';
import { madeOnce } from '../../../../../tests/made-once.fixture.ts';
import { UdpLine } from '../../../../../tests/media/fixtures/line/udp-line.fixture.ts';
import { Admission } from '../../hub/clients/admission.ts';
import type { Gate } from '../../hub/clients/gate.ts';
import { Hub } from '../../hub/hub.ts';
import { quietLog } from '../../quiet-log.fixture.ts';
import { SrtServer } from './srt-server.ts';

export const framesPerSecond = 25;
const log = quietLog.child({}, { level: 'fatal' });

/** File of half a minute: a megabit per second of video, and a tone. `group`: frames from keyframe to keyframe. */
export function srtClip(group: number): string {
  const rate = ['-b:v', '950k', '-maxrate', '950k', '-bufsize', '950k'];
  const x264 = [
    '-preset',
    'ultrafast',
    '-tune',
    'zerolatency',
    '-x264-params',
    'sliced-threads=0',
    '-g',
    String(group),
  ];
  const video = ['-f', 'lavfi', '-i', `testsrc2=size=640x360:rate=${framesPerSecond}:duration=30`];
  const audio = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=30'];
  const codecs = ['-c:v', 'libx264', ...x264, ...rate, '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '96k'];
  return madeOnce([...video, ...audio, ...codecs], 'ts');
}

/** SRT server with its own hub, and a line to it with adjustable loss. */
export class SrtDesk {
  readonly hub: Hub;
  readonly server: SrtServer;
  readonly line: UdpLine;

  private constructor(hub: Hub, server: SrtServer, line: UdpLine) {
    this.hub = hub;
    this.server = server;
    this.line = line;
  }

  static async open({ gate, latencyMs }: { gate: Gate; latencyMs: number }): Promise<SrtDesk> {
    const hub = new Hub({ returnMs: 60_000 });
    const listen = { host: '127.0.0.1', port: 0 };
    const settings = { listen, passphrase: '', library: '', isFiltered: true, latencyMs };
    const admission = new Admission({ hub, gate, log });
    const server = new SrtServer({ hub, admission, viewOf: (stream) => stream, log, settings });
    await server.open();
    return new SrtDesk(hub, server, await UdpLine.open({ port: server.listener.port }));
  }

  async close(): Promise<void> {
    this.line.close();
    this.hub.close();
    await this.server.close();
  }
}

/** Polls often, because tests measure from the detected moment. */
export async function until(condition: () => boolean, what: string, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not in time: ${what}`);
    await sleep(20);
  }
}

/** Frame with its arrival time. */
export interface Seen {
  readonly frame: MediaFrame;
  readonly atMs: number;
}

/** Milliseconds between frames by their own clock. */
export function stepsOf(seen: readonly Seen[]): number[] {
  return seen.slice(1).map(({ frame }, n) => Math.round(frame.dtsMs - (seen[n]?.frame.dtsMs ?? 0)));
}
