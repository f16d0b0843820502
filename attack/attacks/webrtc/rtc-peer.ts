import { PeerConnection, type Track, type Video } from 'node-datachannel';
import { holds } from '../../attack.ts';
import type { Target } from '../../target.ts';

interface Wanted {
  readonly kind: 'whip' | 'whep';
  /** Name of the stream. */
  readonly name: string;
  readonly video: Video;
  /** Lines that the library does not write, at the end of the offer. */
  readonly more?: readonly string[];
  /** Port to send to instead of the server's own. */
  readonly via?: (port: number) => Promise<number>;
}

/** Connects a peer with a valid DTLS and SRTP session, for attacks inside the session. */
export async function connectPeer(
  target: Target,
  { kind, name, video, more = [], via }: Wanted,
): Promise<{ readonly peer: PeerConnection; readonly track: Track }> {
  const peer = new PeerConnection(name, { iceServers: [], disableAutoNegotiation: true });
  const track = peer.addTrack(video);
  const gathered = Promise.withResolvers<void>();
  peer.onGatheringStateChange((state) => state === 'complete' && gathered.resolve());
  peer.setLocalDescription('offer');
  await gathered.promise;
  const path = `/rtc/v1/${kind}/?app=live&stream=${name}&eip=127.0.0.1&secret=${target.live.secret}`;
  const headers = { 'content-type': 'application/sdp' };
  const body = `${peer.localDescription()?.sdp ?? ''}${more.map((line) => `${line}\r\n`).join('')}`;
  const { status, text } = await target.sendRequest(path, { method: 'POST', headers, body });
  holds(status === 201, `a peer of ${kind} is answered ${status}`);
  const [, port = '0'] = /a=candidate:\S+ 1 udp \d+ 127\.0\.0\.1 (\d+)/.exec(text) ?? [];
  const used = via ? await via(Number(port)) : Number(port);
  peer.setRemoteDescription(text.replaceAll(`127.0.0.1 ${port} typ`, `127.0.0.1 ${used} typ`), 'answer');
  return { peer, track };
}
