import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Amf0Value,
  ChunkReader,
  ClientHandshake,
  decodeAmf0,
  encodeAmf0,
  encodeMessage,
  flvKind,
  type MediaFrame,
  type RtmpMessage,
  writeFlvBody,
  writeFlvConfig,
} from '@weir/media';
import { onTestFinished } from 'vitest';
import { CallerReader } from '../../http/caller.ts';
import { HttpExchange } from '../../http/exchange.ts';
import { serveHttp } from '../../http/http-server.fixture.ts';
import { Reply } from '../../http/reply.ts';
import { Admission } from '../../hub/clients/admission.ts';
import type { ClientInfo } from '../../hub/clients/client-info.ts';
import type { Gate } from '../../hub/clients/gate.ts';
import { Refused } from '../../hub/clients/gate.ts';
import { videoConfig } from '../../hub/frames.fixture.ts';
import { Hub } from '../../hub/hub.ts';
import { PlayerViews } from '../../hub/player-views/player-views.ts';
import { quietLog } from '../../quiet-log.fixture.ts';
import { HttpFlvServer } from '../http-flv/http-flv-server.ts';
import type { RtmpLimits } from './rtmp-connection.ts';
import { RtmpServer } from './rtmp-server.ts';

/** Takes its time, refuses names that begin with `no`, and keeps account of who is in. */
class AccountingGate implements Gate {
  readonly publishers = new Set<string>();
  readonly viewers = new Set<string>();
  delayMs = 0;

  async publish({ id, place }: ClientInfo): Promise<undefined> {
    if (this.delayMs > 0) await sleep(this.delayMs);
    if (place.name.startsWith('no')) throw new Refused('not you');
    this.publishers.add(id);
  }

  unpublish({ id }: ClientInfo): void {
    if (!this.publishers.delete(id)) throw new Error('left without having come');
  }

  async play({ id }: ClientInfo): Promise<void> {
    this.viewers.add(id);
  }

  stop({ id }: ClientInfo): void {
    if (!this.viewers.delete(id)) throw new Error('left without having come');
  }

  publishRefused(): void {}
  segment(): void {}
}

interface OpenedRtmp {
  readonly hub: Hub;
  readonly gate: AccountingGate;
  readonly server: RtmpServer;
  readonly faults: unknown[];
  readonly admission: Admission;
  /** Port of HTTP-FLV. */
  readonly httpPort: number;
}

export async function openRtmp(limits: Partial<RtmpLimits> = {}, waitMs = 0): Promise<OpenedRtmp> {
  const faults: unknown[] = [];
  const gate = new AccountingGate();
  const hub = new Hub({ returnMs: 60_000, onFault: (_stream, error) => faults.push(error) });
  const log = quietLog.child({}, { level: 'fatal' });
  const networks = { network: 5, site: 5, region: 5 };
  const admission = new Admission({ hub, gate, log, waiting: { ms: waitMs, networks } });
  const playerViews = new PlayerViews({ log });
  const server = new RtmpServer({ listen: { host: '127.0.0.1', port: 0 }, admission, playerViews, log, limits });
  await server.open();
  const flv = new HttpFlvServer({ hub, admission, playerViews, log });
  const tools = { reply: new Reply('1.2.3'), callers: new CallerReader([]) };
  const httpPort = await serveHttp((req, res) => flv.serve(new HttpExchange(req, res, tools)));
  onTestFinished(async () => {
    hub.close();
    await server.close();
  });
  return { hub, gate, server, faults, admission, httpPort };
}

/** A command as its bytes, in chunks of the first size. */
export function command(streamId: number, ...values: Amf0Value[]): Buffer {
  return message(20, streamId, encodeAmf0(values));
}

export function message(type: number, streamId: number, payload: Buffer, chunkSize = 128): Buffer {
  return encodeMessage({ type, streamId, timestamp: 0, payload, chunkStreamId: type === 20 ? 3 : 6 }, chunkSize);
}

export const connectCommand = (app = 'live') => command(0, 'connect', 1, { app, tcUrl: `rtmp://host/${app}` });

export function pictures(count: number, from = 0): Buffer {
  const parts = [message(flvKind.video, 1, writeFlvConfig({ ...videoConfig, record: avcRecord }))];
  for (let n = 0; n < count; n++) {
    const payload = Buffer.alloc(40, 0x41);
    payload.writeUInt32BE(36, 0);
    payload[4] = n === 0 ? 0x65 : 0x41;
    const dtsMs = from + n * 40;
    const frame: MediaFrame = { kind: 'video', codec: 'h264', dtsMs, ptsMs: dtsMs, isKeyframe: n === 0, payload };
    parts.push(message(flvKind.video, 1, writeFlvBody(frame)));
  }
  return Buffer.concat(parts);
}

const seeds = '../../../../../packages/media/seeds';
const avcRecord = readFileSync(join(import.meta.dirname, seeds, 'codecs/avcc.bin'));

/** A peer past its handshake that says exactly what a test wants. */
export class RtmpPeer {
  readonly socket: Socket;
  isClosed = false;
  readonly #reader = new ChunkReader();
  readonly messages: RtmpMessage[] = [];

  private constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('error', () => undefined);
    this.socket.once('close', () => {
      this.isClosed = true;
    });
    onTestFinished(() => {
      this.socket.destroy();
    });
  }

  static async open(port: number): Promise<RtmpPeer> {
    const peer = new RtmpPeer(port);
    const handshake = new ClientHandshake();
    peer.socket.write(handshake.hello);
    for (;;) {
      const [chunk] = (await once(peer.socket, 'data')) as [Buffer];
      const step = handshake.push(chunk);
      if (step.reply === undefined) continue;
      peer.socket.write(step.reply);
      peer.socket.on('data', (more: Buffer) => peer.messages.push(...peer.#reader.push(more)));
      return peer;
    }
  }

  say(...parts: Buffer[]): void {
    this.socket.write(Buffer.concat(parts));
  }

  /** Codes of all that it was told so far. */
  get codes(): string[] {
    return this.messages
      .filter(({ type }) => type === 20)
      .flatMap(({ payload }) => decodeAmf0(payload))
      .flatMap((value) => (typeof value === 'object' && value && 'code' in value ? [String(value.code)] : []));
  }

  async told(code: string): Promise<void> {
    await until(() => this.codes.includes(code), code);
  }
}

export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`);
    await sleep(5);
  }
}
