import { expect, it } from 'vitest';
import { type RtcRecord, readInbound, readOutbound } from './webrtc-statistics.ts';

const codecs: RtcRecord[] = [
  { id: 'c1', type: 'codec', mimeType: 'video/H264', sdpFmtpLine: 'packetization-mode=1;profile-level-id=42e01f' },
  { id: 'c2', type: 'codec', mimeType: 'audio/opus' },
];
const pair: RtcRecord = {
  id: 'p',
  type: 'candidate-pair',
  nominated: true,
  state: 'succeeded',
  currentRoundTripTime: 0.04,
};

function inbound(atMs: number, part: Record<string, unknown>): RtcRecord[] {
  return [
    { id: 'v', type: 'inbound-rtp', kind: 'video', codecId: 'c1', timestamp: atMs, jitter: 0.005, ...part },
    { id: 'a', type: 'inbound-rtp', kind: 'audio', codecId: 'c2', timestamp: atMs, bytesReceived: 0 },
    pair,
    ...codecs,
  ];
}

it('computes receive rates from two samples', () => {
  const first = readInbound(
    inbound(1000, {
      bytesReceived: 0,
      packetsReceived: 100,
      packetsLost: 0,
      jitterBufferDelay: 1,
      jitterBufferEmittedCount: 10,
    }),
    undefined,
  );
  expect(first.measured).toMatchObject({ bitrateKbps: undefined, delayMs: undefined, progress: 100 });
  const second = readInbound(
    inbound(2000, {
      bytesReceived: 125_000,
      packetsReceived: 195,
      packetsLost: 5,
      jitterBufferDelay: 4,
      jitterBufferEmittedCount: 40,
    }),
    first.counters,
  );
  expect(second.measured).toMatchObject({
    bitrateKbps: 1000,
    delayMs: 120,
    lossPercent: 5,
    jitterMs: 5,
    roundTripMs: 40,
    videoCodec: 'H264 42e01f',
    audioCodec: 'opus',
    progress: 195,
  });
});

it('measures the delay up to decoding if the browser reports it', () => {
  const look = (atMs: number, framesDecoded: number, totalProcessingDelay: number) =>
    inbound(atMs, { framesDecoded, totalProcessingDelay, jitterBufferDelay: 1, jitterBufferEmittedCount: 10 });
  const first = readInbound(look(1000, 25, 1), undefined);
  expect(readInbound(look(2000, 50, 1.5), first.counters).measured.delayMs).toBeCloseTo(40);
});

it('computes send rates from two samples and the limiting factor', () => {
  const sent = (atMs: number, part: Record<string, unknown>): RtcRecord[] => [
    {
      id: 'v',
      type: 'outbound-rtp',
      kind: 'video',
      codecId: 'c1',
      timestamp: atMs,
      frameWidth: 1280,
      frameHeight: 720,
      ...part,
    },
    { id: 'r', type: 'remote-inbound-rtp', kind: 'video', packetsLost: 0 },
    ...codecs,
  ];
  const first = readOutbound(sent(1000, { bytesSent: 0, packetsSent: 0, framesEncoded: 0 }), undefined);
  const { sent: figures } = readOutbound(
    sent(3000, { bytesSent: 500_000, packetsSent: 500, framesEncoded: 60, qualityLimitationReason: 'cpu' }),
    first.counters,
  );
  expect(figures).toMatchObject({
    bitrateKbps: 2000,
    fps: 30,
    width: 1280,
    height: 720,
    lossPercent: 0,
    limitedBy: 'cpu',
  });
});

it('returns no figures for an empty report', () => {
  expect(readInbound([], undefined).measured).toEqual({ progress: 0 });
  expect(readOutbound([], undefined).sent.bitrateKbps).toBeUndefined();
});
