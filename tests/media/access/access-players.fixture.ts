import { TestCaller } from '../../../apps/engine/src/servers/srt/worker/srt-caller.fixture.ts';
import { RtmpPeer } from '../../../attack/rtmp-peer.ts';
import { until } from '../../weir.fixture.ts';
import type { Live } from '../fixtures/live.fixture.ts';

/** Player of a viewer who watches, or was refused. */
interface Player {
  readonly isPlaying: boolean;
  /** False once the server has ended it, or refuses what it asks for next. */
  goesOn(): Promise<boolean>;
  close(): void | Promise<void>;
}

type Open = (live: Live, app: string, stream: string, token: string) => Promise<Player>;

const refused: Player = { isPlaying: false, goesOn: async () => false, close: () => undefined };
const query = (token: string) => (token === '' ? '' : `?token=${token}`);

/** The addresses in a playlist, resolved. */
export function urisOf(text: string, base: string): string[] {
  const attributes = [...text.matchAll(/URI="([^"]+)"/g)].map(([, uri = '']) => uri);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return [...attributes, ...lines].map((uri) => new URL(uri, base).href);
}

async function flv(live: Live, app: string, stream: string, token: string): Promise<Player> {
  const abort = new AbortController();
  const url = `${live.weir.origin}/${app}/${stream}.flv${query(token)}`;
  const response = await fetch(url, { signal: abort.signal });
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel();
    return refused;
  }
  const reader = response.body.getReader();
  const first = await reader.read();
  let isOver = first.done;
  const read = async () => {
    while (!isOver) isOver = (await reader.read()).done;
  };
  read().catch(() => {
    isOver = true;
  });
  return { isPlaying: !isOver, goesOn: async () => !isOver, close: () => abort.abort() };
}

/** HEAD of HTTP-FLV, by which players look whether a stream is there. */
async function flvHead(live: Live, app: string, stream: string, token: string): Promise<Player> {
  const ask = async () => {
    const { status } = await fetch(`${live.weir.origin}/${app}/${stream}.flv${query(token)}`, { method: 'HEAD' });
    return status === 200;
  };
  return { isPlaying: await ask(), goesOn: ask, close: () => undefined };
}

async function cues(live: Live, app: string, stream: string, token: string): Promise<Player> {
  const ask = async () => {
    const { status } = await fetch(`${live.weir.origin}/${app}/${stream}.cues${query(token)}`);
    return status === 204;
  };
  return { isPlaying: await ask(), goesOn: ask, close: () => undefined };
}

/** Master, variant and the newest piece, each as the one before names it. */
const hls =
  (suffix: string, originOf = (live: Live) => live.weir.origin): Open =>
  async (live, app, stream, token) => {
    const at = `${originOf(live)}/${app}/${stream}${suffix}${query(token)}`;
    const read = async (url: string) => {
      const response = await fetch(url);
      return { ok: response.ok, text: await response.text() };
    };
    const master = await read(at);
    if (!master.ok) return refused;
    // An edge answers with the playlist itself.
    const variant = urisOf(master.text, at).find((uri) => uri.includes('.m3u8')) ?? at;
    const goesOn = async () => {
      const list = await read(variant);
      if (!list.ok) return false;
      const piece = urisOf(list.text, variant).filter((uri) => /\.(?:ts|m4s)(?:\?|$)/.test(uri))[0] ?? '';
      const { status, body } = await fetch(piece);
      await body?.cancel();
      return status === 200;
    };
    return { isPlaying: await goesOn(), goesOn, close: () => undefined };
  };

async function rtmp(live: Live, app: string, stream: string, token: string): Promise<Player> {
  const peer = new RtmpPeer({ port: live.weir.rtmpPort, mode: 'play', app, name: `${stream}${query(token)}` });
  await peer.begun();
  const isPlaying = peer.events.some(({ type }) => type === 'started');
  return { isPlaying, goesOn: async () => !peer.hasEnded, close: () => peer.close() };
}

async function srt(live: Live, app: string, stream: string, token: string): Promise<Player> {
  const id = `#!::r=${app}/${stream}${token === '' ? '' : `,token=${token}`},m=request`;
  const before = await srtClients(live);
  const caller = await TestCaller.dial(live.weir.srtPort, id);
  let isListed = false;
  await until(async () => {
    // A client that left before may still be listed.
    isListed = [...(await srtClients(live))].some((id) => !before.has(id));
    return isListed || !caller.isConnected;
  }, 'the caller is listed, or refused');
  return { isPlaying: isListed, goesOn: async () => caller.isConnected, close: () => caller.close() };
}

async function srtClients(live: Live): Promise<ReadonlySet<string>> {
  const { clients } = (await live.post('/api/v1/clients?count=100')) as unknown as {
    clients: { id: string; type: string }[];
  };
  return new Set(clients.filter(({ type }) => type === 'srt-play').map(({ id }) => id));
}

const offer = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'm=video 9 UDP/TLS/RTP/SAVPF 102',
  'c=IN IP4 0.0.0.0',
  'a=ice-ufrag:VHfH',
  'a=ice-pwd:palfAOTpLMphV+C/miu7DJ/b',
  `a=fingerprint:sha-256 ${new Array(32).fill('61').join(':')}`,
  'a=setup:actpass',
  'a=mid:0',
  'a=recvonly',
  'a=rtcp-mux',
  'a=rtpmap:102 H264/90000',
  'a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  '',
].join('\r\n');

/** Each with a name of its own for ICE. */
export function whepOffer(): string {
  return offer.replace('VHfH', Math.random().toString(36).slice(2, 10));
}

async function whep(live: Live, app: string, stream: string, token: string): Promise<Player> {
  const url = `${live.weir.origin}/rtc/v1/whep/?app=${app}&stream=${stream}${query(token).replace('?', '&')}`;
  const response = await fetch(url, {
    method: 'POST',
    body: whepOffer(),
    headers: { 'content-type': 'application/sdp' },
  });
  await response.text();
  if (response.status !== 201) return refused;
  return rtcSession(new URL(response.headers.get('location') ?? '', live.weir.origin));
}

/** The call of SRS's own players, from before WHEP. */
async function srsPlay(live: Live, app: string, stream: string, token: string): Promise<Player> {
  const streamurl = `webrtc://127.0.0.1/${app}/${stream}${query(token)}`;
  const body = JSON.stringify({ api: '', streamurl, sdp: whepOffer() });
  const response = await fetch(`${live.weir.origin}/rtc/v1/play/`, { method: 'POST', body });
  const answer = (await response.json()) as { code: number; sessionid: string; token: string };
  if (answer.code !== 0) return refused;
  const named = new URLSearchParams({ session: answer.sessionid, token: answer.token });
  return rtcSession(new URL(`/rtc/v1/whep/?${named}`, live.weir.origin));
}

/** A session that was ended is not there any more. */
function rtcSession(resource: URL): Player {
  const goesOn = async () => {
    const { status } = await fetch(resource, {
      method: 'PATCH',
      headers: { 'content-type': 'application/trickle-ice-sdpfrag' },
      body: '',
    });
    return status === 204;
  };
  const close = async () => void (await fetch(resource, { method: 'DELETE' }));
  return { isPlaying: true, goesOn, close };
}

/** Every way to see something of a stream, but for those through an edge. */
export const protocols: Readonly<Record<string, Open>> = {
  flv,
  'flv-head': flvHead,
  hls: hls('.m3u8'),
  'll-hls': hls('.ll.m3u8'),
  cues,
  rtmp,
  srt,
  whep,
  'srs-play': srsPlay,
};

/** The same through an edge at this address. */
export function throughEdge(origin: string): Readonly<Record<string, Open>> {
  return { hls: hls('.m3u8', () => origin), 'll-hls': hls('.ll.m3u8', () => origin) };
}
