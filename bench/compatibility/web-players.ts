import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ViewerReport, viewerProbe } from '../../tests/media/fixtures/viewer/viewer-probe.fixture.ts';
import type { BrowserPage } from './browsers.ts';
import { failed, type Outcome, watchSeconds } from './outcome.ts';

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
  (async () => {
    await peer.setLocalDescription(await peer.createOffer());
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/sdp' }, body: peer.localDescription.sdp });
    if (answer.status !== 201) throw new Error(answer.status + ' ' + (await answer.text()));
    await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() });
  })().catch((error) => (window.failure = String(error)));
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
      hls.on(Hls.Events.ERROR, (event, data) => (window.failure = data.details));
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
      player.addEventListener('error', ({ detail }) => (window.failure = 'code ' + detail.code));
      player.attach(video).then(() => player.load(url)).catch((error) => (window.failure = 'code ' + error.code));`,
  },
  {
    name: 'video.js',
    library: { package: 'video.js', file: 'dist/video.min.js' },
    protocols: ['HLS', 'LL-HLS'],
    script: `
      const player = videojs(video, { liveui: true, html5: { vhs: { overrideNative: true } } });
      player.on('error', () => (window.failure = player.error()?.message));
      player.src({ src: url, type: 'application/x-mpegURL' });
      player.play();`,
  },
  {
    name: 'mpegts.js',
    library: { package: 'mpegts.js', file: 'dist/mpegts.js' },
    protocols: ['HTTP-FLV'],
    script: `
      const player = mpegts.createPlayer({ type: 'flv', isLive: true, url }, { enableWorker: false });
      player.on(mpegts.Events.ERROR, (kind, detail) => (window.failure = detail));
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

/** Makes the page's only element, for every player alike. It is muted, because browsers may refuse to start with sound. */
const openVideo = `
  document.body.innerHTML = '<video muted autoplay playsinline width="320" height="180"></video>';
  window.video = document.querySelector('video');
  window.failure = undefined;
  video.addEventListener('error', () => (window.failure = video.error?.message));
  0`;

/** Listens to the decoded audio ten times a second. The element is unmuted, because some browsers capture only what is heard. */
const listen = `(() => {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  const samples = new Float32Array(analyser.fftSize);
  const source = video.srcObject ? context.createMediaStreamSource(video.srcObject) : context.createMediaElementSource(video);
  video.muted = false;
  source.connect(analyser).connect(new GainNode(context, { gain: 0 })).connect(context.destination);
  context.resume();
  window.audio = { checks: 0, heard: 0, clockSeconds: 0 };
  setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    audio.checks += 1;
    audio.clockSeconds = context.currentTime;
    if (Math.sqrt(power) > 0.01) audio.heard += 1;
  }, 100);
})();0`;

interface Played {
  readonly report: ViewerReport;
  readonly audio: { readonly checks: number; readonly heard: number; readonly clockSeconds: number };
}

const startMs = 20_000;

/** Plays an address in a page and reports what a viewer saw and heard from the first frame on. */
export async function playInPage(
  page: BrowserPage,
  libraryText: string,
  script: string,
  url: string,
): Promise<Outcome> {
  await page.run(`${viewerProbe};0`);
  await page.run(openVideo);
  if (libraryText !== '') await page.run(`${libraryText};0`);
  const beganMs = performance.now();
  await page.run(`(() => { const url = ${JSON.stringify(url)};${script} })();0`);
  const error = async () => String((await page.run<string | null>('window.failure')) ?? 'no frame');
  while (!(await page.run<boolean>('video.getVideoPlaybackQuality().totalVideoFrames > 0 && video.currentTime > 0'))) {
    if (performance.now() - beganMs > startMs) return failed(await error());
    await sleep(50);
  }
  const startedMs = performance.now() - beganMs;
  await page.run(listen);
  await page.run('viewer.begin().then(() => 0)');
  await sleep(watchSeconds * 1000);
  const { report, audio } = await page.run<Played>(
    'viewer.report().then((report) => ({ report, audio: window.audio }))',
  );
  // Audio that WebRTC made up for packets that were missing was not heard.
  const share = (audio.heard / Math.max(1, audio.checks)) * (1 - (report.rtc?.concealedShare ?? 0));
  const isAudioMeasured = audio.clockSeconds > watchSeconds / 2;
  const outcome: Outcome = {
    frames: report.framesTotal - report.framesDropped,
    ...(isAudioMeasured && { audioSeconds: Math.round(share * watchSeconds * 10) / 10 }),
    freezes: report.freezes,
    frozenMs: Math.round(report.frozenMs),
    startMs: Math.round(startedMs),
  };
  return outcome.frames > 0 ? outcome : { ...outcome, error: await error() };
}
