import { type Attack, holds } from '../../attack.ts';

const offers = 300;
const addresses = 8;

/** Offer of a browser that wants to watch. */
export const offerOf = (ufrag: string) =>
  [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=video 9 UDP/TLS/RTP/SAVPF 96',
    'c=IN IP4 0.0.0.0',
    'a=mid:0',
    'a=recvonly',
    'a=rtcp-mux',
    'a=rtpmap:96 H264/90000',
    'a=fmtp:96 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
    `a=ice-ufrag:${ufrag}`,
    'a=ice-pwd:abcdefghijklmnopqrstuvwx',
    `a=fingerprint:sha-256 ${Array(32).fill('AB').join(':')}`,
    'a=setup:actpass',
    '',
  ].join('\r\n');

const offer = offerOf('abcd');

export const unconnectedPeers: Attack = {
  id: 'S41',
  title: `${offers} WebRTC offers from ${addresses} addresses that never connect`,
  growthMb: 150,
  async run(target) {
    const path = '/rtc/v1/whep/?app=live&stream=honest';
    const headers = { 'content-type': 'application/sdp' };
    const counts = new Map<number, number>();
    for (let n = 0; n < offers; n++) {
      const from = `127.0.${20 + (n % addresses)}.1`;
      const { status } = await target.sendRequest(path, { method: 'POST', headers, body: offer, from });
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    const { status } = await target.sendRequest(path, { method: 'POST', headers, body: offer, from: '127.9.0.3' });
    holds(status === 201, `a viewer of another network is answered ${status}`);
    return [...counts].map(([code, count]) => `${count} × ${code}`).join(', ');
  },
};
