import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Nginx } from '../../nginx.fixture.ts';
import { until } from '../../weir.fixture.ts';
import { Publisher } from '../fixtures/ffmpeg.fixture.ts';
import { Live } from '../fixtures/live.fixture.ts';
import { SyntheticPublisher } from '../fixtures/synthetic-publisher.fixture.ts';
import { protocols, throughEdge, urisOf } from './access-players.fixture.ts';
import { receivers } from './received.fixture.ts';

const modes = ['open', 'link', 'password', 'token', 'callback'] as const;
type Mode = (typeof modes)[number];
const credentials = ['none', 'wrong', 'expired', 'other', 'revoked', 'right'] as const;
type Credential = (typeof credentials)[number];

const backendSecret = 'a secret of the backend';
const publishers: SyntheticPublisher[] = [];
const tokens = {} as Record<Mode, Record<Credential, string>>;
const playbacks: Record<string, string> = {};
let live: Live;
let edge: Nginx;

/** The owner's receiver: it lets in whoever shows the one word. */
const receiver = createServer(async (req, res) => {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  const { action, param = '' } = JSON.parse(text);
  const isAccepted = action !== 'on_play' || String(param).includes('token=right');
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify({ code: isAccepted ? 0 : 1, data: isAccepted ? null : { message: 'no ticket' } }));
});

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function call(path: string, body: object = {}): Promise<any> {
  const answer = await live.post(`/terraform/v1/${path}`, body);
  if (answer.code !== 0) throw new Error(`${path}: ${JSON.stringify(answer.data)}`);
  return answer.data;
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const makeLink = async (stream: string, change: object = {}) =>
  (await call('mgmt/access/link', { app: 'live', stream, expiresAt: inSeconds(3600), ...change })) as {
    id: string;
    token: string;
    playback: string;
  };
const saveRule = (stream: string, mode: Mode, more: object = {}) =>
  call('mgmt/access/update', { pattern: `/live/${stream}`, mode, ...more }) as Promise<{ id: string }>;
const unlock = async (stream: string, password: string) =>
  ((await call('watch/unlock', { playback: playbacks[stream], password })) as { token: string }).token;

function backendToken(body: object, secret = backendSecret): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(body)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

const flipped = (token: string) => token.slice(0, -2) + (token.at(-2) === 'A' ? 'B' : 'A') + token.slice(-1);

beforeAll(async () => {
  live = await Live.start({ WEIR_DELIVERY_WORKERS: '1' });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await call('mgmt/hooks/apply', { target, all: true });
  await call('mgmt/hlsll/update', { hlsLowLatency: true });
  for (const name of [...modes, 'other']) {
    const { rtmpPort: port } = live.weir;
    publishers.push(await SyntheticPublisher.start({ port, name: `${name}?secret=${live.secret}`, kbps: 300 }));
    await until(() => live.isLive(name), `${name} is live`);
    playbacks[name] = (
      (await call('mgmt/access/playback', { app: 'live', stream: name })) as { playback: string }
    ).playback;
  }
  await call('mgmt/edges/update', { edges: ['http://127.0.0.1:1'] });
  const { token: edgeToken } = await call('mgmt/edges/query');
  edge = await Nginx.edge({ origin: `127.0.0.1:${live.weir.httpPort}`, token: edgeToken });
  await saveRule('link', 'link');
  const password = await saveRule('password', 'password', { password: 'first word' });
  await saveRule('other', 'password', { password: 'other word' });
  await saveRule('token', 'token', { secret: backendSecret });
  await saveRule('callback', 'callback');

  const other = (await makeLink('other')).token;
  const short = await makeLink('link', { expiresAt: inSeconds(2) });
  const shortPassword = await makeLink('password', { expiresAt: inSeconds(2) });
  const gone = await makeLink('link');
  await call('mgmt/access/revoke', { id: gone.id });
  const right = await makeLink('link');
  const oldWord = await unlock('password', 'first word');
  await saveRule('password', 'password', { id: password.id, password: 'second word' });
  const word = await unlock('password', 'second word');
  const exp = Math.floor(Date.now() / 1000) + 600;
  const good = { stream: 'live/token', exp };
  Object.assign(tokens, {
    link: {
      none: '',
      wrong: flipped(right.token),
      expired: short.token,
      other,
      revoked: gone.token,
      right: right.token,
    },
    password: {
      none: '',
      wrong: flipped(word),
      expired: shortPassword.token,
      other: await unlock('other', 'other word'),
      revoked: oldWord,
      right: word,
    },
    token: {
      none: '',
      wrong: flipped(backendToken(good)),
      expired: backendToken({ ...good, exp: exp - 1200 }),
      other: backendToken({ ...good, stream: 'live/other' }),
      // Backends revoke by taking another secret.
      revoked: backendToken(good, 'the former secret of it'),
      right: backendToken(good),
    },
    callback: { none: '', wrong: 'wrong', expired: 'expired', other, revoked: 'revoked', right: 'right' },
    open: { none: '', wrong: 'wrong', expired: short.token, other, revoked: gone.token, right: right.token },
  });
  await until(() => Date.now() > exp * 1000 - 600_000 + 3000, 'short links have expired');
}, 120_000);

afterAll(async () => {
  for (const publisher of publishers) publisher.close();
  receiver.close();
  await edge?.close();
  await live?.close();
});

describe.each(Object.keys(protocols))('a viewer over %s', (protocol) => {
  const cells = modes.flatMap((mode) => credentials.map((credential) => [mode, credential] as const));

  it.each(cells)('is treated right on a stream that is %s, with a credential that is %s', async (mode, credential) => {
    const token = tokens[mode][credential];
    const player = await protocols[protocol]?.(live, 'live', mode, token);
    await player?.close();
    expect(player?.isPlaying).toBe(mode === 'open' || credential === 'right');
  });

  it('may use the playback id in place of the name, and a token is as necessary there', async () => {
    const open = (token: string) => protocols[protocol]?.(live, 'play', playbacks.link ?? '', token);
    const [stranger, guest] = [await open(''), await open(tokens.link.right)];
    await stranger?.close();
    await guest?.close();
    expect([stranger?.isPlaying, guest?.isPlaying]).toEqual([false, true]);
  });

  it('is sent away within two seconds when the link is revoked, and others are not', async () => {
    const { id, token } = await makeLink('link');
    const [leaving, staying] = await Promise.all([
      protocols[protocol]?.(live, 'live', 'link', token),
      protocols[protocol]?.(live, 'live', 'link', tokens.link.right),
    ]);
    expect([leaving?.isPlaying, staying?.isPlaying]).toEqual([true, true]);
    await call('mgmt/access/revoke', { id });
    await until(async () => !(await leaving?.goesOn()), 'the viewer is gone', 2000);
    expect(await staying?.goesOn()).toBe(true);
    await leaving?.close();
    await staying?.close();
  });

  it('is sent away when the link expires', async () => {
    const { token } = await makeLink('link', { expiresAt: inSeconds(2.5) });
    const player = await protocols[protocol]?.(live, 'live', 'link', token);
    expect(player?.isPlaying).toBe(true);
    await until(async () => !(await player?.goesOn()), 'the viewer is gone', 5000);
    await player?.close();
  });
});

describe.each(['hls', 'll-hls'])('a viewer over %s through an edge', (protocol) => {
  const open = (app: string, stream: string, token: string) =>
    throughEdge(edge.origin)[protocol]?.(live, app, stream, token);
  const cells = modes.flatMap((mode) => credentials.map((credential) => [mode, credential] as const));

  it.each(cells)('is treated right on a stream that is %s, with a credential that is %s', async (mode, credential) => {
    const player = await open('live', mode, tokens[mode][credential]);
    // Only the origin asks the receiver of callbacks.
    const isRight = credential === 'right' && mode !== 'callback';
    expect(player?.isPlaying).toBe(mode === 'open' || isRight);
  });

  it('may use the playback id in place of the name', async () => {
    const answers = [
      await open('play', playbacks.link ?? '', ''),
      await open('play', playbacks.link ?? '', tokens.link.right),
    ];
    expect(answers.map((player) => player?.isPlaying)).toEqual([false, true]);
  });

  it('is sent away within a segment when the link is revoked, and others are not', async () => {
    const { id, token } = await makeLink('link');
    const leaving = await open('live', 'link', token);
    const staying = await open('live', 'link', tokens.link.right);
    expect([leaving?.isPlaying, staying?.isPlaying]).toEqual([true, true]);
    await call('mgmt/access/revoke', { id });
    await until(async () => !(await leaving?.goesOn()), 'the viewer is gone', 4000);
    expect(await staying?.goesOn()).toBe(true);
  });
});

it('an edge that does not check viewers gets nothing of a protected stream', async () => {
  const { token } = await call('mgmt/edges/query');
  const ask = async (stream: string, headers: object) => {
    const url = `${live.http(stream, '.m3u8')}?token=${tokens.link.right}`;
    return (await fetch(url, { headers: { 'x-weir-edge': token, ...headers } })).status;
  };
  expect(await ask('link', {})).toBe(403);
  expect(await ask('link', { 'x-weir-edge-access': 'checked' })).toBe(200);
  expect(await ask('open', {})).toBe(200);
});

it('counts viewers of a link, and lets in no more devices than it allows', async () => {
  const { id, token } = await makeLink('link', { devices: 2, label: 'Press' });
  const open = () => protocols.flv?.(live, 'live', 'link', token);
  const players = [await open(), await open(), await open()];
  expect(players.map((player) => player?.isPlaying)).toEqual([true, true, false]);
  const { links } = (await call('mgmt/access/links')) as { links: { id: string }[] };
  expect(links.find((link) => link.id === id)).toMatchObject({ label: 'Press', viewers: 2, state: 'valid' });
  await players[0]?.close();
  await until(async () => {
    const player = await open();
    await player?.close();
    return player?.isPlaying === true;
  }, 'a device is free again');
  await players[1]?.close();
});

it('keeps out sites and networks that a rule does not name, and more viewers than it allows', async () => {
  const rule = await saveRule('open', 'open', { sites: ['www.example.com'] });
  const ask = async (headers: Record<string, string>) => {
    const { status } = await fetch(live.http('open', '.flv'), { method: 'HEAD', headers });
    return status;
  };
  expect(await ask({ origin: 'https://www.example.com' })).toBe(200);
  expect(await ask({ origin: 'https://thief.example' })).toBe(403);
  expect(await ask({})).toBe(403);
  await saveRule('open', 'open', { id: rule.id, networks: ['192.0.2.0/24'] });
  expect(await ask({})).toBe(403);
  await saveRule('open', 'open', { id: rule.id, maxViewers: 1 });
  const first = await protocols.flv?.(live, 'live', 'open', '');
  const second = await protocols.rtmp?.(live, 'live', 'open', '');
  await first?.close();
  await second?.close();
  expect([first?.isPlaying, second?.isPlaying]).toEqual([true, false]);
  await call('mgmt/access/remove', { id: rule.id });
});

it('S23: pieces of a protected stream open only with their own signature', async () => {
  const at = `${live.http('link', '.m3u8')}?token=${tokens.link.right}`;
  const variant = urisOf(await (await fetch(at)).text(), at).find((uri) => uri.includes('.m3u8')) ?? '';
  const pieces = urisOf(await (await fetch(variant)).text(), variant);
  const [first = '', second = ''] = pieces;
  const status = async (url: string) => (await fetch(url)).status;
  expect(await status(first)).toBe(200);
  const unsigned = first.replace(/\?.*/, '');
  expect(await status(unsigned)).toBe(403);
  expect(await status(unsigned + new URL(second).search)).toBe(403);
  expect(await status(flipped(first))).toBe(403);
  expect(await status(first.replace('/live/link-', '/live/other-'))).toBe(403);
  expect(await status(unsigned.replace('link', '%6cink'))).toBe(403);
});

describe('S10: a viewer who knows a playback id', () => {
  const name = 'Geheimname';
  const hidden = [name];
  let publisher: Publisher | undefined;
  let playback = '';
  let token = '';

  beforeAll(async () => {
    const { secret } = await call('hooks/srs/keys/create', { name: 'Schluessel', streams: [`live/${name}`] });
    publisher = new Publisher(live.rtmp(name, `?secret=${secret}`));
    await until(() => live.isLive(name), `${name} is live`);
    await saveRule(name, 'link');
    await call('mgmt/watch/update', { app: 'live', stream: name, page: { startsAt: inSeconds(3600) } });
    ({ playback, token } = await makeLink(name));
    hidden.push('Schluessel', secret, live.secret);
  });
  afterAll(() => publisher?.stop('SIGKILL'));

  it.each(Object.entries(receivers))('receives nothing over %s that says how it is published', async (_, receiver) => {
    const received = (await receiver.receive(live, playback, token)).toString('latin1').toLowerCase();
    expect(received).toContain(receiver.expected.replace('ID', playback).toLowerCase());
    for (const text of hidden) expect(received).not.toContain(text.toLowerCase());
  });

  it('has a token that says nothing of it', () => {
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    expect(claims).toContain(playback);
    for (const text of hidden) expect(claims).not.toContain(text);
  });
});

it('keeps tokens and passwords out of the log', () => {
  const { output } = live.weir;
  for (const token of [tokens.link.right, tokens.password.right, tokens.token.right, 'second word', backendSecret])
    expect(output).not.toContain(token);
});

it('tells wrong passwords apart from too many of them', async () => {
  const answers = [];
  for (let n = 0; n < 12; n++)
    answers.push(
      (await live.weir.post('/terraform/v1/watch/unlock', { playback: playbacks.password, password: 'no' })).status,
    );
  expect(answers[0]).toBe(401);
  expect(answers.at(-1)).toBe(429);
});
