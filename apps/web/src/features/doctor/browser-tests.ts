import type { BrowserCheck, DoctorVerdict } from '@weir/contract';
import { deleteSession, OfferRejectedError, postOffer } from '../../components/player/webrtc/signaling.ts';

/** Results of a browser; each has a sentence under `doctor`. */
type BrowserReason =
  | 'http.ok'
  | 'http.failed'
  | 'http.secure'
  | 'https.ok'
  | 'https.failed'
  | 'https.none'
  | 'rtcUdp.ok'
  | 'rtcUdp.failed'
  | 'rtcUdp.refused'
  | 'rtcUdp.unavailable'
  | 'rtcTcp.ok'
  | 'rtcTcp.failed'
  | 'rtcTcp.absent'
  | 'rtcTcp.unavailable';

export interface BrowserFinding {
  readonly check: BrowserCheck;
  readonly verdict: DoctorVerdict;
  readonly reason: BrowserReason;
  readonly facts: Readonly<Record<string, string>>;
}

const answerMs = 8000;
const versionsPath = '/terraform/v1/mgmt/versions';

/** `origin`: empty for the page's own. */
async function isReached(origin: string): Promise<boolean> {
  const init = { cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(answerMs) } as const;
  return fetch(`${origin}${versionsPath}`, init).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function testHttp(): Promise<BrowserFinding> {
  // Browsers block plain requests of secure pages before they leave.
  if (location.protocol === 'https:') return { check: 'http', verdict: 'skipped', reason: 'http.secure', facts: {} };
  const isOk = await isReached('');
  return { check: 'http', verdict: isOk ? 'ok' : 'bad', reason: isOk ? 'http.ok' : 'http.failed', facts: {} };
}

/** `port`: of this server; empty for the default, undefined where HTTPS is off. */
async function testHttps(port: string | undefined): Promise<BrowserFinding> {
  if (port === undefined) return { check: 'https', verdict: 'skipped', reason: 'https.none', facts: {} };
  const origin = `https://${location.hostname}${port === '' ? '' : `:${port}`}`;
  const isOk = await isReached(location.protocol === 'https:' ? '' : origin);
  const facts = { port: port || '443' };
  return { check: 'https', verdict: isOk ? 'ok' : 'warn', reason: isOk ? 'https.ok' : 'https.failed', facts };
}

type Transport = 'udp' | 'tcp';

/** The answer with candidates of one transport only, and where they lead. */
export function onlyTransport(answer: string, transport: Transport): { sdp: string; addresses: string[] } {
  const addresses: string[] = [];
  const lines = answer.split(/\r?\n/).filter((line) => {
    const [, carrier = '', address = '', port = ''] = /^a=candidate:\S+ \d+ (\S+) \d+ (\S+) (\d+)/.exec(line) ?? [];
    if (carrier === '') return true;
    if (carrier.toLowerCase() !== transport) return false;
    addresses.push(address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`);
    return true;
  });
  return { sdp: lines.join('\r\n'), addresses: [...new Set(addresses)] };
}

/** Connects to the server by ICE and DTLS, without media. */
async function connect(transport: Transport, ticket: string): Promise<BrowserFinding> {
  const check = transport === 'udp' ? 'rtcUdp' : 'rtcTcp';
  const peer = new RTCPeerConnection();
  let location: string | undefined;
  try {
    peer.addTransceiver('audio', { direction: 'sendonly' });
    await peer.setLocalDescription();
    const url = `/rtc/v1/test/?ticket=${encodeURIComponent(ticket)}`;
    const posted = await postOffer(url, peer.localDescription?.sdp ?? '', AbortSignal.timeout(answerMs));
    location = posted.location;
    const { sdp, addresses } = onlyTransport(posted.answer, transport);
    if (addresses.length === 0) return { check: 'rtcTcp', verdict: 'skipped', reason: 'rtcTcp.absent', facts: {} };
    const began = performance.now();
    const connected = isConnected(peer);
    await peer.setRemoteDescription({ type: 'answer', sdp });
    const isOk = await connected;
    // Closing a connection ends its session; one that never came would wait for the server's patience.
    if (isOk) location = undefined;
    const facts = { addresses: addresses.join(', '), ms: String(Math.max(1, Math.round(performance.now() - began))) };
    return { check, verdict: isOk ? 'ok' : 'bad', reason: `${check}.${isOk ? 'ok' : 'failed'}`, facts };
  } catch (error) {
    const status = error instanceof OfferRejectedError ? String(error.status) : '';
    if (status === '' || check === 'rtcTcp')
      return { check, verdict: 'skipped', reason: `${check}.unavailable`, facts: {} };
    return { check, verdict: 'bad', reason: 'rtcUdp.refused', facts: { status } };
  } finally {
    peer.close();
    if (location) deleteSession(location);
  }
}

function isConnected(peer: RTCPeerConnection): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), answerMs);
    peer.addEventListener('connectionstatechange', () => {
      const { connectionState } = peer;
      if (connectionState !== 'connected' && connectionState !== 'failed') return;
      clearTimeout(timer);
      resolve(connectionState === 'connected');
    });
  });
}

interface BrowserTests {
  readonly httpsPort: string | undefined;
  /** Empty where the server has no WebRTC test. */
  readonly rtcTicket: string;
}

/** Tests from the visitor's own network; each calls back when it is done. */
export async function runBrowserTests(
  { httpsPort, rtcTicket }: BrowserTests,
  onFinding: (finding: BrowserFinding) => void,
): Promise<void> {
  const isAble = rtcTicket !== '' && 'RTCPeerConnection' in globalThis;
  const rtc = async (transport: Transport): Promise<BrowserFinding> => {
    const check = transport === 'udp' ? 'rtcUdp' : 'rtcTcp';
    if (!isAble) return { check, verdict: 'skipped', reason: `${check}.unavailable`, facts: {} };
    return connect(transport, rtcTicket);
  };
  const tests = [testHttp(), testHttps(httpsPort), rtc('udp'), rtc('tcp')];
  await Promise.all(tests.map(async (test) => onFinding(await test)));
}
