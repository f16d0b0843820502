import { h264Layout, packetizeNals, writeRtpHeader } from '@weir/media/rtp';
import { PeerConnection, type Track, Video } from 'node-datachannel';
import { UdpProxy } from '../../../tests/media/fixtures/udp-proxy.fixture.ts';
import { holds } from '../../attack.ts';
import type { Target } from '../../target.ts';

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
    const peer = new PeerConnection(name, { iceServers: [], disableAutoNegotiation: true });
    const video = new Video('0', 'SendOnly');
    video.addH264Codec(payloadType);
    video.addSSRC(ssrc, name);
    const track = peer.addTrack(video);
    const gathered = Promise.withResolvers<void>();
    peer.onGatheringStateChange((state) => state === 'complete' && gathered.resolve());
    peer.setLocalDescription('offer');
    await gathered.promise;
    const path = `/rtc/v1/whip/?app=live&stream=${name}&eip=127.0.0.1&secret=${target.live.secret}`;
    const headers = { 'content-type': 'application/sdp' };
    const body = peer.localDescription()?.sdp ?? '';
    const { status, text } = await target.ask(path, { method: 'POST', headers, body });
    holds(status === 201, `the publisher is answered ${status}`);
    const [, port = '0'] = /a=candidate:\S+ 1 udp \d+ 127\.0\.0\.1 (\d+)/.exec(text) ?? [];
    const proxy = await UdpProxy.open(0, { host: '127.0.0.1', port: Number(port) });
    peer.setRemoteDescription(text.replaceAll(`127.0.0.1 ${port} typ`, `127.0.0.1 ${proxy.port} typ`), 'answer');
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
