import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { parseSdpOffer, writeSdpAnswer } from '@weir/media/sdp';
import { PeerConnection, Video } from 'node-datachannel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UdpProxy } from '../../../../../../tests/media/fixtures/udp-proxy.fixture.ts';
import { quietLog } from '../../../quiet-log.fixture.ts';
import { LibraryPort } from './library-port.ts';
import { OwnPort } from './own/own-port.ts';
import type { RtcPort, TransportEvents } from './rtc-transport.ts';
import { type OpenRtcPort, WebRtcPort } from './webrtc-port.ts';

const listen = { host: '127.0.0.1', port: 0 };

interface Way {
  readonly at: RtcPort;
  readonly edit?: (sdp: string) => string;
  readonly address?: string;
  readonly port?: number;
}

/** A client as OBS is one: it plays, and sends packets as soon as it can. */
async function connect(events: TransportEvents, packet: Buffer, way: Way) {
  const { edit = (sdp) => sdp, at, address = '127.0.0.1' } = way;
  const client = new PeerConnection('client', { iceServers: [], disableAutoNegotiation: true });
  const video = new Video('0', 'SendOnly');
  video.addH264Codec(96);
  const track = client.addTrack(video);
  const gathered = Promise.withResolvers<void>();
  client.onGatheringStateChange((state) => state === 'complete' && gathered.resolve());
  // Again and again: our side may open a moment after the client's.
  const sending = setInterval(() => track.isOpen() && track.sendMessageBinary(packet), 20);
  client.setLocalDescription('offer');
  await gathered.promise;
  const sdp = client.localDescription()?.sdp ?? '';
  const offer = parseSdpOffer(edit(sdp));
  const peer = at.connect({ id: 'server', peer: offer, role: 'receives', events });
  const [codec] = offer.media[0]?.codecs ?? [];
  const candidates = [{ address, port: way.port ?? at.port }];
  client.setRemoteDescription(
    writeSdpAnswer({ offer, media: [{ codec, direction: 'recvonly' }], ...peer.facts, candidates, streamId: 's' }),
    'answer',
  );
  const leave = () => {
    clearInterval(sending);
    client.close();
  };
  return { peer, leave };
}

const rtp = Buffer.from('80600001000000010000000112345678', 'hex');

/** For a peer of which one packet is expected; its end before that is a failure. */
function firstPacket(): { events: TransportEvents; arrived: Promise<Buffer> } {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const events: TransportEvents = {
    onReached: () => undefined,
    onOpen: () => undefined,
    onPacket: resolve,
    onEnd: (reason) => reject(new Error(reason)),
    onFault: reject,
  };
  return { events, arrived: promise };
}

/** First octets of DTLS records that carry the handshake (RFC 6347, 4.1). */
const isHandshake = (bytes: Buffer) => bytes[0] === 22;

/** And how long two flights lost each way may take: the library, also at the other end, begins with a wait of one second. */
const kinds: readonly (readonly [string, OpenRtcPort, { passive: number; active: number }])[] = [
  ['library', (place) => LibraryPort.open(place), { passive: 20_000, active: 20_000 }],
  ['transport of our own', (place) => OwnPort.open(place, quietLog), { passive: 5000, active: 5000 }],
];

describe.each(kinds)('the %s', (_name, openPort, longestMs) => {
  const port = new WebRtcPort(quietLog, openPort);
  let at: RtcPort;
  beforeAll(async () => {
    await port.open(listen);
    at = await port.use();
  });
  afterAll(() => port.close());

  it('carries packets of any source, also of one that no SDP named', async () => {
    const opened = Promise.withResolvers<void>();
    const { events, arrived } = firstPacket();
    const { peer, leave } = await connect({ ...events, onOpen: () => opened.resolve() }, rtp, { at });
    await opened.promise;
    expect((await arrived).equals(rtp)).toBe(true);
    leave();
    peer.close();
  });

  it('F21: carries packets over IPv6 where there is no IPv4', async () => {
    const six = new WebRtcPort(quietLog, openPort);
    await six.open({ host: '::1', port: 0 });
    const { events, arrived } = firstPacket();
    const { peer, leave } = await connect(events, rtp, { at: await six.use(), address: '::1' });
    expect((await arrived).equals(rtp)).toBe(true);
    leave();
    peer.close();
    await six.close();
  });

  it('survives exceptions in all its callbacks, and reports each', async () => {
    const faults: string[] = [];
    const [opened, packet, ended, reached] = [1, 2, 3, 4].map(() => Promise.withResolvers<void>());
    const throwing = (what: string, happened: PromiseWithResolvers<void> | undefined) => () => {
      happened?.resolve();
      throw new Error(what);
    };
    const events: TransportEvents = {
      onReached: throwing('reached', reached),
      onOpen: throwing('open', opened),
      onPacket: throwing('packet', packet),
      onEnd: throwing('end', ended),
      onFault: (error) => {
        faults.push(error instanceof Error ? error.message : String(error));
        throw new Error('even this');
      },
    };
    const first = await connect(events, rtp, { at });
    await Promise.all([reached?.promise, opened?.promise, packet?.promise]);
    expect(first.peer.sendRtcp(Buffer.from('not a packet'))).toBe(false);
    // Peer with a certificate other than the offer's.
    const stranger = `sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`;
    const second = await connect(events, rtp, { at, edit: (sdp) => sdp.replace(/sha-256 .*/g, stranger) });
    await ended?.promise;
    for (const { leave, peer } of [first, second]) {
      leave();
      peer.close();
      expect(peer.sendRtp(rtp, Buffer.alloc(0))).toBe(false);
    }
    expect(new Set(faults)).toEqual(new Set(['reached', 'open', 'packet', 'end']));
  });

  it.concurrent.each(['passive', 'active'] as const)(
    'has DTLS flights repeated by the active side, with an offer that says %s',
    async (setup) => {
      const road = await UdpProxy.open(0, { host: '127.0.0.1', port: at.port });
      const lost = { server: 0, client: 0 };
      // Two of each, so that nothing but what is sent for the third time arrives.
      road.isHole = (bytes, to) => isHandshake(bytes) && lost[to]++ < 2;
      const { events, arrived } = firstPacket();
      const edit = (sdp: string) => sdp.replaceAll('a=setup:actpass', `a=setup:${setup}`);
      const { peer, leave } = await connect(events, rtp, { at, edit, port: road.port });
      const beganMs = performance.now();
      expect((await arrived).equals(rtp)).toBe(true);
      expect(performance.now() - beganMs).toBeLessThan(longestMs[setup]);
      expect(Math.min(lost.server, lost.client)).toBeGreaterThanOrEqual(2);
      leave();
      peer.close();
      road.close();
    },
  );

  it('reserves its port as the plain socket did before', async () => {
    expect(port.state).toEqual({ protocol: 'rtc', port: at.port, ready: true, note: '' });
    const other = createSocket('udp4');
    other.bind(at.port, '127.0.0.1');
    const [error] = await once(other, 'error');
    expect(error).toMatchObject({ code: 'EADDRINUSE' });
  });

  it('starts while its port is taken, reports it, and uses the port once it is free', async () => {
    const holder = createSocket('udp4');
    holder.bind(0, '127.0.0.1');
    await once(holder, 'listening');
    const taken = new WebRtcPort(quietLog, openPort);
    await taken.open({ host: '127.0.0.1', port: holder.address().port });
    expect(taken.state).toMatchObject({ ready: false, note: 'port-taken' });
    await expect(taken.use()).rejects.toThrow('another program uses');
    holder.close();
    await once(holder, 'close');
    await taken.use();
    expect(taken.state).toMatchObject({ ready: true, note: '' });
    await taken.close();
  });
});
