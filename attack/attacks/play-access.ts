import { setTimeout as sleep } from 'node:timers/promises';
import { SyntheticPublisher } from '../../tests/media/fixtures/synthetic-publisher.fixture.ts';
import { until } from '../../tests/weir.fixture.ts';
import { type Attack, holds } from '../attack.ts';
import type { Target } from '../target.ts';

const suffixes = ['.m3u8', '.ll.m3u8'];
const timed = 400;
/** Difference of two medians that the machine alone makes. What a byte-wise comparison of a signature would add is less than that. */
const mostGapMs = 0.3;
/** Within this time of a revocation nobody watches any more. */
const endMs = 2000;

interface Link {
  readonly id: string;
  readonly token: string;
}

/** Addresses named by playlists, as a viewer requests them. */
interface Chain {
  readonly variant: string;
  readonly pieces: readonly string[];
}

export const playAccess: Attack = {
  id: 'S23',
  title:
    'signatures of HLS pieces and playback tokens: missing, changed, forged, expired, of other pieces and streams, replayed after revocation, and timed',
  growthMb: 80,
  async run(target) {
    const { live } = target;
    const publishers = await Promise.all(['guarded', 'other'].map((name) => publish(target, name)));
    try {
      await call(target, 'hlsll/update', { hlsLowLatency: true });
      for (const name of ['guarded', 'other']) {
        await call(target, 'access/update', { pattern: `/live/${name}`, mode: 'link' });
      }
      const link = await makeLink(target, 'guarded', 600);
      const foreign = await makeLink(target, 'other', 600);
      const short = await makeLink(target, 'guarded', 2);
      const status = async (path: string) => (await target.sendRequest(path)).status;
      let refused = 0;
      const isRefused = async (path: string, what: string) => {
        const got = await status(path);
        holds([400, 403, 404].includes(got), `${what} is answered ${got}: ${path.slice(0, 80)}`);
        refused += 1;
      };

      const read = (name: string, token: string) =>
        Promise.all(suffixes.map((suffix) => readChain(target, `/live/${name}${suffix}?token=${token}`)));
      const pieces = (await read('guarded', link.token)).flatMap((chain) => chain.pieces);
      const others = (await read('other', foreign.token)).flatMap((chain) => chain.pieces);
      for (const [n, piece] of pieces.entries()) {
        const { path, sign } = partsOf(piece);
        const another = partsOf(pieces[(n + 1) % pieces.length] ?? '').sign;
        await isRefused(path, 'a piece without a signature');
        await isRefused(`${path}?token=${link.token}`, 'a piece with a token in place of a signature');
        await isRefused(`${path}?sign=${another}`, 'a piece with the signature of another one');
        await isRefused(`${path}?sign=${flip(sign, 0)}`, 'a piece with a changed time of signing');
        await isRefused(`${path}?sign=${flip(sign, sign.indexOf('.') + 1)}`, 'a piece with a changed signature');
        await isRefused(`${path}?sign=${flip(sign, sign.length - 1)}`, 'a piece with a changed signature');
        for (const spelling of otherSpellings(path))
          await isRefused(spelling, 'a piece whose path is spelled otherwise');
        await isRefused(`${partsOf(others[n % others.length] ?? '').path}?sign=${sign}`, 'a piece of another stream');
      }
      for (const [token, what] of forgedTokens(link.token, foreign.token)) {
        for (const suffix of [...suffixes, '.flv']) await isRefused(`/live/guarded${suffix}?token=${token}`, what);
      }
      const isExpired = async () => (await status(`/live/guarded.m3u8?token=${short.token}`)) === 403;
      await until(isExpired, 'the link has expired');

      const gapMs = await compareTimes(target, pieces[0] ?? '');
      holds(gapMs < mostGapMs, `wrong signatures are refused ${gapMs.toFixed(2)} ms apart`);

      const last = await read('guarded', link.token);
      await call(target, 'access/revoke', { id: link.id });
      await sleep(endMs);
      for (const { variant, pieces: late } of last) {
        await isRefused(variant, 'the playlist of a viewer whose link was revoked');
        for (const piece of late) await isRefused(piece, 'a piece that a revoked viewer had learned of');
      }
      for (const suffix of suffixes) await isRefused(`/live/guarded${suffix}?token=${link.token}`, 'a revoked link');
      holds((await status(`/live/other.m3u8?token=${foreign.token}`)) === 200, 'viewers of another stream are refused');
      for (const { token } of [link, foreign, short]) holds(!live.weir.output.includes(token), 'a token is in the log');
      return `${refused} requests refused; wrong signatures ${gapMs.toFixed(2)} ms apart in the median`;
    } finally {
      for (const publisher of publishers) publisher.close();
    }
  },
};

async function publish({ live }: Target, name: string): Promise<SyntheticPublisher> {
  const { rtmpPort: port } = live.weir;
  const publisher = await SyntheticPublisher.start({ port, name: `${name}?secret=${live.secret}`, kbps: 300 });
  await until(() => live.isLive(name), `${name} is live`);
  return publisher;
}

async function call({ live }: Target, path: string, body: object): Promise<unknown> {
  const { code, data } = await live.post(`/terraform/v1/mgmt/${path}`, body);
  holds(code === 0, `${path} is answered ${code}`);
  return data;
}

async function makeLink(target: Target, stream: string, seconds: number): Promise<Link> {
  const expiresAt = new Date(Date.now() + seconds * 1000).toISOString();
  return (await call(target, 'access/link', { app: 'live', stream, expiresAt })) as Link;
}

/** Follows the address of a master playlist to a media playlist and its pieces. */
async function readChain(target: Target, master: string): Promise<Chain> {
  const read = async (path: string) => {
    const { status, text } = await target.sendRequest(path);
    return status === 200 ? text : '';
  };
  let variant = '';
  let pieces: string[] = [];
  const isReady = async () => {
    variant = urisOf(await read(master), master).find((uri) => uri.includes('.m3u8')) ?? '';
    pieces = variant === '' ? [] : urisOf(await read(variant), variant).filter((uri) => uri.includes('sign='));
    return pieces.length >= 2;
  };
  await until(isReady, `pieces of ${master.slice(0, 24)}`);
  const { status } = await target.sendRequest(pieces[0] ?? '');
  holds(status === 200, `the viewer is answered ${status}`);
  return { variant, pieces: pieces.slice(0, 4) };
}

function urisOf(text: string, base: string): string[] {
  const attributes = [...text.matchAll(/URI="([^"]+)"/g)].map(([, uri = '']) => uri);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return [...attributes, ...lines].map((uri) => {
    const { pathname, search } = new URL(uri, `http://server${base}`);
    return pathname + search;
  });
}

function partsOf(piece: string): { path: string; sign: string } {
  const url = new URL(piece, 'http://server');
  return { path: url.pathname, sign: url.searchParams.get('sign') ?? '' };
}

function flip(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1);
}

/** Unsigned, in case the rule is found by the text of the path. */
function otherSpellings(path: string): readonly string[] {
  return [
    path.replace('guarded', '%67uarded'),
    path.replace('/live/', '/%6Cive/'),
    path.replace('/live/', '/live%2F'),
    path.replace('/live/', '/__defaultVhost__//live/'),
    path.replace('/live/', '/live//'),
    path.replace('/live/', '/live/./'),
    path.replace('/live/', '/live/other/../'),
    `/${path}`,
  ];
}

function forgedTokens(token: string, foreign: string): readonly (readonly [token: string, what: string])[] {
  const [head = '', body = '', signature = ''] = token.split('.');
  const [, , foreignSignature = ''] = foreign.split('.');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  const header = decode(head);
  const claims = decode(body);
  return [
    ['', 'no token'],
    [foreign, 'the token of another stream'],
    [`${head}.${body}.`, 'a token without a signature'],
    [`${head}.${body}.${flip(signature, 0)}`, 'a token with a changed signature'],
    [`${head}.${body}.${foreignSignature}`, 'a token with the signature of another one'],
    [`${encode({ ...header, alg: 'none' })}.${body}.`, 'an unsigned token'],
    [`${encode({ ...header, alg: 'RS256' })}.${body}.${signature}`, 'a token of another algorithm'],
    [`${encode({ ...header, kid: 'weir.other' })}.${body}.${signature}`, 'a token of an unknown key'],
    [`${head}.${encode({ ...claims, exp: Number(claims.exp) + 86_400 })}.${signature}`, 'a token that was made longer'],
    [`${head}.${encode({ ...claims, jti: 'other' })}.${signature}`, 'a token with the id of another link'],
  ];
}

/** Difference of the median times to refuse a signature that is wrong from the start, and one that is wrong at its end. */
async function compareTimes(target: Target, piece: string): Promise<number> {
  const { path, sign } = partsOf(piece);
  const wrong = [flip(sign, sign.indexOf('.') + 1), flip(sign, sign.length - 1)];
  const times: number[][] = [[], []];
  for (let n = 0; n < 2 * timed; n++) {
    const began = performance.now();
    await target.sendRequest(`${path}?sign=${wrong[n % 2]}`);
    times[n % 2]?.push(performance.now() - began);
  }
  const [early = 0, late = 0] = times.map((row) => row.sort((a, b) => a - b)[Math.floor(row.length / 2)] ?? 0);
  return Math.abs(early - late);
}
