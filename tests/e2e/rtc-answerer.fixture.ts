import type { Page, Route } from 'playwright-core';

/**
 * The other end of WHIP and WHEP, in a page of the same browser: it answers offers, sends a fake camera to whoever
 * wants to receive, and counts what it gets from whoever sends.
 */
const script = `
  globalThis.peers = [];
  globalThis.answer = async (offer) => {
    const peer = new RTCPeerConnection();
    peers.push(peer);
    await peer.setRemoteDescription({ type: 'offer', sdp: offer });
    if (offer.includes('a=recvonly')) {
      const media = await navigator.mediaDevices.getUserMedia({ video: true, audio: true });
      for (const transceiver of peer.getTransceivers()) {
        const track = media.getTracks().find(({ kind }) => kind === transceiver.receiver.track.kind);
        await transceiver.sender.replaceTrack(track);
        transceiver.direction = 'sendonly';
      }
    }
    await peer.setLocalDescription();
    while (peer.iceGatheringState !== 'complete') {
      await new Promise((resolve) => peer.addEventListener('icegatheringstatechange', resolve, { once: true }));
    }
    return peer.localDescription.sdp;
  };
  globalThis.received = async () => {
    const totals = { frames: 0, audioPackets: 0, codec: '' };
    for (const peer of peers) {
      if (peer.connectionState === 'closed') continue;
      const report = await peer.getStats();
      for (const record of report.values()) {
        if (record.type !== 'inbound-rtp') continue;
        if (record.kind === 'audio') totals.audioPackets += record.packetsReceived;
        else {
          totals.frames += record.framesDecoded;
          totals.codec = report.get(record.codecId)?.mimeType ?? '';
        }
      }
    }
    return totals;
  };
  globalThis.hangUp = () => { for (const peer of peers) peer.close(); };
`;

export class RtcAnswerer {
  readonly #page: Page;
  readonly posts: { url: string; offer: string }[] = [];
  readonly deleted: string[] = [];
  /** Given instead of an answer, while set. */
  refusal: { status: number; body: string; headers?: Record<string, string> } | undefined;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** `page` must be one that may use a camera. */
  static async open(page: Page): Promise<RtcAnswerer> {
    await page.evaluate(script);
    return new RtcAnswerer(page);
  }

  readonly serve = async (route: Route): Promise<void> => {
    const request = route.request();
    if (request.method() === 'DELETE') {
      this.deleted.push(new URL(request.url()).pathname);
      await route.fulfill({ status: 200 });
      return;
    }
    const offer = request.postData() ?? '';
    this.posts.push({ url: request.url(), offer });
    if (this.refusal) {
      await route.fulfill(this.refusal);
      return;
    }
    const body = String(await this.#page.evaluate(`answer(${JSON.stringify(offer)})`));
    const headers = { location: `session/${this.posts.length}`, 'content-type': 'application/sdp' };
    await route.fulfill({ status: 201, headers, body });
  };

  async received(): Promise<{ frames: number; audioPackets: number; codec: string }> {
    return (await this.#page.evaluate('received()')) as { frames: number; audioPackets: number; codec: string };
  }

  /** As a server that restarts: every session is gone without a word. */
  async hangUp(): Promise<void> {
    await this.#page.evaluate('hangUp()');
  }
}
