/** Statistics of a connection since it was opened, from libsrt. */
export interface SrtFacts extends Readonly<Record<string, number>> {
  readonly rttMs: number;
  /** libsrt's estimate of the link's capacity. */
  readonly bandwidthMbps: number;
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly packetsLost: number;
  readonly packetsRetransmitted: number;
  /** Packets that were given up: too late, or undecipherable. */
  readonly packetsDropped: number;
  /** Packets sent and not yet confirmed. */
  readonly bytesUnconfirmed: number;
}

/** Negotiated parameters. */
export interface SrtAgreement {
  /** Receive window of the peer in packets. */
  readonly window: number;
  /** Time that libsrt waits for missing packets before it continues without them; 0 for no limit. */
  readonly latencyMs: number;
  /** The peer's time of this kind, for packets that we send. */
  readonly peerLatencyMs: number;
  /** True if the receive buffer is larger than that of a player. */
  readonly receivesMedia: boolean;
}

/** Bytes of the receive buffer of a player, who has nothing to send. */
export const playerReceiveBytes = 32 * 1456;

/** A field of `SRT_TRACEBSTATS`; 64-bit ones may come as bigint. */
export type SrtPerf = Readonly<Record<string, number | bigint>>;

const fieldsOf = (type: string, names: string) => names.split(' ').map((name) => [name, type] as const);

/** `SRT_TRACEBSTATS` of libsrt 1.5, and room for what a later one may add at its end. */
export const perfFields: Record<string, string> = Object.fromEntries([
  ...fieldsOf('int64_t', 'msTimeStamp pktSentTotal pktRecvTotal'),
  ...fieldsOf('int', 'pktSndLossTotal pktRcvLossTotal pktRetransTotal'),
  ...fieldsOf('int', 'pktSentACKTotal pktRecvACKTotal pktSentNAKTotal pktRecvNAKTotal'),
  ...fieldsOf('int64_t', 'usSndDurationTotal'),
  ...fieldsOf('int', 'pktSndDropTotal pktRcvDropTotal pktRcvUndecryptTotal'),
  ...fieldsOf('int64_t', 'byteSentTotal byteRecvTotal byteRcvLossTotal byteRetransTotal'),
  ...fieldsOf('int64_t', 'byteSndDropTotal byteRcvDropTotal byteRcvUndecryptTotal'),
  ...fieldsOf('int64_t', 'pktSent pktRecv'),
  ...fieldsOf('int', 'pktSndLoss pktRcvLoss pktRetrans pktRcvRetrans'),
  ...fieldsOf('int', 'pktSentACK pktRecvACK pktSentNAK pktRecvNAK'),
  ...fieldsOf('double', 'mbpsSendRate mbpsRecvRate'),
  ...fieldsOf('int64_t', 'usSndDuration'),
  ...fieldsOf('int', 'pktReorderDistance'),
  ...fieldsOf('double', 'pktRcvAvgBelatedTime'),
  ...fieldsOf('int64_t', 'pktRcvBelated'),
  ...fieldsOf('int', 'pktSndDrop pktRcvDrop pktRcvUndecrypt'),
  ...fieldsOf('int64_t', 'byteSent byteRecv byteRcvLoss byteRetrans byteSndDrop byteRcvDrop byteRcvUndecrypt'),
  ...fieldsOf('double', 'usPktSndPeriod'),
  ...fieldsOf('int', 'pktFlowWindow pktCongestionWindow pktFlightSize'),
  ...fieldsOf('double', 'msRTT mbpsBandwidth'),
  ...fieldsOf('int', 'byteAvailSndBuf byteAvailRcvBuf'),
  ...fieldsOf('double', 'mbpsMaxBW'),
  ...fieldsOf('int', 'byteMSS pktSndBuf byteSndBuf msSndBuf msSndTsbPdDelay'),
  ...fieldsOf('int', 'pktRcvBuf byteRcvBuf msRcvBuf msRcvTsbPdDelay'),
  ...Array.from({ length: 64 }, (_, n) => [`later${n}`, 'int64_t'] as const),
]);

/** libsrt reports its own latency even if the peer uses none. A peer that sends timestamps uses latency in both directions. */
export function srtAgreement(perf: SrtPerf): SrtAgreement {
  const { pktFlowWindow = 0, msRcvTsbPdDelay = 0, msSndTsbPdDelay = 0, byteAvailRcvBuf = 0 } = perf;
  const peerLatencyMs = Number(msSndTsbPdDelay);
  return {
    window: Number(pktFlowWindow),
    latencyMs: peerLatencyMs > 0 ? Number(msRcvTsbPdDelay) : 0,
    peerLatencyMs,
    receivesMedia: Number(byteAvailRcvBuf) > playerReceiveBytes,
  };
}

export function srtFacts(perf: SrtPerf): SrtFacts {
  const value = (name: string) => Number(perf[name] ?? 0);
  const rounded = (name: string) => Math.round(value(name) * 100) / 100;
  return {
    rttMs: rounded('msRTT'),
    bandwidthMbps: rounded('mbpsBandwidth'),
    packetsSent: value('pktSentTotal'),
    packetsReceived: value('pktRecvTotal'),
    packetsLost: value('pktSndLossTotal') + value('pktRcvLossTotal'),
    packetsRetransmitted: value('pktRetransTotal'),
    packetsDropped: value('pktSndDropTotal') + value('pktRcvDropTotal') + value('pktRcvUndecryptTotal'),
    bytesUnconfirmed: value('byteSndBuf'),
  };
}
