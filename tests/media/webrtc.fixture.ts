import { type Browser, chromium, type Page } from 'playwright-core';

/** A Chromium with a camera and a microphone of its own making, which also talks to this very machine. */
export function launchCallingBrowser(): Promise<Browser> {
  const args = [
    ...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    ...[
      '--use-fake-device-for-media-stream=device-count=1,fps=30',
      '--use-fake-ui-for-media-stream',
      '--allow-loopback-in-peer-connection',
    ],
    '--autoplay-policy=no-user-gesture-required',
  ];
  return chromium.launch({ executablePath: '/usr/bin/chromium', args });
}

/** The part of a WHIP and WHEP client that runs in the page: `open(url, publishes)` fills `window.call`; with a codec it offers no other. */
const client = `
window.open = async (url, publishes, codec) => {
  const peer = new RTCPeerConnection();
  const call = { peer, states: [], frames: 0, firstFrameMs: undefined, longestGapMs: 0 };
  window.call = call;
  peer.onconnectionstatechange = () => call.states.push(peer.connectionState);
  const video = document.querySelector('video');
  if (publishes) {
    const media = await navigator.mediaDevices.getUserMedia({ audio: true, video: { width: 640, height: 360, frameRate: 30 } });
    for (const track of media.getTracks()) peer.addTransceiver(track, { direction: 'sendonly', streams: [media] });
  } else {
    peer.addTransceiver('video', { direction: 'recvonly' });
    peer.addTransceiver('audio', { direction: 'recvonly' });
    video.srcObject = new MediaStream();
    peer.ontrack = ({ track }) => video.srcObject.addTrack(track);
    let last;
    const onFrame = (now) => {
      if (last === undefined) call.firstFrameMs = performance.now() - call.postedMs;
      else call.longestGapMs = Math.max(call.longestGapMs, now - last);
      last = now;
      call.frames += 1;
      video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
  }
  for (const transceiver of codec === '' ? [] : peer.getTransceivers()) {
    const kind = (transceiver.sender.track ?? transceiver.receiver.track).kind;
    const able = RTCRtpReceiver.getCapabilities('video').codecs.filter(({ mimeType }) => mimeType === 'video/' + codec);
    if (kind === 'video') transceiver.setCodecPreferences(able);
  }
  await peer.setLocalDescription(await peer.createOffer());
  call.postedMs = performance.now();
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/sdp' }, body: peer.localDescription.sdp });
  call.status = answer.status;
  call.location = answer.headers.get('location');
  call.body = await answer.text();
  if (answer.status === 201) await peer.setRemoteDescription({ type: 'answer', sdp: call.body });
};
window.stats = async () => {
  const facts = { frames: call.frames, firstFrameMs: call.firstFrameMs, longestGapMs: call.longestGapMs, state: call.peer.connectionState };
  for (const report of (await call.peer.getStats()).values()) {
    if (report.type === 'inbound-rtp' || report.type === 'outbound-rtp') facts[report.kind] = report;
    if (report.type === 'candidate-pair' && report.nominated) facts.pair = report;
  }
  return facts;
};
`;

interface TrackFacts {
  readonly framesDecoded?: number;
  readonly framesEncoded?: number;
  readonly framesPerSecond?: number;
  readonly freezeCount?: number;
  readonly packetsLost?: number;
  readonly packetsReceived?: number;
  readonly nackCount?: number;
  readonly pliCount?: number;
  readonly totalAudioEnergy?: number;
  readonly frameWidth?: number;
  readonly retransmittedPacketsSent?: number;
}

interface CallFacts {
  readonly state: string;
  readonly frames: number;
  readonly firstFrameMs: number | undefined;
  readonly longestGapMs: number;
  readonly video?: TrackFacts;
  readonly audio?: TrackFacts;
}

/** A page that publishes or plays by WebRTC. */
export class Call {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** `origin` is a page of the server: browsers give a camera to trusted places only. */
  static async open(browser: Browser, origin: string, url: string, publishes: boolean, codec = ''): Promise<Call> {
    const page = await browser.newPage();
    await page.goto(`${origin}/terraform/v1/mgmt/versions`);
    await page.setContent('<video autoplay playsinline></video>');
    await page.evaluate(client);
    await page.evaluate(`open(${JSON.stringify(url)}, ${publishes}, ${JSON.stringify(codec)})`);
    return new Call(page);
  }

  async facts(): Promise<CallFacts> {
    return (await this.page.evaluate('stats()')) as CallFacts;
  }

  async answer(): Promise<{ status: number; location: string | null; body: string }> {
    return (await this.page.evaluate('({ status: call.status, location: call.location, body: call.body })')) as never;
  }

  async states(): Promise<string[]> {
    return (await this.page.evaluate('call.states')) as string[];
  }
}
