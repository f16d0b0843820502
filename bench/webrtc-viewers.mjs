// Many WHEP viewers in one process: `node webrtc-viewers.mjs URL COUNT`. Says "ready" when all are connected, and then
// every second what the first of them received. The others let their packets be decrypted and dropped: counting each in
// JavaScript would load this core more than the server's.
import { randomInt } from 'node:crypto';
import process from 'node:process';
import nd from 'node-datachannel';

const [url = '', count = '1'] = process.argv.slice(2);
const wanted = Number(count);
nd.initLogger('Fatal', () => undefined);
const kept = [];
let connected = 0;
const seen = { packets: 0, bytes: 0 };

/** A receiver report without blocks: the server hears that we are there. */
const report = Buffer.from([0x80, 201, 0, 1, 0, 0, 0, 0]);
report.writeUInt32BE(randomInt(2 ** 32), 4);

async function join(index) {
  const peer = new nd.PeerConnection(`viewer-${index}`, { iceServers: [], disableAutoNegotiation: true });
  const video = new nd.Video('0', 'RecvOnly');
  video.addH264Codec(102, 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f');
  const audio = new nd.Audio('1', 'RecvOnly');
  audio.addOpusCodec(111);
  const tracks = [peer.addTrack(video), peer.addTrack(audio)];
  kept.push({ peer, tracks });
  const isOpen = Promise.withResolvers();
  tracks[0].onOpen(() => {
    connected += 1;
    setInterval(() => tracks[0].isOpen() && tracks[0].sendMessageBinary(report), 2000);
    isOpen.resolve();
  });
  if (index === 0) {
    for (const track of tracks)
      track.onMessage((bytes) => {
        seen.packets += 1;
        seen.bytes += bytes.length;
      });
  }
  const gathered = Promise.withResolvers();
  peer.onGatheringStateChange((state) => state === 'complete' && gathered.resolve());
  peer.setLocalDescription('offer');
  await gathered.promise;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp' },
    body: peer.localDescription().sdp,
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  peer.setRemoteDescription(await response.text(), 'answer');
  await isOpen.promise;
}

for (let index = 0; index < wanted; index += 10)
  await Promise.all(Array.from({ length: Math.min(10, wanted - index) }, (_, n) => join(index + n)));
console.log(JSON.stringify({ event: 'ready', connected }));
setInterval(() => console.log(JSON.stringify({ event: 'seen', ...seen })), 1000);
process.on('SIGTERM', () => process.exit(0));
