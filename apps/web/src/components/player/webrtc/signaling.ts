import { readQuality } from '@weir/streams';

/** The server rejected an offer; `message` is its own text, if any. */
export class OfferRejectedError extends Error {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface OfferAnswer {
  readonly answer: string;
  /** URL that ends the session; undefined if the server sent none. */
  readonly location: string | undefined;
  /** Names of the qualities that a viewer may choose, best first. */
  readonly qualities: readonly string[];
}

/** Far above any real SDP answer. */
const longestAnswer = 256 * 1024;
const longestMessage = 300;

/** Posts an offer to a WHIP or WHEP endpoint (RFC 9725, 4.2). */
export async function postOffer(url: string, offer: string, signal: AbortSignal): Promise<OfferAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp' },
    body: offer,
    signal,
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  });
  const text = await response.text();
  // Servers older than the RFC answer 200.
  if (response.status !== 201 && response.status !== 200) {
    throw new OfferRejectedError(
      response.status,
      parseRefusal(text),
      parseRetryAfter(response.headers.get('retry-after')),
    );
  }
  if (!text.startsWith('v=0') || text.length > longestAnswer) {
    throw new OfferRejectedError(response.status, parseRefusal(text) || 'the answer is not a session description');
  }
  const qualities = parseQualities(response.headers.get('weir-qualities'));
  return {
    answer: text,
    location: resolveSessionUrl(response.headers.get('location'), response.url || url),
    qualities,
  };
}

/** Ends a session without waiting; the server would notice by itself, only later. */
export function deleteSession(location: string): void {
  // keepalive: the request must outlive the page.
  fetch(location, { method: 'DELETE', keepalive: true, credentials: 'omit' }).catch(() => undefined);
}

/** Requests a quality for the running session; without a name the line decides. After a failure the next session requests it again. */
export function chooseSessionQuality(location: string, quality: string | undefined): void {
  const body = JSON.stringify({ quality: quality ?? null });
  const headers = { 'content-type': 'application/json' };
  fetch(location, { method: 'PATCH', headers, body, credentials: 'omit' }).catch(() => undefined);
}

/** True if the server no longer knows the session. An empty PATCH (RFC 9725, 4.4) changes nothing. */
export async function isSessionGone(location: string): Promise<boolean> {
  const headers = { 'content-type': 'application/trickle-ice-sdpfrag' };
  const answer = await fetch(location, { method: 'PATCH', headers, body: '', credentials: 'omit' });
  return answer.status === 404;
}

/** `Location` may be relative (RFC 9110, 10.2.2). Only HTTP and HTTPS are accepted. */
export function resolveSessionUrl(location: string | null, base: string): string | undefined {
  if (!location || !URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** `720p, 360p`; anything else is left out. */
export function parseQualities(header: string | null): readonly string[] {
  const names = (header ?? '').slice(0, 200).split(',');
  return names.map((name) => name.trim()).filter((name) => readQuality(`quality=${name}`) !== undefined);
}

/** Seconds only; a date would depend on the server's clock. */
export function parseRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header.trim()) ? Number(header) : undefined;
}

/** Message of a rejection: problem details (RFC 9457), our own envelope, or short plain text. */
export function parseRefusal(body: string): string {
  const text = body.trim();
  const parsed = parseRecord(text);
  if (!parsed) return text.startsWith('<') ? '' : text.slice(0, longestMessage);
  const { data } = parsed;
  const inner = typeof data === 'object' && data !== null && 'message' in data ? data.message : undefined;
  const said = [inner, parsed.detail, parsed.title, parsed.message, parsed.error].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof said === 'string' ? said.slice(0, longestMessage) : '';
}

function parseRecord(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
