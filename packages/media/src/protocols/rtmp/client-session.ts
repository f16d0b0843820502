import { type Amf0Value, encodeAmf0 } from './amf0.ts';
import { ChunkReader } from './chunks/chunk-reader.ts';
import { encodeAcknowledgement, encodePingResponse, encodeSetChunkSize } from './chunks/chunk-writer.ts';
import { isPlainObject, parseCommand, type RtmpCommand, toText } from './command.ts';
import { ClientHandshake } from './handshake.ts';
import { messageType, type RtmpMessage, userControl } from './message.ts';
import { encodeMedia, type MediaKind, playChunkSize } from './outgoing.ts';
import { encodeCommand } from './replies.ts';
import type { RtmpMediaEvent } from './rtmp-event.ts';

interface RtmpClientOptions {
  readonly mode: 'publish' | 'play';
  readonly app: string;
  readonly tcUrl: string;
  /** Includes the query, as in the command. */
  readonly name: string;
}

export type RtmpClientEvent =
  | { readonly type: 'started' }
  | { readonly type: 'refused'; readonly code: string; readonly reason: string }
  | { readonly type: 'ended' }
  | RtmpMediaEvent;

const acknowledgeEveryBytes = 1_000_000;
const transaction = { connect: 1, createStream: 4 } as const;

/** The caller's side of one connection: for tests, measurements and relays. Send `readOutput()` once before all. */
export class RtmpClientSession {
  readonly #options: RtmpClientOptions;
  readonly #handshake = new ClientHandshake();
  readonly #reader = new ChunkReader();
  #output: Buffer[] = [this.#handshake.hello];
  #isShaken = false;
  #streamId = 1;
  #receivedBytes = 0;
  #acknowledgedBytes = 0;

  constructor(options: RtmpClientOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): RtmpClientEvent[] {
    const events: RtmpClientEvent[] = [];
    const bytes = this.#isShaken ? chunk : this.#shakeHands(chunk);
    this.#receivedBytes += bytes.length;
    if (bytes.length > 0) for (const message of this.#reader.push(bytes)) this.#receive(message, events);
    if (this.#receivedBytes - this.#acknowledgedBytes > acknowledgeEveryBytes) {
      this.#acknowledgedBytes = this.#receivedBytes;
      this.#output.push(encodeAcknowledgement(this.#receivedBytes));
    }
    return events;
  }

  readOutput(): Buffer | undefined {
    if (this.#output.length === 0) return undefined;
    const bytes = Buffer.concat(this.#output);
    this.#output = [];
    return bytes;
  }

  /** After `started`: one media message. Metadata gets its `@setDataFrame` here. */
  sendMedia(kind: MediaKind, timestamp: number, body: Buffer): void {
    const parts = kind === messageType.data ? [encodeAmf0(['@setDataFrame']), body] : body;
    this.#output.push(encodeMedia(kind, timestamp, parts, this.#streamId));
  }

  /** Says goodbye; the owner closes the connection after sending it. */
  stop(): void {
    if (this.#options.mode === 'publish') this.#command(0, ['FCUnpublish', 6, null, this.#options.name]);
    this.#command(0, ['deleteStream', 7, null, this.#streamId]);
  }

  #shakeHands(chunk: Buffer): Buffer {
    const step = this.#handshake.push(chunk);
    if (step.reply === undefined) return step.rest;
    this.#isShaken = true;
    const { app, tcUrl } = this.#options;
    this.#output.push(step.reply, encodeSetChunkSize(playChunkSize));
    this.#command(0, ['connect', transaction.connect, { app, type: 'nonprivate', flashVer: 'LNX 9,0,124,2', tcUrl }]);
    return step.rest;
  }

  #receive(message: RtmpMessage, events: RtmpClientEvent[]): void {
    const { type, timestamp, payload } = message;
    if (type === messageType.audio || type === messageType.video || type === messageType.data) {
      events.push({ type: 'media', kind: type, timestamp, payload });
    } else if (type === messageType.userControl && payload.length >= 6) {
      if (payload.readUInt16BE(0) === userControl.pingRequest) {
        this.#output.push(encodePingResponse(payload.readUInt32BE(2)));
      }
    } else if (type === messageType.command || type === messageType.commandAmf3) {
      const command = parseCommand(message);
      if (command !== undefined) this.#obey(command, events);
    }
  }

  #obey({ name, transactionId, rest }: RtmpCommand, events: RtmpClientEvent[]): void {
    const [first] = rest;
    if (name === '_result' && transactionId === transaction.connect) this.#openStream();
    else if (name === '_result' && transactionId === transaction.createStream) {
      if (typeof first === 'number') this.#streamId = first;
      this.#start();
    } else if (name === 'onStatus' || (name === '_error' && transactionId <= transaction.createStream)) {
      const information = isPlainObject(first) ? first : {};
      const code = toText(information.code);
      if (name === '_error' || information.level === 'error') {
        events.push({ type: 'refused', code, reason: toText(information.description) });
      } else if (code === 'NetStream.Publish.Start' || code === 'NetStream.Play.Start') {
        events.push({ type: 'started' });
      } else if (code === 'NetStream.Play.UnpublishNotify') events.push({ type: 'ended' });
    }
  }

  #openStream(): void {
    if (this.#options.mode === 'publish') {
      this.#command(0, ['releaseStream', 2, null, this.#options.name]);
      this.#command(0, ['FCPublish', 3, null, this.#options.name]);
    }
    this.#command(0, ['createStream', transaction.createStream, null]);
  }

  #start(): void {
    const { mode, name } = this.#options;
    if (mode === 'publish') this.#command(this.#streamId, ['publish', 5, null, name, 'live']);
    else this.#command(this.#streamId, ['play', 5, null, name, -2000]);
  }

  #command(streamId: number, values: readonly Amf0Value[]): void {
    this.#output.push(encodeCommand(streamId, values));
  }
}
