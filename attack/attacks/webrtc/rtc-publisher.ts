import { h264Layout, packetizeNals, writeRtpHeader } from '@weir/media/rtp';
import { type PeerConnection, type Track, Video } from 'node-datachannel';
import { UdpProxy } from '../../../tests/media/fixtures/udp-proxy.fixture.ts';
import type { Target } from '../../target.ts';
import { connectPeer } from './rtc-peer.ts';

/** Parameter sets of a 640x360 stream as x264 writes them. */
const parameterSets = ['6742c01eda0280bfe5c044000003000400000300c83c58ba80', '68ce0fc8'];
const picturesPerSecond = 25;
const clockRate = 90_000;
const ssrc = 77;
const payloadType = 96;

/** Publishes small pictures over WHIP, through a proxy whose address the server takes for the publisher's. */
export class RtcPublisher {
  readonly proxy: UdpProxy;
  readonly #peer: PeerConnection;
  readonly #timer: NodeJS.Timeout;
  #sequence = 1;
  #pictures = 0;

  private constructor(peer: PeerConnection, track: Track, proxy: UdpProxy) {
    this.#peer = peer;
    this.proxy = proxy;
    this.#timer = setInterval(() => track.isOpen() && this.#send(track), 1000 / picturesPerSecond);
  }

  static async start(target: Target, name: string): Promise<RtcPublisher> {
    const video = new Video('0', 'SendOnly');
    video.addH264Codec(payloadType);
    video.addSSRC(ssrc, name);
    const opened = Promise.withResolvers<UdpProxy>();
    const via = async (port: number) => {
      const proxy = await UdpProxy.open(0, { host: '127.0.0.1', port });
      opened.resolve(proxy);
      return proxy.port;
    };
    const { peer, track } = await connectPeer(target, { kind: 'whip', name, video, via });
    const proxy = await opened.promise;
    return new RtcPublisher(peer, track, proxy);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#peer.close();
    this.proxy.close();
  }

  #send(track: Track): void {
    const isKeyframe = this.#pictures % picturesPerSecond === 0;
    const slice = Buffer.alloc(500, 0xab);
    slice[0] = isKeyframe ? 0x65 : 0x41;
    const nals = [...(isKeyframe ? parameterSets.map((hex) => Buffer.from(hex, 'hex')) : []), slice];
    const packets = packetizeNals(nals, h264Layout);
    const timestamp = this.#pictures * (clockRate / picturesPerSecond);
    for (const [index, packet] of packets.entries()) {
      writeRtpHeader(packet, payloadType, index === packets.length - 1, this.#sequence++, timestamp, ssrc);
      track.sendMessageBinary(packet);
    }
    this.#pictures += 1;
  }
}
