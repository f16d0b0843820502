import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeAmf0 } from '@weir/media';
import { defaultVhost } from '@weir/streams';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { command, connectCommand, message, openRtmp, pictures, RtmpPeer, until } from './rtmp.fixture.ts';

const place = (name: string) => ({ vhost: defaultVhost, app: 'live', name });
const publish = (name: string) => command(1, 'publish', 5, null, name, 'live');
const deleteStream = command(0, 'deleteStream', 7, null, 1);

describe('the metadata of an RTMP publisher', () => {
  it('S34: leaves out text that cannot be encoded again, and viewers get the rest', async () => {
    const { hub, server, httpPort } = await openRtmp();
    const peer = await RtmpPeer.open(server.listener.port);
    peer.say(connectCommand(), publish('odd'));
    await peer.told('NetStream.Publish.Start');
    const key = Buffer.alloc(21_846, 0xff);
    const property = Buffer.concat([Buffer.from([key.length >> 8, key.length & 255]), key, encodeAmf0(['value'])]);
    const begin = Buffer.concat([encodeAmf0(['@setDataFrame', 'onMetaData']), Buffer.from([8, 0, 0, 0, 1])]);
    const width = Buffer.concat([Buffer.from([0, 5]), Buffer.from('width'), encodeAmf0([640])]);
    const data = Buffer.concat([begin, property, width, Buffer.from([0, 0, 9])]);
    peer.say(message(18, 1, data), pictures(3));
    await until(() => (hub.find(place('odd'))?.stats.frames ?? 0) >= 3, 'frames');
    const viewer = connect(httpPort, '127.0.0.1');
    viewer.write('GET /live/odd.flv HTTP/1.1\r\nHost: x\r\n\r\n');
    let got = Buffer.alloc(0);
    viewer.on('data', (chunk: Buffer) => {
      got = Buffer.concat([got, chunk]);
    });
    await until(() => got.length > 300, 'the viewer gets the stream');
    expect(got.includes('onMetaData')).toBe(true);
    expect(got.includes('width')).toBe(true);
    viewer.destroy();
    // The same by RTMP.
    const player = await RtmpPeer.open(server.listener.port);
    player.say(connectCommand(), command(1, 'play', 5, null, 'odd'));
    await until(() => player.messages.some(({ type }) => type === 9), 'pictures');
    expect(peer.isClosed).toBe(false);
  });
});

describe('unfinished RTMP messages', () => {
  /** The beginning of a message of so many bytes. */
  const unfinished = (chunkStreamId: number, length: number) => {
    const head = Buffer.from([chunkStreamId, 0, 0, 0, length >> 16, (length >> 8) & 255, length & 255, 20, 1, 0, 0, 0]);
    // A whole chunk, so that others can follow.
    return Buffer.concat([head, Buffer.alloc(128)]);
  };

  it('S36: of more than 64 KB are refused unless the connection publishes', async () => {
    const { server, gate } = await openRtmp();
    gate.delayMs = 50;
    const stranger = await RtmpPeer.open(server.listener.port);
    stranger.say(connectCommand(), unfinished(10, 8_000_000));
    await until(() => stranger.isClosed, 'closed');
    const many = await RtmpPeer.open(server.listener.port);
    many.say(connectCommand(), unfinished(10, 40_000), unfinished(11, 40_000));
    await until(() => many.isClosed, 'closed');
    // An encoder that does not wait for the answer to its publish, and begins with a large picture.
    const publisher = await RtmpPeer.open(server.listener.port);
    publisher.say(connectCommand(), publish('eager'), unfinished(10, 8_000_000));
    await publisher.told('NetStream.Publish.Start');
    expect(publisher.isClosed).toBe(false);
    // And no more when it publishes no longer.
    publisher.say(command(0, 'FCUnpublish', 6, null, 'eager'), unfinished(11, 8_000_000));
    await until(() => publisher.isClosed, 'closed');
    expect(gate.publishers.size).toBe(0);
  });

  it('S36: must end in time', async () => {
    const { server } = await openRtmp({ messageMs: 100, startMs: 60_000 });
    const peer = await RtmpPeer.open(server.listener.port);
    peer.say(connectCommand(), unfinished(10, 60_000));
    await peer.told('NetConnection.Connect.Success');
    await until(() => peer.isClosed, 'closed');
  });

  it('S36: of all anonymous clients of one network hold a megabyte at most', async () => {
    const { server } = await openRtmp({ startMs: 60_000 });
    const peers = await Promise.all(Array.from({ length: 40 }, () => RtmpPeer.open(server.listener.port)));
    for (const peer of peers) peer.say(connectCommand(), unfinished(10, 60_000));
    const open = () => peers.filter(({ isClosed }) => !isClosed).length;
    await until(() => open() <= 17, 'all but a megabyte closed');
    expect(open()).toBeGreaterThan(10);
    // A client with a small request is still served.
    const plain = await RtmpPeer.open(server.listener.port);
    plain.say(connectCommand());
    await plain.told('NetConnection.Connect.Success');
  });

  it('S36: do not make the server keep unread answers', async () => {
    const { server } = await openRtmp({ startMs: 60_000 });
    const peer = await RtmpPeer.open(server.listener.port);
    peer.say(connectCommand());
    await peer.told('NetConnection.Connect.Success');
    peer.socket.pause();
    const questions = Buffer.concat(
      Array.from({ length: 2000 }, () => command(0, 'FCPublish', 2, null, 'x'.repeat(80))),
    );
    for (let round = 0; round < 40 && !peer.isClosed; round++) {
      if (peer.socket.write(questions)) continue;
      await Promise.race([once(peer.socket, 'drain'), once(peer.socket, 'close')]).catch(() => undefined);
    }
    peer.socket.resume();
    await until(() => peer.isClosed, 'closed');
  });
});

it('F24: a publisher with unread bytes is not timed out after this process was suspended', async () => {
  const { hub, server } = await openRtmp({ publisherIdleMs: 400 });
  const publisher = await RtmpPeer.open(server.listener.port);
  publisher.say(connectCommand(), publish('steady'), pictures(3));
  await until(() => hub.clients.size === 1, 'live');
  // Runs timers before sockets are read, as after a stop of the process.
  await new Promise((resolve) => setImmediate(resolve));
  publisher.say(pictures(3, 120));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200);
  publisher.say(pictures(3, 240));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([publisher.isClosed, hub.clients.size]).toEqual([false, 1]);
  // Silence is noticed all the same.
  await until(() => publisher.isClosed, 'closed');
});

describe('an RTMP player that connects before its publisher', () => {
  const play = (name: string) => command(1, 'play', 5, null, name);

  it('waits, is reported as a player but not as a viewer, and gets the stream from its beginning', async () => {
    const { hub, gate, server, admission, httpPort } = await openRtmp({ startMs: 300 }, 60_000);
    const early = await RtmpPeer.open(server.listener.port);
    early.say(connectCommand(), play('soon'));
    const flv = connect(httpPort, '127.0.0.1');
    flv.write('GET /live/soon.flv HTTP/1.1\r\nHost: x\r\n\r\n');
    let got = Buffer.alloc(0);
    flv.on('data', (chunk: Buffer) => {
      got = Buffer.concat([got, chunk]);
    });
    await until(() => admission.waiting === 2, 'both wait');
    expect([hub.clients.size, gate.viewers.size]).toEqual([0, 2]);
    // Longer than anybody may take to ask for something.
    await new Promise((resolve) => setTimeout(resolve, 400));
    const publisher = await RtmpPeer.open(server.listener.port);
    publisher.say(connectCommand(), publish('soon'), pictures(3));
    await early.told('NetStream.Play.Start');
    await until(() => early.messages.filter(({ type }) => type === 9).length >= 4, 'pictures by RTMP');
    await until(() => got.includes('onMetaData') && got.length > 300, 'pictures by HTTP');
    expect([hub.clients.size, admission.waiting]).toEqual([3, 0]);
    flv.destroy();
  });

  it('may end the name in .flv, as an edge of SRS does', async () => {
    const { server } = await openRtmp({}, 60_000);
    const edge = await RtmpPeer.open(server.listener.port);
    edge.say(connectCommand(), play('show.flv'));
    const publisher = await RtmpPeer.open(server.listener.port);
    publisher.say(connectCommand(), publish('show'), pictures(3));
    await edge.told('NetStream.Play.Start');
  });

  it('frees its place at once when it disconnects', async () => {
    const { gate, server, admission, httpPort } = await openRtmp({}, 60_000);
    const peers = await Promise.all(Array.from({ length: 4 }, () => RtmpPeer.open(server.listener.port)));
    for (const peer of peers) peer.say(connectCommand(), play('soon'));
    const flv = connect(httpPort, '127.0.0.1');
    flv.write('GET /live/soon.flv HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => admission.waiting === 5, 'all wait');
    // No more of one network: refused as when nobody waited.
    const sixth = await RtmpPeer.open(server.listener.port);
    sixth.say(connectCommand(), play('soon'));
    await sixth.told('NetStream.Play.StreamNotFound');
    expect(admission.waiting).toBe(5);
    flv.destroy();
    peers[0]?.socket.end();
    peers[1]?.socket.resetAndDestroy();
    peers[2]?.say(deleteStream);
    await until(() => admission.waiting === 1 && gate.viewers.size === 1, 'all but one left');
  });

  it('is refused when nobody publishes in time', async () => {
    const { gate, server, admission, httpPort } = await openRtmp({}, 100);
    const early = await RtmpPeer.open(server.listener.port);
    early.say(connectCommand(), play('never'));
    await early.told('NetStream.Play.StreamNotFound');
    const answer = await fetch(`http://127.0.0.1:${httpPort}/live/never.flv`);
    expect(answer.status).toBe(404);
    expect([admission.waiting, gate.viewers.size]).toEqual([0, 0]);
    const head = await fetch(`http://127.0.0.1:${httpPort}/live/never.flv`, { method: 'HEAD' });
    expect(head.status).toBe(404);
  });
});

describe('the order of RTMP commands', () => {
  it('S37: removes every trace of a publisher that restarts within one segment, and it can be kicked', async () => {
    const { hub, gate, server } = await openRtmp();
    const peer = await RtmpPeer.open(server.listener.port);
    peer.say(connectCommand(), publish('first'), deleteStream, publish('second'));
    await until(() => hub.find(place('second'))?.isLive === true, 'second is live');
    expect(hub.find(place('first'))?.isLive).toBe(false);
    expect([...hub.clients.all()].map(({ info }) => info.place.name)).toEqual(['second']);
    for (const client of [...hub.clients.all()]) client.kick('kicked');
    expect(hub.find(place('second'))?.isLive).toBe(false);
    expect(gate.publishers.size).toBe(0);
    await until(() => peer.isClosed, 'closed');
  });

  it('S37: does not let a second stream of one connection inherit the format of the first', async () => {
    const { hub, server } = await openRtmp();
    const peer = await RtmpPeer.open(server.listener.port);
    peer.say(connectCommand(), publish('first'), pictures(2), deleteStream, publish('second'));
    await until(() => hub.find(place('second'))?.isLive === true, 'second is live');
    expect(hub.find(place('first'))?.stats.frames).toBe(2);
    peer.say(pictures(2).subarray(pictures(0).length));
    peer.say(message(18, 1, encodeAmf0(['@setDataFrame', 'onMetaData', { width: 1 }])));
    await until(() => hub.find(place('second'))?.metadata.width === 1, 'metadata');
    // Frames without their sequence header cannot be decoded.
    expect(hub.find(place('second'))?.stats.frames).toBe(0);
  });

  const names = ['a', 'b', 'c', 'no'];
  const step = fc.oneof(
    fc.constantFrom(...names).map((name) => publish(name)),
    fc.constantFrom(...names).map((name) => publish(name)),
    fc.constantFrom(...names).map((name) => command(1, 'play', 5, null, name)),
    fc.constantFrom(...names).map((name) => command(0, 'FCUnpublish', 6, null, name)),
    fc.constantFrom(...names).map((name) => command(0, 'releaseStream', 2, null, name)),
    fc.constantFrom(...names).map((name) => command(0, 'FCPublish', 3, null, name)),
    fc.constant(command(0, 'createStream', 4, null)),
    fc.constant(deleteStream),
    fc.constant(deleteStream),
    fc.constant(command(1, 'closeStream', 0, null)),
    fc.constant(pictures(2)),
    fc.constant(connectCommand()),
  );
  const plan = fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 8 }),
    /** Positions at which the bytes are cut into writes, as shares of the whole. */
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
    delayMs: fc.constantFrom(0, 0, 1, 4),
    end: fc.constantFrom('kick', 'reset', 'end'),
    waitMs: fc.constantFrom(0, 1, 5, 15),
  });

  it('S37: leaves nothing of a closed connection live, and a kick always ends it, in any order', async () => {
    const { hub, gate, server, admission } = await openRtmp({}, 20);
    await fc.assert(
      fc.asyncProperty(plan, async ({ steps, cuts, delayMs, end, waitMs }) => {
        gate.delayMs = delayMs;
        const peer = await RtmpPeer.open(server.listener.port);
        const bytes = Buffer.concat([connectCommand(), ...steps]);
        let at = 0;
        for (const cut of [
          ...cuts.map((share) => Math.round(share * bytes.length)).sort((a, b) => a - b),
          bytes.length,
        ]) {
          if (cut > at) peer.say(bytes.subarray(at, cut));
          at = Math.max(at, cut);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        if (end === 'kick') {
          for (const client of [...hub.clients.all()]) client.kick('kicked');
          expect(hub.clients.size).toBe(0);
          peer.socket.end();
        } else if (end === 'reset') peer.socket.resetAndDestroy();
        else peer.socket.end();
        await until(() => peer.isClosed && hub.clients.size === 0, 'everybody left');
        await until(() => gate.publishers.size === 0 && gate.viewers.size === 0, 'everybody is told of as gone');
        expect(admission.waiting).toBe(0);
        expect([...hub.all()].filter(({ isLive }) => isLive)).toEqual([]);
      }),
      { numRuns: 150, endOnFailure: true },
    );
  });
});

describe('the stream of an RTMP publisher that falls silent', () => {
  const isPing = ({ type, payload }: { type: number; payload: Buffer }) => type === 4 && payload.readUInt16BE(0) === 6;
  const begin = async (answersPings: boolean) => {
    const { hub, server } = await openRtmp();
    const [first, second] = [await RtmpPeer.open(server.listener.port), await RtmpPeer.open(server.listener.port)];
    first.say(connectCommand(), publish('show'));
    await first.told('NetStream.Publish.Start');
    first.say(pictures(3));
    await until(() => (hub.find(place('show'))?.stats.frames ?? 0) >= 3, 'frames');
    await sleep(1600);
    if (answersPings)
      void until(() => first.messages.some(isPing), 'a ping').then(() =>
        first.say(message(4, 0, Buffer.from([0, 7, 0, 0, 0, 0]))),
      );
    second.say(connectCommand(), publish('show'));
    return { hub, first, second };
  };

  it('is given to another connection when no ping is answered, as after a change of address', async () => {
    const { hub, first, second } = await begin(false);
    await second.told('NetStream.Publish.Start');
    second.say(pictures(3));
    await until(() => (hub.find(place('show'))?.stats.frames ?? 0) >= 6, 'frames of the second');
    await until(() => first.isClosed, 'the first one is closed');
  });

  it('S09: stays with a publisher that answers a ping', async () => {
    const { hub, first, second } = await begin(true);
    await second.told('NetStream.Publish.BadName');
    first.say(pictures(3, 200));
    await until(() => (hub.find(place('show'))?.stats.frames ?? 0) >= 6, 'frames of the first');
  });
});
