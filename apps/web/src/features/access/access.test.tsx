import { screen, waitFor, within } from '@testing-library/react';
import type { AccessRule, PlayLink } from '@weir/contract';
import { streamSampleFields } from '@weir/streams';
import { expect, it } from 'vitest';
import { saveCredentials } from '../../lib/credentials.ts';
import { activeStream, FakeServer, session } from '../../testing/fake-server.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const samples = { at: [], columns: Object.fromEntries(streamSampleFields.map((field) => [field, []])) };
const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();

function rule(change: Partial<AccessRule> = {}): AccessRule {
  return {
    id: 'r1',
    pattern: '/live/show',
    mode: 'link',
    sites: [],
    networks: [],
    maxViewers: 0,
    maxPerLink: 0,
    algorithm: 'HS256',
    jwksUrl: '',
    hasPassword: false,
    hasSecret: false,
    publicKeys: 0,
    ...change,
  };
}

function link(change: Partial<PlayLink> = {}): PlayLink {
  return {
    id: 'l1',
    label: 'Press',
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'show',
    playback: 'abcdefgh23456723',
    token: 'aaa.bbb.ccc',
    state: 'valid',
    createdAt: inHours(-1),
    startsAt: '',
    expiresAt: inHours(24),
    devices: 2,
    address: '',
    viewers: 3,
    lastUsedAt: inHours(-0.5),
    ...change,
  };
}

function newServer(rules: readonly AccessRule[] = [], links: readonly PlayLink[] = []) {
  return new FakeServer()
    .answer('envs', { rtmpPort: '1935', srtPort: '10080', httpPort: '2022', rtcPort: '8000' })
    .answer('streams/query', { streams: [activeStream()], ended: [] })
    .answer('streams/detail', { samples, diagnosis: { verdict: 'none', issues: [] }, viewers: [] })
    .answer('access/query', { rules })
    .answer('access/links', { links })
    .answer('access/update', rule())
    .answer('access/remove', null)
    .answer('access/order', null)
    .answer('access/revoke', null);
}

async function openSheet() {
  saveCredentials(session);
  const user = renderConsole('/en/routers-scenario?tab=live&stream=live/show');
  const tile = await screen.findByRole('button', { name: /^Share/ });
  await user.click(tile);
  return { user, tile, sheet: within(await screen.findByRole('dialog', { name: 'Share live/show' })) };
}

async function openRules() {
  saveCredentials(session);
  const user = renderConsole('/en/routers-settings?tab=auth');
  return { user, panel: within(await screen.findByRole('region', { name: 'Play access' })) };
}

it('protects a stream with a password, after one was entered', async () => {
  const server = newServer();
  const { user, sheet, tile } = await openSheet();
  expect(tile.textContent).toBe('ShareEveryone can watch');
  await user.click(await sheet.findByRole('radio', { name: 'People with the password' }));
  await user.click(sheet.getByRole('button', { name: 'Save' }));
  expect(sheet.getByText('Enter a password.')).toBeDefined();
  await user.type(sheet.getByLabelText('Password'), 'open sesame');
  await user.type(sheet.getByLabelText('Viewers at once'), '50');
  server.answer('access/query', { rules: [rule({ mode: 'password', hasPassword: true, maxViewers: 50 })] });
  await user.click(sheet.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(tile.textContent).toBe('SharePassword'));
  expect(server.callsTo('access/update')[0]?.body).toEqual({
    pattern: '/live/show',
    mode: 'password',
    algorithm: 'HS256',
    jwksUrl: '',
    sites: [],
    networks: [],
    maxViewers: 50,
    maxPerLink: 0,
    password: 'open sesame',
  });
});

it('says which wider rule a stream follows, and gives the stream its own', async () => {
  const server = newServer([rule({ id: 'r2', pattern: '/live/*', mode: 'token', sites: ['www.example.com'] })]);
  const { user, sheet, tile } = await openSheet();
  expect(tile.textContent).toBe('ShareSigned tokens');
  expect(await sheet.findByText('Viewers your backend signs in · on www.example.com')).toBeDefined();
  expect(sheet.getByText('This stream follows the rule /live/*.')).toBeDefined();
  await user.click(sheet.getByRole('button', { name: 'Set a rule for this stream' }));
  expect(sheet.getByText('This rule overrides /live/* for this stream.')).toBeDefined();
  await user.click(sheet.getByRole('radio', { name: 'Everyone' }));
  await user.click(sheet.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(server.callsTo('access/update')[0]?.body).toMatchObject({ pattern: '/live/show' }));
  expect(server.callsTo('access/update')[0]?.body).not.toHaveProperty('id');
});

it('tests a JWKS URL before it is saved', async () => {
  const server = newServer([rule({ mode: 'token', algorithm: 'ES256', jwksUrl: 'https://auth.example.com/keys' })]);
  server.answer('access/jwks', { keys: [{ id: 'first' }, { id: 'second' }] });
  const { user, sheet } = await openSheet();
  await user.click(await sheet.findByRole('button', { name: 'Test URL' }));
  expect(await sheet.findByText('2 keys for ES256 found')).toBeDefined();
  expect(sheet.getByText('first, second')).toBeDefined();
  server.refuse('access/jwks', 422, 1003);
  await user.click(sheet.getByRole('button', { name: 'Test URL' }));
  expect(await sheet.findByText('No usable keys at this URL')).toBeDefined();
});

it('lists links with their viewers, shows a URL for every protocol, and revokes one', async () => {
  const server = newServer([rule()], [link(), link({ id: 'l2', label: 'Old', token: '', state: 'expired' })]);
  const { user, sheet } = await openSheet();
  const links = within(await sheet.findByRole('list', { name: 'Links' }));
  expect(links.getByText(/3 watching now/)).toBeDefined();
  expect(links.getByText(/ · 2 devices$/)).toBeDefined();
  expect(sheet.getByText('1 expired or revoked link')).toBeDefined();
  await user.click(links.getByRole('button', { name: 'All URLs of Press' }));
  const urlAt = (label: string) => String(links.getByLabelText<HTMLInputElement>(label).value);
  const at = 'play/abcdefgh23456723';
  expect(urlAt('HLS URL')).toMatch(`/${at}.m3u8?token=aaa.bbb.ccc`);
  expect(urlAt('Low-latency HLS URL')).toMatch(`/${at}.ll.m3u8?token=aaa.bbb.ccc`);
  expect(urlAt('HTTP-FLV URL')).toMatch(`/${at}.flv?token=aaa.bbb.ccc`);
  expect(urlAt('WHEP URL')).toMatch('app=play&stream=abcdefgh23456723&token=aaa.bbb.ccc');
  expect(urlAt('RTMP URL')).toBe(`rtmp://localhost/${at}?token=aaa.bbb.ccc`);
  expect(urlAt('SRT URL')).toBe(`srt://localhost:10080?streamid=#!::r=${at},token=aaa.bbb.ccc,m=request`);
  await user.click(links.getByRole('button', { name: 'Revoke Press' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Revoke the link Press?' }));
  await user.click(asked.getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(server.callsTo('access/revoke')[0]?.body).toEqual({ id: 'l1' }));
});

it('makes a link for a week and shows its URLs', async () => {
  const server = newServer([rule()]);
  const { user, sheet } = await openSheet();
  await user.click(await sheet.findByRole('button', { name: 'Make link' }));
  const form = within(sheet.getByRole('form', { name: 'Make link' }));
  await user.type(form.getByLabelText('Name'), 'Press');
  await user.type(form.getByLabelText('Devices at once'), 'x');
  await user.click(form.getByRole('button', { name: 'Make link' }));
  expect(form.getByText('Enter a whole number from 0 to 1000000.')).toBeDefined();
  await user.clear(form.getByLabelText('Devices at once'));
  server.answer('access/link', link()).answer('access/links', { links: [link()] });
  await user.click(form.getByRole('button', { name: 'Make link' }));
  expect(await sheet.findByLabelText('Link for viewers')).toBeDefined();
  const body = server.callsTo('access/link')[0]?.body as { expiresAt: string };
  expect(body).toMatchObject({ app: 'live', stream: 'show', label: 'Press', devices: 0, address: '' });
  expect(Math.round((Date.parse(body.expiresAt) - Date.now()) / 3600_000)).toBe(7 * 24);
});

it.each([
  ['open', 'Copy watch link', /\/live\/livestream\.m3u8/],
  ['password', 'Copy watch link', /\/watch\/abcdefgh23456723$/],
  ['link', 'Make watch link', /\/watch\/abcdefgh23456723\?token=aaa\.bbb\.ccc$/],
] as const)('copies a link in the live guide that opens a stream of the mode %s', async (mode, name, url) => {
  const server = newServer([rule({ pattern: '/live/*', mode })])
    .answer('streams/query', { streams: [activeStream({ stream: 'livestream' })], ended: [] })
    .answer('access/playback', { playback: 'abcdefgh23456723' })
    .answer('access/link', link());
  saveCredentials(session);
  const user = renderConsole('/en/routers-scenario?tab=live');
  await user.click(await screen.findByRole('button', { name: new RegExp(`^${name}`) }));
  await waitFor(async () => expect(await navigator.clipboard.readText()).toMatch(url));
  expect(server.callsTo('access/link')).toHaveLength(mode === 'link' ? 1 : 0);
});

it('lists rules of streams before patterns, and changes the order of patterns', async () => {
  const patterns = [rule({ id: 'p1', pattern: '/live/a*' }), rule({ id: 'p2', pattern: '/live/*', mode: 'open' })];
  const server = newServer([...patterns, rule()]);
  const { user, panel } = await openRules();
  const rows = within(await panel.findByRole('list', { name: 'Play access' })).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    '/live/showPeople with a linkOpen stream',
    '/live/a*People with a linkPattern 1',
    '/live/*EveryonePattern 2',
  ]);
  await user.click(panel.getByRole('button', { name: 'More actions for /live/*' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Move up', hidden: true }));
  await waitFor(() => expect(server.callsTo('access/order')[0]?.body).toEqual({ ids: ['p2', 'p1'] }));
});

it('refuses a rule without a pattern, and says what the server refused', async () => {
  const server = newServer();
  const { user, panel } = await openRules();
  await user.click(await panel.findByRole('button', { name: 'Add rule' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Add rule' }));
  await user.click(sheet.getByRole('button', { name: 'Save' }));
  expect(sheet.getAllByText(/^Enter a path such as/)).toHaveLength(1);
  await user.type(sheet.getByLabelText('Stream or pattern'), 'live/*');
  server.refuse('access/update', 422, 1003);
  await user.click(sheet.getByRole('button', { name: 'Save' }));
  expect(await sheet.findByText('Play access could not be saved')).toBeDefined();
  expect(server.callsTo('access/update')).toHaveLength(1);
});

it('explains that a separate SRS decides by itself', async () => {
  newServer().answer('envs', { engineLacks: ['access'] });
  const { panel } = await openRules();
  expect(await panel.findByText(/^Play access needs the built-in engine/)).toBeDefined();
  expect(panel.queryByRole('button', { name: 'Add rule' })).toBeNull();
});
