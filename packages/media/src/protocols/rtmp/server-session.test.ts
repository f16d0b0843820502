import { describe, expect, it } from 'vitest';
import { MalformedMedia } from '../../frame.ts';
import { type Amf0Value, decodeAmf0, encodeAmf0 } from './amf0.ts';
import { ChunkReader } from './chunks/chunk-reader.ts';
import { encodeMessage, encodePingRequest, encodeWindowAckSize } from './chunks/chunk-writer.ts';
import { RtmpClientSession } from './client-session.ts';
import { ClientHandshake } from './handshake.ts';
import type { RtmpMessage } from './message.ts';
import { encodeMedia } from './outgoing.ts';
import { encodeCommand, encodeData } from './replies.ts';
import type { RtmpEvent } from './rtmp-event.ts';
import { RtmpServerSession } from './server-session.ts';

/** A peer that says what a test wants, past the handshake. */
class Peer {
  readonly session = new RtmpServerSession();
  readonly #reader = new ChunkReader();

  constructor() {
    this.session.push(Buffer.concat([new ClientHandshake().hello, Buffer.alloc(1536)]));
    this.session.readOutput();
  }

  say(...values: Amf0Value[]): RtmpEvent[] {
    return this.session.push(encodeCommand(0, values, 128));
  }

  connect(app = 'live'): RtmpEvent[] {
    return this.say('connect', 1, { app, tcUrl: `rtmp://host/${app}` });
  }

  answers(): RtmpMessage[] {
    return this.#reader.push(this.session.readOutput() ?? Buffer.alloc(0));
  }

  commands(): Amf0Value[][] {
    return this.answers()
      .filter(({ type }) => type === 20)
      .map(({ payload }) => decodeAmf0(payload));
  }
}

const typeOf = (events: readonly RtmpEvent[]) => events.map(({ type }) => type);
const video = (timestamp = 0) => encodeMedia(9, timestamp, Buffer.from([0x17, 1, 0, 0, 0, 9]), 1, 128);

describe('RtmpServerSession', () => {
  it('answers connect with window, bandwidth, chunk size and result', () => {
    const peer = new Peer();
    expect(peer.connect('live/room?vhost=v&k=1')).toEqual([
      {
        type: 'connect',
        app: 'live/room',
        tcUrl: 'rtmp://host/live/room?vhost=v&k=1',
        param: '?vhost=v&k=1',
        vhost: 'v',
        pageUrl: '',
      },
    ]);
    const answers = peer.answers();
    expect(answers.map(({ type }) => type)).toEqual([5, 6, 20]);
    const [name, id, , information] = decodeAmf0(answers[2]?.payload ?? Buffer.alloc(0));
    expect([name, id, information]).toMatchObject(['_result', 1, { code: 'NetConnection.Connect.Success' }]);
  });

  it('sends its codecs to enhanced RTMP clients only', () => {
    const enhanced = new Peer();
    enhanced.say('connect', 1, { app: 'live', fourCcList: ['hvc1'], capsEx: 1, videoFourCcInfoMap: { '*': 4 } });
    expect(enhanced.commands()[0]?.[2]).toMatchObject({
      fourCcList: expect.arrayContaining(['hvc1', 'av01', 'Opus']),
      videoFourCcInfoMap: { hvc1: 4 },
      capsEx: 7,
    });
    const plain = new Peer();
    plain.connect();
    expect(plain.commands()[0]?.[2]).not.toHaveProperty('fourCcList');
  });

  it('asks peers to connect again that said they would understand it', () => {
    const enhanced = new Peer();
    enhanced.say('connect', 1, { app: 'live', capsEx: 1 });
    enhanced.commands();
    expect(enhanced.session.askToReconnect('the server is stopping')).toBe(true);
    expect(enhanced.commands()).toMatchObject([
      ['onStatus', 0, null, { code: 'NetConnection.Connect.ReconnectRequest', level: 'status' }],
    ]);
    for (const capsEx of [undefined, 2, 'x'] as const) {
      const other = new Peer();
      other.say('connect', 1, { app: 'live', ...(capsEx !== undefined && { capsEx }) });
      other.commands();
      expect(other.session.askToReconnect('the server is stopping')).toBe(false);
      expect(other.commands()).toEqual([]);
    }
  });

  it('publishes once the owner agrees, with the media that came in between', () => {
    const peer = new Peer();
    peer.connect('live?a=1');
    peer.say('releaseStream', 2, null, 's');
    peer.say('FCPublish', 3, null, 's');
    peer.say('createStream', 4, null);
    expect(peer.commands().map(([name, id]) => [name, id])).toEqual([
      ['_result', 1],
      ['_result', 2],
      ['_result', 3],
      ['onFCPublish', 0],
      ['_result', 4],
    ]);
    expect(peer.say('publish', 5, null, 'room/s', 'live')).toEqual([
      { type: 'publish', streamId: 0, app: 'live', name: 'room/s', param: '?a=1', vhost: '__defaultVhost__' },
    ]);
    expect(peer.session.push(video(1))).toEqual([]);
    expect(peer.session.acceptPublish()).toBe(true);
    expect(peer.commands()[0]?.[3]).toMatchObject({ code: 'NetStream.Publish.Start' });
    const events = peer.session.push(video(2));
    expect(events.map((event) => event.type === 'media' && event.timestamp)).toEqual([1, 2]);
  });

  it('drops the media that came before a refusal', () => {
    const peer = new Peer();
    peer.connect();
    peer.say('publish', 0, null, 's');
    peer.session.push(video());
    peer.commands();
    expect(peer.session.refusePublish('not today')).toBe(true);
    expect(peer.commands()[0]?.[3]).toMatchObject({ level: 'error', code: 'NetStream.Publish.BadName' });
    expect(peer.session.push(video())).toEqual([]);
    expect(peer.session.acceptPublish()).toBe(false);
  });

  it('unwraps metadata', () => {
    const peer = publisher();
    const events = peer.session.push(encodeData(1, ['@setDataFrame', 'onMetaData', { width: 640 }], 128));
    const payload = encodeAmf0(['onMetaData', { width: 640 }]);
    expect(events).toEqual([{ type: 'media', kind: 18, timestamp: 0, payload }]);
    expect(peer.session.push(encodeData(1, ['@clearDataFrame', 'onMetaData'], 128))).toEqual([]);
  });

  it('reports the end of a publisher once', () => {
    const peer = publisher();
    expect(typeOf(peer.say('FCUnpublish', 6, null, 's'))).toEqual(['unpublish']);
    expect(typeOf(peer.say('deleteStream', 7, null, 1))).toEqual([]);
    expect(typeOf(peer.say('publish', 8, null, 's'))).toEqual(['publish']);
    expect(typeOf(peer.say('closeStream', 0, null))).toEqual([]);
    expect(peer.session.acceptPublish()).toBe(true);
    expect(typeOf(peer.session.push(Buffer.alloc(0)))).toEqual(['unpublish']);
    expect(peer.session.acceptPublish()).toBe(false);
  });

  it('starts to play a stream', () => {
    const peer = new Peer();
    peer.connect();
    peer.say('FCSubscribe', 2, null, 's');
    peer.say('getStreamLength', 3, null, 's');
    peer.commands();
    expect(peer.say('play', 0, null, 's?token=1', -2000)).toMatchObject([
      { type: 'play', name: 's', param: '?token=1' },
    ]);
    expect(typeOf(peer.say('play', 0, null, 's'))).toEqual(['ignored']);
    peer.commands();
    expect(peer.session.acceptPlay()).toBe(true);
    const codes = peer.commands().map(([, , , information]) => information);
    expect(codes).toMatchObject([{ code: 'NetStream.Play.Reset' }, { code: 'NetStream.Play.Start' }]);
    expect(typeOf(peer.session.push(video()))).toEqual([]);
    expect(typeOf(peer.say('deleteStream', 0, null, 1))).toEqual(['stopped']);
  });

  it.each<[string, Amf0Value[]]>([
    ['an empty name', ['publish', 0, null, '']],
    ['a name that climbs', ['publish', 0, null, '../../etc']],
    ['a number for a name', ['publish', 0, null, 7]],
    ['no name', ['publish', 0, null]],
    ['nothing but the command', ['publish']],
    ['a player without a name', ['play', 0, null, false]],
  ])('refuses %s', (_name, values) => {
    const peer = new Peer();
    peer.connect();
    peer.commands();
    expect(typeOf(peer.say(...values))).toEqual(['ignored']);
    expect(peer.commands()[0]?.[3]).toMatchObject({ level: 'error' });
  });

  it('refuses a second publish and keeps the first', () => {
    const peer = publisher();
    expect(typeOf(peer.say('publish', 9, null, 'other'))).toEqual(['ignored']);
    expect(typeOf(peer.say('play', 9, null, 'other'))).toEqual(['ignored']);
    expect(typeOf(peer.session.push(video()))).toEqual(['media']);
  });

  it('accepts a publish without command object and type, and a command of type 17', () => {
    const peer = new Peer();
    const payload = Buffer.concat([Buffer.from([0]), encodeAmf0(['connect', 1, { app: 'live' }])]);
    const message = { type: 17, streamId: 0, timestamp: 0, payload, chunkStreamId: 3 };
    expect(typeOf(peer.session.push(encodeMessage(message, 128)))).toEqual(['connect']);
    expect(peer.say('publish', 0, 's')).toMatchObject([{ type: 'publish', name: 's' }]);
  });

  it('skips a command in AMF3', () => {
    const peer = new Peer();
    peer.connect();
    const message = { type: 17, streamId: 0, timestamp: 0, payload: Buffer.from([17, 6, 1]), chunkStreamId: 3 };
    expect(peer.session.push(encodeMessage(message, 128))).toEqual([{ type: 'ignored', command: '' }]);
  });

  it('answers unknown calls, but not results', () => {
    const peer = new Peer();
    peer.connect();
    peer.commands();
    expect(peer.say('pause', 4, null, true)).toEqual([{ type: 'ignored', command: 'pause' }]);
    expect(peer.commands()).toEqual([['_result', 4, null, undefined]]);
    peer.say('_result', 5, null);
    expect(peer.commands()).toEqual([]);
  });

  it.each<[string, Amf0Value[]]>([
    ['a command before connect', ['createStream', 1, null]],
    ['deep values', ['connect', 1, Array.from({ length: 20 }).reduce<Amf0Value>((inner) => ({ inner }), 1)]],
  ])('ends a connection with %s', (_name, values) => {
    expect(() => new Peer().say(...values)).toThrow(MalformedMedia);
  });

  it('ends a connection that connects twice', () => {
    const peer = new Peer();
    peer.connect();
    expect(() => peer.connect()).toThrow(MalformedMedia);
  });

  it.each<[string, Amf0Value[]]>([
    ['no object', ['connect', 1]],
    ['no app', ['connect', 1, {}]],
    ['an app of the wrong type', ['connect', 'one', { app: 7, tcUrl: false }]],
    ['an array for an object', ['connect', 1, [1, 2]]],
  ])('refuses a connect with %s', (_name, values) => {
    const peer = new Peer();
    expect(typeOf(peer.say(...values))).toEqual(['ignored']);
    expect(peer.commands()[0]?.[0]).toBe('_error');
  });

  it('ends a connection whose metadata does not end', () => {
    const payload = Buffer.alloc(300_000, 5);
    const endless = encodeMessage({ type: 18, streamId: 1, timestamp: 0, payload, chunkStreamId: 5 }, 128);
    expect(() => publisher().session.push(endless)).toThrow(MalformedMedia);
  });

  it('ends a connection that sends requests and does not read', () => {
    const peer = new Peer();
    peer.connect();
    const many = Buffer.concat(Array.from({ length: 1000 }, () => encodeCommand(0, ['_checkbw', 1, null], 128)));
    expect(() => {
      for (let round = 0; round < 100; round += 1) peer.session.push(many);
    }).toThrow(MalformedMedia);
  });

  it('answers pings and acknowledges by the window of the peer', () => {
    const peer = publisher();
    peer.session.push(encodePingRequest(7));
    expect(peer.answers()[0]?.payload).toEqual(Buffer.from([0, 7, 0, 0, 0, 7]));
    peer.session.push(encodeWindowAckSize(10_000));
    peer.session.push(encodeMedia(9, 0, Buffer.alloc(12_000, 1), 1, 128));
    expect(peer.answers().map(({ type }) => type)).toEqual([3]);
    peer.session.ping(9);
    expect(peer.answers()[0]?.payload).toEqual(Buffer.from([0, 6, 0, 0, 0, 9]));
  });

  it('completes a conversation with its own client, byte by byte', () => {
    for (const mode of ['publish', 'play'] as const) {
      const client = new RtmpClientSession({ mode, app: 'live', tcUrl: 'rtmp://h/live', name: 's?k=1' });
      const server = new RtmpServerSession();
      const seen: string[] = [];
      for (let turn = 0; turn < 10; turn += 1) {
        for (const byte of client.readOutput() ?? []) seen.push(...typeOf(server.push(Buffer.from([byte]))));
        server.acceptPublish();
        server.acceptPlay();
        for (const event of client.push(server.readOutput() ?? Buffer.alloc(0))) seen.push(event.type);
        if (turn === 6 && mode === 'publish') client.sendMedia(9, 40, Buffer.from([0x17, 1, 0, 0, 0, 1]));
        if (turn === 8) client.stop();
      }
      const end = mode === 'publish' ? ['media', 'unpublish'] : ['media', 'stopped'];
      expect(seen).toEqual(['connect', mode, 'started', ...end]);
    }
  });
});

function publisher(): Peer {
  const peer = new Peer();
  peer.connect();
  peer.say('publish', 0, null, 's');
  peer.session.acceptPublish();
  peer.answers();
  return peer;
}
