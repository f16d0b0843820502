import type { AudioConfig, MediaFrame, VideoConfig } from '@weir/media';
import { writePlaybackToken } from '@weir/plane';
import { defaultVhost } from '@weir/streams';
import { expect, it } from 'vitest';
import { AccessGate } from '../../hub/access-gate.ts';
import { Clients } from '../../hub/clients/clients.ts';
import type { AudioFacts } from '../../hub/tracks/audio-facts.ts';
import { faultsOfMaster } from '../../packagers/hls/check/master-rules.fixture.ts';
import { readMediaPlaylist } from '../../packagers/hls/check/read-playlist.fixture.ts';
import { FakeGate, sample } from '../../packagers/hls/hls-source.fixture.ts';
import { type OpenedHls, openHls, urisOf } from './hls.fixture.ts';

const sessions = { noHlsCtx: false, shortSegments: true };

/** A stream of 180 lines with a lower quality of 90; `audio`: and with alternative audio. */
async function openLayered(options: Parameters<typeof openHls>[0] = {}, audio?: AudioFacts): Promise<OpenedHls> {
  const opened = await openHls(options);
  play(opened, 0, audio);
  await opened.streams.find('live/show')?.idle();
  return opened;
}

function play({ source }: OpenedHls, fromMs: number, audio?: AudioFacts): void {
  const [lead, lower] = [sample(9, { size: '320x180' }), sample(9, { size: '160x90', audio: false })];
  for (const config of lead.configs) source.config(config);
  source.qualities.config(0, lower.configs[0] as VideoConfig);
  source.qualities.open();
  if (audio) {
    source.audioTracks.describe((track) => (track === 0 ? { language: 'en', name: 'English' } : audio));
    source.audioTracks.config(1, lead.configs.find(({ kind }) => kind === 'audio') as AudioConfig);
    source.audioTracks.open();
  }
  const moved = (frame: MediaFrame) => ({ ...frame, dtsMs: frame.dtsMs + fromMs, ptsMs: frame.ptsMs + fromMs });
  const all = [
    ...lead.frames.map((frame) => ({ frame, isLower: false })),
    ...lower.frames.map((frame) => ({ frame, isLower: true })),
  ];
  for (const { frame, isLower } of all.toSorted((a, b) => a.frame.dtsMs - b.frame.dtsMs)) {
    if (isLower) source.qualities.frame(0, moved(frame));
    else source.frame(moved(frame));
    if (audio && !isLower && frame.kind === 'audio') source.audioTracks.frame(1, moved(frame));
  }
}

it('offers all qualities at the plain address, best first, and each at an address of its own', async () => {
  const { get } = await openLayered();
  const { text } = await get('/live/show.m3u8');
  expect(faultsOfMaster(text)).toEqual([]);
  expect(urisOf(text)).toEqual(['show.media.m3u8', 'show.v-90p.m3u8']);
  expect(text.match(/RESOLUTION=\S+?(?=,)/g)).toEqual(['RESOLUTION=320x180', 'RESOLUTION=160x90']);
  const [lead, lower] = await Promise.all(urisOf(text).map((uri) => get(`/live/${uri}`)));
  const facts = (answer = lead) =>
    readMediaPlaylist(answer?.text ?? '').segments.map(({ uri: _uri, ...rest }) => ({ ...rest, mapUri: undefined }));
  // The rendition begins with the segment after the one in which it came.
  expect(facts(lower)).toEqual(facts(lead).slice(1));
  expect(urisOf(lower?.text ?? '')[0]).toMatch(/^show\.v-90p-1-\d+\.ts$/);
  for (const uri of urisOf(lower?.text ?? '')) expect((await get(`/live/${uri}`)).status).toBe(200);
  // The stream's own quality has a name too.
  expect((await get('/live/show.v-180p.m3u8')).text).toBe(lead?.text);
  expect((await get('/live/show.v-720p.m3u8')).status).toBe(404);
  expect((await get('/live/show.v-.m3u8')).status).toBe(404);
});

it('offers alternative audio in a group, and video without audio beside it', async () => {
  const { get, clients } = await openLayered({ settings: sessions }, { language: 'de', name: 'Deutsch' });
  const { text } = await get('/live/show.m3u8');
  expect(faultsOfMaster(text)).toEqual([]);
  const media = text.split('\n').filter((line) => line.startsWith('#EXT-X-MEDIA'));
  expect(media.map((line) => line.replace(/hls_ctx=\w+/, ''))).toEqual([
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="1",URI="show.a-0.m3u8?"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="1",URI="show.a-1.m3u8?"',
  ]);
  expect(text.match(/AUDIO="audio"/g)).toHaveLength(2);
  const addresses = [...urisOf(text), ...[...text.matchAll(/URI="(.*?)"/g)].map(([, uri = '']) => uri)];
  expect(addresses.map((uri) => uri.replace(/\?.*/, ''))).toEqual([
    ...['show.vo.m3u8', 'show.vo-90p.m3u8'],
    ...['show.a-0.m3u8', 'show.a-1.m3u8'],
  ]);
  const facts = async (uri: string) =>
    readMediaPlaylist((await get(`/live/${uri}`)).text).segments.map(({ uri: _uri, ...rest }) => rest);
  // Players without support for groups play the stream with its own audio.
  const known = await facts('show.m3u8?hls_ctx=0123456789abcdef');
  for (const address of addresses) {
    expect(await facts(address)).toEqual(known.slice(1));
    for (const uri of urisOf((await get(`/live/${address}`)).text))
      expect((await get(`/live/${uri}`)).status).toBe(200);
  }
  expect((await get('/live/show.a-2.m3u8')).status).toBe(404);
  expect(clients.size).toBe(2);
});

it('offers audio alone as the lowest quality where it is wanted, cut as the stream is', async () => {
  const opened = await openHls();
  opened.source.qualities.hasAudioOnly = true;
  play(opened, 0);
  await opened.streams.find('live/show')?.idle();
  const { get } = opened;
  for (const end of ['', '.ll']) {
    const { text } = await get(`/live/show${end}.m3u8`);
    expect(faultsOfMaster(text)).toEqual([]);
    expect(urisOf(text).at(-1)).toBe(`show.a-0${end}.m3u8`);
    const [line = ''] = text.split('\n').slice(-3);
    expect(line).toMatch(/^#EXT-X-STREAM-INF:BANDWIDTH=\d+,AVERAGE-BANDWIDTH=\d+,CODECS="mp4a\.40\.2"$/);
    const rates = [...text.matchAll(/[:,]BANDWIDTH=(\d+)/g)].map(([, rate]) => Number(rate));
    expect(rates.at(-1)).toBeLessThan(Math.min(...rates.slice(0, -1)));
  }
  const facts = async (name: string) =>
    readMediaPlaylist((await get(`/live/${name}.m3u8`)).text).segments.map(({ uri: _uri, ...rest }) => rest);
  expect(await facts('show.a-0')).toEqual((await facts('show.media')).slice(1));
  opened.source.qualities.hasAudioOnly = false;
  expect((await get('/live/show.m3u8')).text).not.toContain('a-0');
});

it('counts a viewer of several qualities once', async () => {
  const { get, clients } = await openLayered({ settings: sessions });
  const { text } = await get('/live/show.m3u8');
  const addresses = urisOf(text);
  expect(addresses.map((uri) => uri.replace(/hls_ctx=.*/, ''))).toEqual(['show.m3u8?', 'show.v-90p.m3u8?']);
  for (const uri of addresses) expect((await get(`/live/${uri}`)).status).toBe(200);
  expect(clients.size).toBe(1);
  const own = urisOf((await get('/live/show.v-90p.m3u8')).text);
  expect(own.map((uri) => uri.replace(/=.*/, ''))).toEqual(['show.v-90p.m3u8?hls_ctx']);
});

it('names low-latency playlists of all qualities, with reports of the others where addresses are shared', async () => {
  const opened = await openLayered();
  const { get } = opened;
  const master = await get('/live/show.ll.m3u8');
  const names = ['show.ll.media.m3u8', 'show.v-90p.ll.m3u8'];
  expect(urisOf(master.text)).toEqual(names);
  const waiting = names.map((name) => get(`/live/${name}`));
  await opened.heard();
  play(opened, 9000);
  const lists = await Promise.all(waiting);
  const read = lists.map(({ text }) => readMediaPlaylist(text));
  expect(read.map(({ reports }) => reports.map((report) => report.get('URI')))).toEqual([[names[1]], [names[0]]]);
  for (const { reports } of read) expect(Number(reports[0]?.get('LAST-MSN'))).toBeGreaterThan(0);
  const newest = await Promise.all(names.map(async (name) => readMediaPlaylist((await get(`/live/${name}`)).text)));
  const [lead, lower] = newest.map(({ segments }) => segments);
  const last = (lower?.length ?? 0) - 2;
  expect(lower?.[last]).toMatchObject({
    seconds: lead?.[last]?.seconds,
    sequence: lead?.[last]?.sequence,
    isGap: false,
  });
  for (const { uri } of lower?.[last]?.parts ?? []) expect((await get(`/live/${uri}`)).status).toBe(200);
  expect((await get(`/live/${lower?.[last]?.mapUri}`)).status).toBe(200);
  await opened.get('/live/show.v-90p.ll-1-1.m4s').then(({ status }) => expect(status).toBe(404));
});

it('S23: keeps pieces of all qualities under the rule of their stream', async () => {
  const key = { id: 'k', secret: 's'.repeat(43) };
  const place = { vhost: defaultVhost, app: 'live', name: 'show' };
  const none = { sites: [], networks: [], maxViewers: 0, maxPerLink: 0, passwordId: '', tokenKeys: [] };
  const rule = { id: 'r', pattern: '/live/show', mode: 'link' as const, ...none };
  const playback = 'abcdefgh12345678';
  const clients = new Clients();
  const gate = new AccessGate({ gate: new FakeGate(), ask: async () => undefined, clients });
  const audio = { language: 'de', name: 'Deutsch' };
  const { get } = await openLayered({ access: gate, gate, clients, settings: sessions }, audio);
  gate.set({ rules: [rule], keys: [key], revoked: [], playbacks: [{ id: playback, place }] });
  const expiresAt = Math.floor(Date.now() / 1000) + 600;
  const facts = { playback, stream: '', id: 'one', startsAt: 0, expiresAt, devices: 0, address: '' };
  const token = writePlaybackToken(key, facts);
  for (const path of [
    'show.m3u8',
    'show.v-90p.m3u8',
    'show.v-90p.ll.m3u8',
    'show.v-180p.m3u8',
    'show.vo.m3u8',
    'show.a-1.m3u8',
  ])
    expect((await get(`/live/${path}`)).status).toBe(403);
  const [, lower = ''] = urisOf((await get(`/live/show.m3u8?token=${token}`)).text);
  const [piece = ''] = urisOf((await get(`/live/${lower}`)).text);
  expect(piece).toMatch(/^show\.vo-90p-.*\?sign=/);
  expect((await get(`/live/${piece}`)).status).toBe(200);
  expect((await get(`/live/${piece.replace(/\?.*/, '')}`)).status).toBe(403);
  expect((await get(`/live/${piece.replace('v-90p', '%76-90p').replace(/\?.*/, '')}`)).status).toBe(403);
  const [, hidden = ''] = urisOf((await get(`/play/${playback}.m3u8?token=${token}`)).text);
  const list = (await get(`/play/${hidden}`)).text;
  expect([hidden, list].some((each) => each.includes('show'))).toBe(false);
  expect((await get(`/play/${urisOf(list)[0]}`)).status).toBe(200);
});
