import { MalformedMedia } from '../../frame.ts';
import { type Amf0Object, type Amf0Value, decodeAmf0, UnsupportedAmf3 } from './amf0.ts';
import { ChunkReader } from './chunk-reader.ts';
import {
  encodeAcknowledgement,
  encodePingRequest,
  encodePingResponse,
  encodeSetChunkSize,
  encodeSetPeerBandwidth,
  encodeStreamBegin,
  encodeStreamEof,
  encodeWindowAckSize,
} from './chunk-writer.ts';
import { unwrapDataFrame } from './data-frame.ts';
import { ServerHandshake } from './handshake.ts';
import { messageType, type RtmpMessage, userControl } from './message.ts';
import { type MediaKind, mediaStreamId, playChunkSize } from './outgoing.ts';
import { encodeCommand, encodeConnectRefusal, encodeConnectResult, encodeData, encodeStatus } from './replies.ts';
import type { RtmpEvent } from './rtmp-event.ts';
import { type AppAddress, parseApp, parseStreamName } from './stream-name.ts';

const windowBytes = 2_500_000;
/** A command is a few hundred bytes; a connect with everything in it, a few thousand. */
const maxCommandBytes = 65_536;
const maxDataBytes = 262_144;
/** Replies nobody fetched: the peer asks faster than it reads. */
const maxOutputBytes = 1024 * 1024;
/** What an encoder may send between its `publish` and our answer. */
const maxHeldBytes = 4 * 1024 * 1024;

type Role = 'idle' | 'asking-publish' | 'publishing' | 'asking-play' | 'playing';

/** The server's side of one RTMP connection, from its first byte: bytes in, events and bytes to send out. */
export class RtmpServerSession {
  readonly #handshake = new ServerHandshake();
  readonly #reader = new ChunkReader();
  #isShaken = false;
  #output: Buffer[] = [];
  #outputBytes = 0;
  #connection: AppAddress | undefined;
  #role: Role = 'idle';
  /** The message stream of the publish or play command. */
  #streamId = mediaStreamId;
  #events: RtmpEvent[] = [];
  /** Media of an encoder that does not wait for the answer to its `publish`: its headers come only once. */
  #held: RtmpEvent[] = [];
  #heldBytes = 0;
  #receivedBytes = 0;
  #acknowledgedBytes = 0;
  #peerWindowBytes = windowBytes;

  push(chunk: Buffer): RtmpEvent[] {
    this.#events = [];
    if (this.#role === 'publishing' && this.#held.length > 0) this.#events = this.#releaseHeld();
    this.#receivedBytes += chunk.length;
    const bytes = this.#isShaken ? chunk : this.#shakeHands(chunk);
    if (bytes.length > 0) {
      for (const message of this.#reader.push(bytes)) this.#receive(message);
      this.#acknowledge();
    }
    return this.#events;
  }

  /** The bytes to send now, if any. */
  takeOutput(): Buffer | undefined {
    if (this.#output.length === 0) return undefined;
    const bytes = this.#output.length === 1 ? this.#output[0] : Buffer.concat(this.#output, this.#outputBytes);
    this.#output = [];
    this.#outputBytes = 0;
    return bytes;
  }

  /** False when the peer has gone back on its wish meanwhile. Media it sent early comes out of the next `push`. */
  acceptPublish(): boolean {
    if (this.#role !== 'asking-publish') return false;
    this.#role = 'publishing';
    this.#send(encodeStreamBegin(this.#streamId));
    this.#send(encodeStatus(this.#streamId, 'status', 'NetStream.Publish.Start', 'Publishing'));
    return true;
  }

  refusePublish(reason: string, code = 'NetStream.Publish.BadName'): boolean {
    if (this.#role !== 'asking-publish') return false;
    this.#leave();
    this.#send(encodeStatus(this.#streamId, 'error', code, reason));
    return true;
  }

  acceptPlay(): boolean {
    if (this.#role !== 'asking-play') return false;
    this.#role = 'playing';
    const id = this.#streamId;
    this.#send(encodeStreamBegin(id));
    this.#send(encodeStatus(id, 'status', 'NetStream.Play.Reset', 'Playing and resetting'));
    this.#send(encodeStatus(id, 'status', 'NetStream.Play.Start', 'Playing'));
    this.#send(encodeData(id, ['|RtmpSampleAccess', true, true]));
    this.#send(encodeData(id, ['onStatus', { code: 'NetStream.Data.Start' }]));
    return true;
  }

  refusePlay(reason: string, code = 'NetStream.Play.StreamNotFound'): boolean {
    if (this.#role !== 'asking-play') return false;
    this.#leave();
    this.#send(encodeStatus(this.#streamId, 'error', code, reason));
    return true;
  }

  /** Tells a player that the stream is over; the connection stays. */
  endPlay(): boolean {
    if (this.#role !== 'playing') return false;
    this.#leave();
    this.#send(encodeStreamEof(this.#streamId));
    this.#send(encodeStatus(this.#streamId, 'status', 'NetStream.Play.UnpublishNotify', 'The stream has ended'));
    return true;
  }

  /** Asks the peer for a sign of life. The time comes back unread, so any number will do. */
  ping(timestampMs = 0): void {
    this.#send(encodePingRequest(timestampMs));
  }

  #shakeHands(chunk: Buffer): Buffer {
    const step = this.#handshake.push(chunk);
    if (step.reply !== undefined) this.#send(step.reply);
    this.#isShaken = step.isDone;
    return step.rest;
  }

  #receive(message: RtmpMessage): void {
    switch (message.type) {
      case messageType.audio:
      case messageType.video:
        this.#receiveMedia(message.type, message.timestamp, message.payload);
        return;
      case messageType.data:
      case messageType.dataAmf3:
        this.#receiveData(message);
        return;
      case messageType.command:
      case messageType.commandAmf3:
        this.#receiveCommand(message);
        return;
      case messageType.windowAckSize:
        if (message.payload.length < 4) throw new MalformedMedia('RTMP window size is missing');
        this.#peerWindowBytes = message.payload.readUInt32BE(0) || windowBytes;
        return;
      case messageType.userControl:
        this.#receiveUserControl(message.payload);
        return;
    }
  }

  #receiveMedia(kind: MediaKind, timestamp: number, payload: Buffer): void {
    if (payload.length === 0) return;
    if (this.#role === 'publishing') {
      this.#events.push({ type: 'media', kind, timestamp, payload });
    } else if (this.#role === 'asking-publish' && this.#heldBytes + payload.length <= maxHeldBytes) {
      this.#held.push({ type: 'media', kind, timestamp, payload });
      // A view keeps the buffer it came in, so even a tiny frame is counted with something for its surroundings.
      this.#heldBytes += payload.length + 256;
    }
  }

  #releaseHeld(): RtmpEvent[] {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    return held;
  }

  #receiveData({ type, timestamp, payload }: RtmpMessage): void {
    if (payload.length > maxDataBytes) throw new MalformedMedia('RTMP data message is too long');
    const values = unwrapDataFrame(type === messageType.dataAmf3 ? payload.subarray(1) : payload);
    if (values !== undefined) this.#receiveMedia(messageType.data, timestamp, values);
  }

  #receiveUserControl(payload: Buffer): void {
    if (payload.length < 2) throw new MalformedMedia('RTMP user control message is too short');
    if (payload.readUInt16BE(0) !== userControl.pingRequest || payload.length < 6) return;
    this.#send(encodePingResponse(payload.readUInt32BE(2)));
  }

  #receiveCommand({ type, streamId, payload }: RtmpMessage): void {
    if (payload.length > maxCommandBytes) throw new MalformedMedia('RTMP command is too long');
    const isAmf3 = type === messageType.commandAmf3;
    // A command of type 17 is AMF0 after one zero byte; an encoder that forgets the byte starts with a string marker.
    const values = decodeCommand(isAmf3 && payload[0] === 0 ? payload.subarray(1) : payload);
    const [name, id, object, ...rest] = values;
    if (typeof name !== 'string') {
      this.#events.push({ type: 'ignored', command: '' });
      return;
    }
    this.#obey(name, {
      streamId,
      transactionId: typeof id === 'number' ? id : 0,
      object: isPlainObject(object) ? object : {},
      // Some leave out the command object and come straight to the point.
      rest: typeof object === 'string' ? [object, ...rest] : rest,
    });
  }

  #obey(name: string, command: Command): void {
    if (name === 'connect') {
      this.#connect(command);
      return;
    }
    if (this.#connection === undefined) throw new MalformedMedia('RTMP command before connect');
    switch (name) {
      case 'createStream':
        this.#answer(command, null, mediaStreamId);
        return;
      case 'releaseStream':
      case '_checkbw':
        this.#answer(command, null, undefined);
        return;
      case 'getStreamLength':
        this.#answer(command, null, 0);
        return;
      case 'FCPublish':
        this.#answer(command, null, undefined);
        this.#notify('onFCPublish', 'NetStream.Publish.Start', command);
        return;
      case 'FCSubscribe':
        this.#answer(command, null, undefined);
        this.#notify('onFCSubscribe', 'NetStream.Play.Start', command);
        return;
      case 'publish':
        this.#askPublish(this.#connection, command);
        return;
      case 'play':
        this.#askPlay(this.#connection, command);
        return;
      case 'FCUnpublish':
        this.#answer(command, null, undefined);
        this.#notify('onFCUnpublish', 'NetStream.Unpublish.Success', command);
        if (this.#isPublisher) this.#stop();
        return;
      case 'closeStream':
      case 'deleteStream':
        this.#stop();
        return;
      default:
        this.#ignore(name, command);
    }
  }

  #connect({ transactionId, object }: Command): void {
    if (this.#connection !== undefined) throw new MalformedMedia('RTMP connect came twice');
    const connection = parseApp(text(object.app), text(object.tcUrl));
    if (connection === undefined) {
      this.#send(encodeConnectRefusal(transactionId, 'The application is not a usable name'));
      this.#events.push({ type: 'ignored', command: 'connect' });
      return;
    }
    this.#connection = connection;
    this.#send(encodeWindowAckSize(windowBytes));
    this.#send(encodeSetPeerBandwidth(windowBytes));
    this.#send(encodeSetChunkSize(playChunkSize));
    this.#send(encodeConnectResult(transactionId, object));
    this.#events.push({ type: 'connect', ...connection, pageUrl: text(object.pageUrl).slice(0, 4096) });
  }

  #askPublish(connection: AppAddress, { streamId, rest }: Command): void {
    const stream = parseStreamName(text(rest[0]), connection);
    if (this.#role !== 'idle' || stream === undefined) {
      const reason = stream === undefined ? 'Not a usable stream name' : 'The connection is in use';
      this.#send(encodeStatus(streamId, 'error', 'NetStream.Publish.BadName', reason));
      this.#events.push({ type: 'ignored', command: 'publish' });
      return;
    }
    this.#role = 'asking-publish';
    this.#streamId = streamId;
    this.#events.push({ type: 'publish', streamId, app: connection.app, ...stream });
  }

  #askPlay(connection: AppAddress, { streamId, rest }: Command): void {
    const stream = parseStreamName(text(rest[0]), connection);
    if (this.#role !== 'idle' || stream === undefined) {
      const reason = stream === undefined ? 'Not a usable stream name' : 'The connection is in use';
      this.#send(encodeStatus(streamId, 'error', 'NetStream.Play.StreamNotFound', reason));
      this.#events.push({ type: 'ignored', command: 'play' });
      return;
    }
    this.#role = 'asking-play';
    this.#streamId = streamId;
    this.#events.push({ type: 'play', streamId, app: connection.app, ...stream });
  }

  get #isPublisher(): boolean {
    return this.#role === 'publishing' || this.#role === 'asking-publish';
  }

  #stop(): void {
    if (this.#role === 'idle') return;
    this.#events.push({ type: this.#isPublisher ? 'unpublish' : 'stopped' });
    this.#leave();
  }

  #leave(): void {
    this.#role = 'idle';
    this.#releaseHeld();
  }

  #ignore(command: string, { transactionId, streamId }: Command): void {
    this.#events.push({ type: 'ignored', command: command.slice(0, 64) });
    // Answers are not answered; a call whose caller may wait gets an empty result.
    if (transactionId > 0 && !command.startsWith('_') && !command.startsWith('on')) {
      this.#send(encodeCommand(streamId, ['_result', transactionId, null, undefined]));
    }
  }

  /** Transaction 0 asks for no answer, but encoders that number everything 0 still wait for `createStream`. */
  #answer({ transactionId, streamId }: Command, ...values: Amf0Value[]): void {
    this.#send(encodeCommand(streamId, ['_result', transactionId, ...values]));
  }

  #notify(command: string, code: string, { rest, streamId }: Command): void {
    const description = text(rest[0]).slice(0, 512);
    this.#send(encodeCommand(streamId, [command, 0, null, { level: 'status', code, description }]));
  }

  #acknowledge(): void {
    if (this.#receivedBytes - this.#acknowledgedBytes < this.#peerWindowBytes) return;
    this.#acknowledgedBytes = this.#receivedBytes;
    this.#send(encodeAcknowledgement(this.#receivedBytes));
  }

  #send(bytes: Buffer): void {
    this.#outputBytes += bytes.length;
    if (this.#outputBytes > maxOutputBytes) throw new MalformedMedia('RTMP peer asks more than it reads');
    this.#output.push(bytes);
  }
}

interface Command {
  readonly streamId: number;
  readonly transactionId: number;
  readonly object: Amf0Object;
  readonly rest: readonly Amf0Value[];
}

function decodeCommand(payload: Buffer): Amf0Value[] {
  try {
    return decodeAmf0(payload);
  } catch (error) {
    if (error instanceof UnsupportedAmf3) return [];
    throw error;
  }
}

function isPlainObject(value: Amf0Value): value is Amf0Object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function text(value: Amf0Value): string {
  return typeof value === 'string' ? value : '';
}
