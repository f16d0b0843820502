import type { ClientKind } from '../hub/clients/client-info.ts';
import type { ClientEntry } from '../hub/clients/clients.ts';
import type { Hub } from '../hub/hub.ts';
import { kbps, streamUrl, vhostId, wholeMs } from './srs-streams.ts';

/** SRS's words for what a client does: whoever publishes by RTMP is to it Flash's live encoder. */
const clientType: Record<ClientKind, string> = {
  'rtmp-publish': 'fmle-publish',
  'rtmp-play': 'rtmp-play',
  'rtc-publish': 'rtc-publish',
  'rtc-play': 'rtc-play',
  'srt-publish': 'srt-publish',
  'srt-play': 'srt-play',
  'flv-play': 'flv-play',
  'hls-play': 'hls-play',
};

/** `/api/v1/clients`, with rates over 5 s, lost frames and how far behind it is beside SRS's fields. */
export function clientFacts(hub: Hub, entry: ClientEntry) {
  const { info, counters, history, transport } = entry;
  const nowMs = Date.now();
  const { bytesIn, bytesOut } = counters;
  const over5 = history.perSecond(5000, nowMs, bytesIn, bytesOut);
  const over30 = history.perSecond(30_000, nowMs, bytesIn, bytesOut);
  return {
    id: info.id,
    vhost: vhostId(info.place.vhost),
    stream: hub.find(info.place)?.id ?? '',
    ip: info.address,
    pageUrl: info.pageUrl,
    swfUrl: '',
    tcUrl: info.tcUrl,
    url: streamUrl(info.place),
    name: info.place.name,
    type: clientType[info.kind],
    publish: info.kind.endsWith('-publish'),
    alive: Math.max(0, nowMs - info.connectedAt.getTime()) / 1000,
    send_bytes: bytesOut,
    recv_bytes: bytesIn,
    dropped_frames: counters.droppedFrames,
    behind_ms: wholeMs(entry.lag?.()),
    slow: entry.isSlow,
    kbps: {
      recv_5s: kbps(over5.in),
      send_5s: kbps(over5.out),
      recv_30s: kbps(over30.in),
      send_30s: kbps(over30.out),
    },
    transport: transport?.() ?? null,
  };
}
