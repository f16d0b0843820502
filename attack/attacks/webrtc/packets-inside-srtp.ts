import { setTimeout as sleep } from 'node:timers/promises';
import { writeReceiverReport } from '@weir/media/rtp';
import { type Track, Video } from 'node-datachannel';
import { until } from '../../../tests/weir.fixture.ts';
import { type Attack, holds } from '../../attack.ts';
import type { Target } from '../../target.ts';
import { HostilePackets, hostileExtensions, hostileTypes } from './hostile-packets.ts';
import { connectPeer } from './rtc-peer.ts';
import { RtcPublisher } from './rtc-publisher.ts';

const sessions = 24;
const perSession = 2500;
const together = 50;
const longestGapMs = 1000;
/** A viewer that reports nothing for nine seconds counts as gone. */
const reportEveryMs = 1000;

/** Several layers, a stream of repair, and numbers of the transport: everything that packets can be wrong about. */
const layers = [
  `a=rtcp-fb:${hostileTypes.video} transport-cc`,
  `a=rtpmap:${hostileTypes.repair} rtx/90000`,
  `a=fmtp:${hostileTypes.repair} apt=${hostileTypes.video}`,
  `a=extmap:${hostileExtensions.transport} http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01`,
  `a=extmap:${hostileExtensions.rid} urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id`,
  `a=extmap:${hostileExtensions.repairedRid} urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id`,
  'a=rid:l send',
  'a=rid:h send',
  'a=simulcast:send l;h',
];

async function open(target: Target, kind: 'whip' | 'whep', name: string, more: readonly string[] = []) {
  const video = new Video('0', kind === 'whip' ? 'SendOnly' : 'RecvOnly');
  video.addH264Codec(hostileTypes.video);
  if (kind === 'whip') video.addSSRC(1000, name);
  const connected = await connectPeer(target, { kind, name, video, more });
  await until(() => connected.track.isOpen(), 'the session is secured', 15_000);
  return connected;
}

/** Sends until the server has had enough of this peer; tells how many packets left. */
async function pour(track: Track, next: () => Buffer): Promise<number> {
  let sent = 0;
  for (let n = 0; n < perSession && track.isOpen(); n++) {
    try {
      if (track.sendMessageBinary(next())) sent += 1;
    } catch {
      // The library refuses to encrypt what has no header at all.
    }
    if (n % together === 0) await sleep(1);
  }
  return sent;
}

/** Honest viewer by WebRTC: the longest time without a packet. */
async function watch(target: Target, name: string) {
  const { peer, track } = await open(target, 'whep', name);
  let [lastMs, longest, packets] = [performance.now(), 0, 0];
  track.onMessage(() => {
    const nowMs = performance.now();
    longest = Math.max(longest, nowMs - lastMs);
    lastMs = nowMs;
    packets += 1;
  });
  const report = () => track.isOpen() && track.sendMessageBinary(writeReceiverReport(1, []));
  const reporting = setInterval(report, reportEveryMs);
  await until(() => packets > 25, 'the honest viewer watches');
  longest = 0;
  const close = () => {
    clearInterval(reporting);
    peer.close();
  };
  return { close, longestMs: () => Math.max(longest, performance.now() - lastMs) };
}

export const packetsInsideSrtp: Attack = {
  id: 'S48',
  title: `${sessions * perSession} malformed RTP and RTCP packets inside valid SRTP, by publishers, by publishers of several layers and by viewers`,
  growthMb: 60,
  async run(target) {
    const publisher = await RtcPublisher.start(target, 'honest-camera');
    await until(() => target.live.isLive('honest-camera'), 'the honest publisher is live');
    const honest = await watch(target, 'honest-camera');
    let sent = 0;
    for (let n = 0; n < sessions; n++) {
      const packets = new HostilePackets();
      const isViewer = n % 3 === 2;
      const name = isViewer ? 'honest-camera' : `hostile-${n}`;
      const { peer, track } = await open(target, isViewer ? 'whep' : 'whip', name, n % 3 === 1 ? layers : []);
      // One packet in four of a publisher is a report or a request.
      sent += await pour(track, () => (isViewer || Math.random() < 0.25 ? packets.rtcp() : packets.rtp()));
      peer.close();
    }
    const longest = Math.round(honest.longestMs());
    honest.close();
    publisher.close();
    holds(sent > (sessions * perSession) / 2, `only ${sent} packets could be sent`);
    holds(longest < longestGapMs, `an honest viewer got nothing for ${longest} ms`);
    return `${sent} packets in ${sessions} sessions, an honest viewer waited ${longest} ms at most`;
  },
};
