import { MalformedMedia } from '../../frame.ts';
import { type ChunkLimits, ChunkReader } from './chunks/chunk-reader.ts';
import {
  encodeAcknowledgement,
  encodePingRequest,
  encodePingResponse,
  encodeSetChunkSize,
  encodeSetPeerBandwidth,
  encodeStreamBegin,
  encodeStreamEof,
  encodeWindowAckSize,
} from './chunks/chunk-writer.ts';
import { parseCommand, type RtmpCommand, toText } from './command.ts';
import { unwrapDataFrame } from './data-frame.ts';
import { ServerHandshake } from './handshake.ts';
import { messageType, type RtmpMessage, userControl } from './message.ts';
import { type MediaKind, mediaStreamId, playChunkSize } from './outgoing.ts';
import {
  encodeCommand,
  encodeConnectRefusal,
  encodeConnectResult,
  encodeData,
  encodeReconnectRequest,
  encodeStatus,
  reconnectCapability,
} from './replies.ts';
import type { RtmpEvent } from './rtmp-event.ts';
import { SessionOutput } from './session-output.ts';
import { type AppAddress, parseApp, parseStreamName } from './stream-name.ts';

const windowBytes = 2_500_000;
const maxDataBytes = 262_144;
/**
 * Limit for bytes that an encoder sends between `publish` and our answer. The owner stops reading, so only bytes
 * already read count.
 */
const maxHeldBytes = 1024 * 1024;
/** A peer without permission to publish sends only commands; larger messages are refused. */
const strangerLimits: Partial<ChunkLimits> = { maxMessageBytes: 65_536, maxPendingBytes: 65_536 };
const nothing = Buffer.alloc(0);

type Role = 'idle' | 'asking-publish' | 'publishing' | 'asking-play' | 'playing';

/** The server's side of one RTMP connection, from its first byte: bytes in, events and bytes to send out. */
export class RtmpServerSession {
  readonly #handshake = new ServerHandshake();
  readonly #reader = new ChunkReader(strangerLimits);
  readonly #output = new SessionOutput();
  #isShaken = false;
  #connection: AppAddress | undefined;
  #role: Role = 'idle';
  /** The peer understands a reconnect request. */
  #canReconnect = false;
  /** The message stream of the publish or play command. */
  #streamId = mediaStreamId;
  #events: RtmpEvent[] = [];
  /** Bytes behind an unanswered `publish`. They are held back because commands are processed in order. */
  #held: Buffer = nothing;
  #receivedBytes = 0;
  #acknowledgedBytes = 0;
  #peerWindowBytes = windowBytes;

  push(chunk: Buffer): RtmpEvent[] {
    this.#events = [];
    this.#receivedBytes += chunk.length;
    const bytes = this.#behindHeld(this.#isShaken ? chunk : this.#shakeHands(chunk));
    if (this.#role === 'asking-publish') {
      if (bytes.length > maxHeldBytes) throw new MalformedMedia('RTMP peer does not wait for the reply');
      this.#held = bytes;
    } else if (bytes.length > 0) {
      this.#held = this.#reader.read(bytes, this.#onMessage);
      this.#acknowledge();
    }
    return this.#events;
  }

  /** Declared bytes of messages that have begun and not ended. */
  get pendingBytes(): number {
    return this.#reader.pendingBytes;
  }

  /** Tells the time now and then; returns for how long the oldest unfinished message is under way. */
  tick(nowMs: number): number {
    return this.#reader.tick(nowMs);
  }

  readonly #onMessage = (message: RtmpMessage): boolean => {
    this.#receive(message);
    return this.#role !== 'asking-publish';
  };

  #behindHeld(bytes: Buffer): Buffer {
    if (this.#held.length === 0) return bytes;
    const held = this.#held;
    this.#held = nothing;
    return bytes.length === 0 ? held : Buffer.concat([held, bytes]);
  }

  /** The bytes to send now, if any. */
  readOutput(): Buffer | undefined {
    return this.#output.flush();
  }

  /** Returns false without a pending request. Held input comes out of the next `push`, also of an empty one. */
  acceptPublish(): boolean {
    if (this.#role !== 'asking-publish') return false;
    this.#role = 'publishing';
    this.#reader.limit({});
    this.#output.send(encodeStreamBegin(this.#streamId));
    this.#output.send(encodeStatus(this.#streamId, 'status', 'NetStream.Publish.Start', 'Publishing'));
    return true;
  }

  refusePublish(reason: string, code = 'NetStream.Publish.BadName'): boolean {
    if (this.#role !== 'asking-publish') return false;
    this.#leave();
    this.#output.send(encodeStatus(this.#streamId, 'error', code, reason));
    return true;
  }

  acceptPlay(): boolean {
    if (this.#role !== 'asking-play') return false;
    this.#role = 'playing';
    const id = this.#streamId;
    this.#output.send(encodeStreamBegin(id));
    this.#output.send(encodeStatus(id, 'status', 'NetStream.Play.Reset', 'Playing and resetting'));
    this.#output.send(encodeStatus(id, 'status', 'NetStream.Play.Start', 'Playing'));
    this.#output.send(encodeData(id, ['|RtmpSampleAccess', true, true]));
    return true;
  }

  refusePlay(reason: string, code = 'NetStream.Play.StreamNotFound'): boolean {
    if (this.#role !== 'asking-play') return false;
    this.#leave();
    this.#output.send(encodeStatus(this.#streamId, 'error', code, reason));
    return true;
  }

  /** Tells a player that the stream is over; the connection stays. */
  endPlay(): boolean {
    if (this.#role !== 'playing') return false;
    this.#leave();
    this.#output.send(encodeStreamEof(this.#streamId));
    this.#output.send(encodeStatus(this.#streamId, 'status', 'NetStream.Play.UnpublishNotify', 'The stream has ended'));
    return true;
  }

  /** Asks a peer that understands it to connect again. */
  askToReconnect(reason: string): boolean {
    if (this.#canReconnect) this.#output.send(encodeReconnectRequest(reason));
    return this.#canReconnect;
  }

  /** Asks the peer for a sign of life. The time comes back unread, so any number will do. */
  ping(timestampMs = 0): void {
    this.#output.send(encodePingRequest(timestampMs));
  }

  #shakeHands(chunk: Buffer): Buffer {
    const step = this.#handshake.push(chunk);
    if (step.reply !== undefined) this.#output.send(step.reply);
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
    if (payload.length === 0 || this.#role !== 'publishing') return;
    this.#events.push({ type: 'media', kind, timestamp, payload });
  }

  #receiveData({ type, timestamp, payload }: RtmpMessage): void {
    if (payload.length > maxDataBytes) throw new MalformedMedia('RTMP data message is too long');
    const values = unwrapDataFrame(type === messageType.dataAmf3 ? payload.subarray(1) : payload);
    if (values !== undefined) this.#receiveMedia(messageType.data, timestamp, values);
  }

  #receiveUserControl(payload: Buffer): void {
    if (payload.length < 2) throw new MalformedMedia('RTMP user control message is too short');
    if (payload.readUInt16BE(0) !== userControl.pingRequest || payload.length < 6) return;
    this.#output.send(encodePingResponse(payload.readUInt32BE(2)));
  }

  #receiveCommand(message: RtmpMessage): void {
    const command = parseCommand(message);
    if (command === undefined) this.#events.push({ type: 'ignored', command: '' });
    else if (command.name === 'connect') this.#connect(command);
    else if (this.#connection === undefined) throw new MalformedMedia('RTMP command before connect');
    else this.#obey(command, this.#connection);
  }

  #obey(command: RtmpCommand, connection: AppAddress): void {
    switch (command.name) {
      case 'createStream':
        this.#output.answer(command, null, mediaStreamId);
        return;
      case 'releaseStream':
      case '_checkbw':
        this.#output.answer(command, null, undefined);
        return;
      case 'getStreamLength':
        this.#output.answer(command, null, 0);
        return;
      case 'FCPublish':
        this.#output.answer(command, null, undefined);
        this.#output.notify('onFCPublish', 'NetStream.Publish.Start', command);
        return;
      case 'FCSubscribe':
        this.#output.answer(command, null, undefined);
        this.#output.notify('onFCSubscribe', 'NetStream.Play.Start', command);
        return;
      case 'publish':
        this.#requestStream('publish', connection, command);
        return;
      case 'play':
        this.#requestStream('play', connection, command);
        return;
      case 'FCUnpublish':
        this.#output.answer(command, null, undefined);
        this.#output.notify('onFCUnpublish', 'NetStream.Unpublish.Success', command);
        if (this.#role === 'publishing') this.#stop();
        return;
      case 'closeStream':
      case 'deleteStream':
        this.#stop();
        return;
      default:
        this.#ignore(command);
    }
  }

  #connect({ transactionId, object }: RtmpCommand): void {
    if (this.#connection !== undefined) throw new MalformedMedia('RTMP connect was sent twice');
    const connection = parseApp(toText(object.app), toText(object.tcUrl));
    if (connection === undefined) {
      this.#output.send(encodeConnectRefusal(transactionId, 'Invalid application name'));
      this.#events.push({ type: 'ignored', command: 'connect' });
      return;
    }
    this.#connection = connection;
    this.#output.send(encodeWindowAckSize(windowBytes));
    this.#output.send(encodeSetPeerBandwidth(windowBytes));
    this.#output.send(encodeSetChunkSize(playChunkSize));
    this.#output.send(encodeConnectResult(transactionId, object));
    this.#canReconnect = typeof object.capsEx === 'number' && (object.capsEx & reconnectCapability) !== 0;
    this.#events.push({ type: 'connect', ...connection, pageUrl: toText(object.pageUrl).slice(0, 4096) });
  }

  #requestStream(type: 'publish' | 'play', connection: AppAddress, { streamId, rest }: RtmpCommand): void {
    const stream = parseStreamName(toText(rest[0]), connection);
    if (this.#role !== 'idle' || stream === undefined) {
      const code = type === 'publish' ? 'NetStream.Publish.BadName' : 'NetStream.Play.StreamNotFound';
      const reason = stream === undefined ? 'Invalid stream name' : 'This connection is already in use';
      this.#output.send(encodeStatus(streamId, 'error', code, reason));
      this.#events.push({ type: 'ignored', command: type });
      return;
    }
    this.#role = type === 'publish' ? 'asking-publish' : 'asking-play';
    this.#streamId = streamId;
    this.#events.push({ type, streamId, app: connection.app, ...stream });
  }

  #stop(): void {
    if (this.#role === 'idle') return;
    this.#events.push({ type: this.#role === 'publishing' ? 'unpublish' : 'stopped' });
    this.#leave();
  }

  #leave(): void {
    this.#role = 'idle';
    this.#held = nothing;
    this.#reader.limit(strangerLimits);
  }

  #ignore({ name, transactionId, streamId }: RtmpCommand): void {
    this.#events.push({ type: 'ignored', command: name.slice(0, 64) });
    // Answers are not answered; a call whose caller may wait gets an empty result.
    if (transactionId > 0 && !name.startsWith('_') && !name.startsWith('on')) {
      this.#output.send(encodeCommand(streamId, ['_result', transactionId, null, undefined]));
    }
  }

  #acknowledge(): void {
    if (this.#receivedBytes - this.#acknowledgedBytes < this.#peerWindowBytes) return;
    this.#acknowledgedBytes = this.#receivedBytes;
    this.#output.send(encodeAcknowledgement(this.#receivedBytes));
  }
}
