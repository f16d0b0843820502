import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A player library and how a page plays an address with it. */
interface WebPlayer {
  readonly name: string;
  /** npm package and the file to load; none for native playback. */
  readonly library?: { readonly package: string; readonly file: string };
  readonly protocols: readonly ('HTTP-FLV' | 'HLS' | 'LL-HLS' | 'WHEP')[];
  /** A script that plays `url` in `video`. */
  readonly script: string;
}

const whep = `
  const peer = new RTCPeerConnection();
  for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' });
  video.srcObject = new MediaStream();
  peer.ontrack = ({ track }) => video.srcObject.addTrack(track);
  window.heard = async () => {
    for (const report of (await peer.getStats()).values())
      if (report.type === 'inbound-rtp' && report.kind === 'audio') return (report.totalSamplesReceived ?? report.packetsReceived) > 0;
    return false;
  };
  (async () => {
    await peer.setLocalDescription(await peer.createOffer());
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/sdp' }, body: peer.localDescription.sdp });
    if (answer.status !== 201) throw new Error(answer.status + ' ' + (await answer.text()));
    await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() });
  })().catch((error) => (window.trouble = String(error)));
`;

export const webPlayers: readonly WebPlayer[] = [
  { name: 'the browser itself', protocols: ['HLS', 'LL-HLS'], script: 'video.src = url;' },
  { name: 'the browser itself', protocols: ['WHEP'], script: whep },
  {
    name: 'hls.js',
    library: { package: 'hls.js', file: 'dist/hls.min.js' },
    protocols: ['HLS', 'LL-HLS'],
    script: `
      const hls = new Hls({ lowLatencyMode: true });
      hls.on(Hls.Events.ERROR, (event, data) => (window.trouble = data.details));
      hls.loadSource(url);
      hls.attachMedia(video);`,
  },
  {
    name: 'Shaka',
    library: { package: 'shaka-player', file: 'dist/shaka-player.compiled.js' },
    protocols: ['HLS', 'LL-HLS'],
    script: `
      shaka.polyfill.installAll();
      const player = new shaka.Player();
      player.addEventListener('error', ({ detail }) => (window.trouble = 'code ' + detail.code));
      player.attach(video).then(() => player.load(url)).catch((error) => (window.trouble = 'code ' + error.code));`,
  },
  {
    name: 'video.js',
    library: { package: 'video.js', file: 'dist/video.min.js' },
    protocols: ['HLS', 'LL-HLS'],
    script: `
      const player = videojs(video, { liveui: true, html5: { vhs: { overrideNative: true } } });
      player.on('error', () => (window.trouble = player.error()?.message));
      player.src({ src: url, type: 'application/x-mpegURL' });
      player.play();`,
  },
  {
    name: 'mpegts.js',
    library: { package: 'mpegts.js', file: 'dist/mpegts.js' },
    protocols: ['HTTP-FLV'],
    script: `
      const player = mpegts.createPlayer({ type: 'flv', isLive: true, url }, { enableWorker: false });
      player.on(mpegts.Events.ERROR, (kind, detail) => (window.trouble = detail));
      player.attachMediaElement(video);
      player.load();
      player.play();`,
  },
];

export function libraryText(folder: string, { package: name, file }: { package: string; file: string }): string {
  return readFileSync(join(folder, 'node_modules', name, file), 'utf8');
}

export function libraryVersion(folder: string, { package: name }: { package: string }): string {
  const text = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Makes the page's only element, for every player alike. Sound is off: no browser refuses to start then. */
export const openVideo = `
  document.body.innerHTML = '<video muted autoplay playsinline width="320" height="180"></video>';
  window.video = document.querySelector('video');
  window.trouble = undefined;
  window.heard = async () => (video.webkitAudioDecodedByteCount ?? (video.mozHasAudio ? 1 : 0)) > 0;
  video.addEventListener('error', () => (window.trouble = video.error?.message));
  0`;

/** Playback since the page started, as both browsers report it. */
export const readOutcome = `(async () => ({
  frames: video.getVideoPlaybackQuality().totalVideoFrames - video.getVideoPlaybackQuality().droppedVideoFrames,
  hasSound: await heard(),
  trouble: window.trouble === undefined ? undefined : String(window.trouble).slice(0, 160),
}))()`;
