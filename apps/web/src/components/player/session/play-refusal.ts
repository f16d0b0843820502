import type { PlayerSource } from './player-source.ts';

const reasons = [
  'network',
  'site',
  'no-token',
  'invalid',
  'other-stream',
  'expired',
  'not-yet',
  'revoked',
  'address',
  'devices',
] as const;

/** Why a rule of the stream's owner keeps a viewer out. */
export interface PlayRefusal {
  readonly reason: (typeof reasons)[number];
  /** Set where a password opens the stream: its name for viewers. */
  readonly playback?: string | undefined;
}

const withinMs = 2000;

/** Asks a Weir server for the reason of its refusal; undefined if it has none, or the URL is of another server. */
export async function readRefusal(source: PlayerSource): Promise<PlayRefusal | undefined> {
  const url = probeUrl(source);
  if (url === undefined) return undefined;
  try {
    const { status, headers } = await fetch(url, {
      method: 'HEAD',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'strict-origin-when-cross-origin',
      signal: AbortSignal.timeout(withinMs),
    });
    return status === 403 ? parseRefusal(headers.get('x-weir-refusal') ?? '') : undefined;
  } catch {
    return undefined;
  }
}

/** `expired`, or `no-token; password=ID` */
export function parseRefusal(header: string): PlayRefusal | undefined {
  const [first = '', second = ''] = header.split(';').map((part) => part.trim());
  const reason = reasons.find((one) => one === first);
  if (reason === undefined) return undefined;
  const playback = /^password=([a-z0-9]{16})$/.exec(second)?.[1];
  return { reason, playback };
}

/** URL of HTTP-FLV, which answers HEAD without counting a viewer; undefined for what has none. */
export function probeUrl({ kind, url }: PlayerSource): string | undefined {
  const probe = new URL(url);
  if (kind === 'flv') return probe.href;
  if (kind === 'hls' && /\.m3u8$/.test(probe.pathname)) {
    probe.pathname = probe.pathname.replace(/(?:\.ll|\.dvr)?\.m3u8$/, '.flv');
    return probe.href;
  }
  if (kind !== 'whep') return undefined;
  const [app, stream] = [probe.searchParams.get('app') ?? 'live', probe.searchParams.get('stream')];
  if (stream === null) return undefined;
  const path = [...app.split('/'), stream].map(encodeURIComponent).join('/');
  const media = new URL(`/${path}.flv`, probe);
  for (const [name, value] of probe.searchParams) {
    if (name !== 'app' && name !== 'stream') media.searchParams.append(name, value);
  }
  return media.href;
}

/** True for a source whose permission may end while buffered data still plays. */
export function mayOutlivePermission({ kind, url }: PlayerSource): boolean {
  return kind === 'hls' && new URL(url).searchParams.has('token');
}

/** The same source with another playback token. */
export function withToken(source: PlayerSource, token: string): PlayerSource {
  const url = new URL(source.url);
  url.searchParams.set('token', token);
  return { ...source, url: url.href };
}

/** Exchanges the password of a stream for a playback token; throws the status of the answer. */
export async function unlock(source: PlayerSource, playback: string, password: string): Promise<string> {
  const response = await fetch(new URL('/terraform/v1/watch/unlock', source.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ playback, password }),
    credentials: 'omit',
  }).catch(() => undefined);
  if (!response?.ok) throw new UnlockError(response?.status);
  const { data } = (await response.json()) as { data: { token: string } };
  return data.token;
}

/** No token for a password. Without `status` no response arrived. */
export class UnlockError extends Error {
  readonly status: number | undefined;

  constructor(status: number | undefined) {
    super(`status ${status ?? 'none'}`);
    this.status = status;
  }
}
