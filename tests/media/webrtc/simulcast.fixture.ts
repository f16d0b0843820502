import type { Browser, Page } from 'playwright-core';

/** In the page: publishes the camera in three layers, the lowest first as most applications have it. */
const client = `
window.publish = async (url, { width, height, frameRate }, codec) => {
  const peer = new RTCPeerConnection();
  const media = await navigator.mediaDevices.getUserMedia({ audio: true, video: { width, height, frameRate } });
  const [video] = media.getVideoTracks();
  // On a busy machine it shall lose frames rather than size.
  video.contentHint = 'detail';
  const scalabilityMode = 'L1T1';
  const sendEncodings = [
    { rid: 'l', scaleResolutionDownBy: 4, maxBitrate: 150_000 },
    { rid: 'm', scaleResolutionDownBy: 2, maxBitrate: 400_000 },
    { rid: 'h', scaleResolutionDownBy: 1, maxBitrate: 1_200_000 },
  ];
  if (codec) for (const encoding of sendEncodings) encoding.scalabilityMode = scalabilityMode;
  const transceiver = peer.addTransceiver(video, { direction: 'sendonly', streams: [media], sendEncodings });
  const { sender } = transceiver;
  const { codecs } = RTCRtpSender.getCapabilities('video');
  if (codec) transceiver.setCodecPreferences(codecs.filter(({ mimeType }) => mimeType === codec || mimeType.endsWith('/rtx')));
  peer.addTransceiver(media.getAudioTracks()[0], { direction: 'sendonly', streams: [media] });
  window.switchLayer = async (rid, active) => {
    const parameters = sender.getParameters();
    for (const encoding of parameters.encodings) if (encoding.rid === rid) encoding.active = active;
    await sender.setParameters(parameters);
  };
  await peer.setLocalDescription(await peer.createOffer());
  const body = peer.localDescription.sdp;
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/sdp' }, body });
  const sdp = await answer.text();
  if (answer.status === 201) await peer.setRemoteDescription({ type: 'answer', sdp });
  return { status: answer.status, sdp };
};
`;

/** A page that publishes its camera in three layers: `l`, `m` and `h`. */
export class SimulcastPublisher {
  readonly page: Page;
  readonly answer: { readonly status: number; readonly sdp: string };

  private constructor(page: Page, answer: SimulcastPublisher['answer']) {
    this.page = page;
    this.answer = answer;
  }

  /** `codec`: the only one that is offered, such as `video/VP9`; the browser's own choice without it. */
  static async open(browser: Browser, origin: string, url: string, codec = ''): Promise<SimulcastPublisher> {
    const page = await browser.newPage();
    await page.goto(`${origin}/terraform/v1/mgmt/versions`);
    await page.evaluate(client);
    const camera = { width: 640, height: 360, frameRate: 10 };
    const given = [url, camera, codec].map((one) => JSON.stringify(one)).join();
    const answer = await page.evaluate(`publish(${given})`);
    return new SimulcastPublisher(page, answer as SimulcastPublisher['answer']);
  }

  async switchLayer(rid: string, isActive: boolean): Promise<void> {
    await this.page.evaluate(`switchLayer(${JSON.stringify(rid)}, ${isActive})`);
  }
}
