// Viewers that come and go: `node comers.mjs URL COUNT`. Each connects, waits for its first packet of video, and ends its session.
import process from 'node:process';
import nd from 'node-datachannel';

const [url = '', count = '1'] = process.argv.slice(2);
const together = 20;
nd.initLogger('Fatal', () => undefined);

async function comeAndGo(index) {
  const peer = new nd.PeerConnection(`comer-${index}`, { iceServers: [], disableAutoNegotiation: true });
  const video = new nd.Video('0', 'RecvOnly');
  video.addH264Codec(102, 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f');
  const track = peer.addTrack(video);
  const seen = Promise.withResolvers();
  const gathered = Promise.withResolvers();
  track.onMessage(() => seen.resolve());
  peer.onGatheringStateChange((state) => state === 'complete' && gathered.resolve());
  peer.setLocalDescription('offer');
  await gathered.promise;
  const headers = { 'content-type': 'application/sdp' };
  const response = await fetch(url, { method: 'POST', headers, body: peer.localDescription().sdp });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  peer.setRemoteDescription(await response.text(), 'answer');
  await seen.promise;
  await fetch(new URL(response.headers.get('location') ?? '', url), { method: 'DELETE' });
  peer.close();
}

for (let index = 0; index < Number(count); index += together)
  await Promise.all(Array.from({ length: together }, (_, n) => comeAndGo(index + n)));
process.exit(0);
