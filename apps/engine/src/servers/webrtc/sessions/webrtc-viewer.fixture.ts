import { isRtcp, parseRtp, type RtpPacket } from '@weir/media/rtp';
import { client, place } from '../../../hub/frames.fixture.ts';
import { Stream } from '../../../hub/stream.ts';
import { RtpPackager } from '../../../packagers/rtp/rtp-packager.ts';
import { avcConfig, nalPicture } from '../webrtc.fixture.ts';
import type { PictureExtras } from './packet-sender.ts';
import { WebRtcViewer } from './webrtc-viewer.ts';

/** A stream with a publisher, and viewers whose packets are kept. */
export function openStream() {
  const stream = new Stream({ key: 'live/one', place, returnMs: 60_000, onOver: () => undefined });
  const publication = stream.publish(client());
  publication.config(avcConfig);
  const facts = { empty: 0, asked: 0, over: 0, canAsk: true };
  let packager: RtpPackager | undefined;
  const packagerOf = () => {
    packager ??= new RtpPackager(stream, () => {
      facts.empty += 1;
    });
    return packager;
  };
  const join = (extras: PictureExtras = {}) => {
    const sent: Buffer[] = [];
    const entry = client('rtc-play');
    const viewer = new WebRtcViewer({
      packager: packagerOf(),
      transport: {
        sendRtp: (header, payload) => sent.push(Buffer.concat([header, payload])) > 0,
        sendRtcp: (packet) => sent.push(packet) > 0,
      },
      video: { payloadType: 102, ssrc: 1, ...extras },
      audio: { payloadType: 111, ssrc: 2 },
      cname: 'name',
      counters: entry.counters,
      requestKeyframe: () => {
        facts.asked += 1;
        return facts.canAsk;
      },
      onOver: () => {
        facts.over += 1;
      },
    });
    const got = (ssrc: number): RtpPacket[] =>
      sent.flatMap((bytes) => (isRtcp(bytes) ? [] : (parseRtp(bytes) ?? []))).filter((packet) => packet.ssrc === ssrc);
    return { viewer, sent, got, counters: entry.counters };
  };
  return {
    stream,
    publication,
    facts,
    join,
    packager: packagerOf,
    push: (ms: number, isKeyframe = false, bytes = 100) => publication.frame(nalPicture(ms, isKeyframe, bytes)),
  };
}

export const isContinuous = (packets: readonly RtpPacket[]) =>
  packets.every(
    ({ sequence }, index) => index === 0 || sequence === (((packets[index - 1]?.sequence ?? 0) + 1) & 0xffff),
  );
