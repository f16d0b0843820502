import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';

const place = { app: 'live', stream: 'stage' };
const live = {
  vhost: '__defaultVhost__',
  app: 'live',
  name: 'stage',
  serverId: 's',
  clientId: 'c1',
  param: '?secret=top',
  publishedAt: '2026-01-01T20:00:00.000Z',
};
const encode = (source: string, size: string, codec: string) =>
  execFileSync(
    'ffmpeg',
    ['-v', 'error', '-f', 'lavfi', '-i', source, '-s', size, '-frames:v', '1', '-f', 'image2pipe', '-c:v', codec, '-'],
    { maxBuffer: 1e8 },
  );

let png: Buffer;
beforeAll(() => {
  png = encode('color=c=0x147083', '2400x1350', 'png');
});

async function open() {
  const mediaServer = new FakeMediaServer();
  const server = await createReadyApp({ mediaServer });
  const { playback } = (await server.call('mgmt/watch/query', place)).data;
  const save = (page: object) => server.call('mgmt/watch/update', { ...place, page });
  const get = (url: string, headers: Record<string, string> = {}) => server.inject({ method: 'GET', url, headers });
  const describePage = (token = '') => server.post('/terraform/v1/watch/query', { playback, token });
  const setPicture = (kind: string, picture: string) => server.call('mgmt/watch/picture', { ...place, kind, picture });
  return { ...server, mediaServer, playback, save, get, describePage, setPicture };
}

/** The page's data, as its script reads it. */
function dataOf(html: string) {
  return JSON.parse(/<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? '');
}

describe('a watch page', () => {
  it("shows visitors the owner's texts, and nothing that leads to the stream", async () => {
    const { save, describePage, get, mediaServer, playback } = await open();
    mediaServer.live = [live];
    const links = [{ name: 'Programme', url: 'https://example.com/a' }];
    expect((await save({ title: 'Evening concert', links, accent: '#F2C200' })).code).toBe(0);
    const { data } = await describePage();
    expect(data).toMatchObject({ playback, isLive: true, refusal: '', startedAt: live.publishedAt, page: { links } });
    expect(data.viewers).toBeUndefined();
    const page = await get(`/watch/${playback}`);
    expect(page.statusCode).toBe(200);
    expect(dataOf(page.body)).toMatchObject({ kind: 'stream', stream: { page: { title: 'Evening concert' } } });
    expect(`${JSON.stringify(data)}${page.body}`).not.toMatch(/stage|secret|c1"/);
  });

  it('escapes what the owner wrote, wherever it stands', async () => {
    const { save, get, playback } = await open();
    const nasty = '</script><script>alert(1)</script>"\'&\u2028$&$1';
    await save({ title: nasty, description: `${nasty}\n<img src=x onerror=alert(1)>` });
    const { body } = await get(`/watch/${playback}`);
    expect(dataOf(body).stream.page.title).toBe(nasty);
    expect(body.match(/<script/g)?.length).toBe(3);
    expect(body).not.toMatch(/<img|alert\(1\)<|"'&\u2028/);
    expect(body).toContain('&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
  });

  it('has strict headers, no cookie, and answers in the language of the browser', async () => {
    const { get, playback } = await open();
    const { headers, body } = await get(`/watch/${playback}`, { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' });
    expect(body).toContain('<html lang="zh-CN">');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self' blob:; " +
        "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    );
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'private, no-cache' });
    expect(headers['set-cookie']).toBeUndefined();
  });

  it.each([
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['//example.com'],
    ['https://user:pass@example.com'],
    ['vbscript:x'],
    ['java\nscript:alert(1)'],
  ])('refuses the link %j', async (url) => {
    const { save } = await open();
    expect((await save({ links: [{ name: 'x', url }] })).status).toBe(422);
  });

  it.each([
    { accent: 'red' },
    { accent: '#12345' },
    { startsAt: 'tomorrow' },
    { links: Array(9).fill({ name: 'x', url: 'https://a.test' }) },
  ])('refuses the settings %j', async (page) => {
    const { save } = await open();
    expect((await save(page)).status).toBe(422);
  });

  it('answers every id that is none with the same bytes', async () => {
    const { get, post, playback } = await open();
    const ids = ['aaaaaaaaaaaaaaaa', 'short', `${playback}x`, '%00', '..%2fsecret', playback.toUpperCase()];
    const answers = await Promise.all(ids.map((id) => get(`/watch/${id}`)));
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(answers[0]?.statusCode).toBe(404);
    const calls = await Promise.all(ids.map((id) => post('/terraform/v1/watch/query', { playback: id })));
    expect(new Set(calls.map(({ status, data }) => `${status} ${JSON.stringify(data)}`)).size).toBe(1);
    const parts = ['poster', 'picture.jpg', 'event.ics', 'nothing'];
    for (const part of parts) expect((await get(`/watch/aaaaaaaaaaaaaaaa/${part}`)).statusCode).toBe(404);
  });

  it('says why a visitor may not watch, and gives no facts of the stream then', async () => {
    const { call, save, describePage, mediaServer } = await open();
    mediaServer.live = [live];
    await save({ showsViewers: true });
    await call('mgmt/access/update', { pattern: 'live/stage', mode: 'link' });
    expect((await describePage()).data).toMatchObject({ refusal: 'no-token', startedAt: '' });
    expect((await describePage('nonsense')).data.refusal).toBe('invalid');
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { data: link } = await call('mgmt/access/link', { ...place, expiresAt });
    expect((await describePage(link.token)).data).toMatchObject({ refusal: '', startedAt: live.publishedAt });
    await call('mgmt/access/revoke', { id: link.id });
    expect((await describePage(link.token)).data.refusal).toBe('revoked');
    const startsAt = new Date(Date.now() + 60_000).toISOString();
    const { data: later } = await call('mgmt/access/link', { ...place, startsAt, expiresAt });
    expect((await describePage(later.token)).data.refusal).toBe('not-yet');
  });

  it('asks the engine once for a crowd of visitors', async () => {
    const { describePage, mediaServer } = await open();
    const asked = vi.spyOn(mediaServer, 'streams');
    const answers = await Promise.all(Array.from({ length: 500 }, () => describePage('nonsense')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    // Once in a tenth of a second.
    expect(asked.mock.calls.length).toBeLessThan(50);
  });

  it('exists only where streams can be played by their playback id', async () => {
    const { save, get, mediaServer, playback } = await open();
    mediaServer.lacks = ['access'];
    expect((await save({})).status).toBe(503);
    expect((await get(`/watch/${playback}`)).statusCode).toBe(404);
  });
});

describe('pictures of the owner', () => {
  it('are decoded, made smaller, sent with a lasting address, and removed', async () => {
    const { setPicture, get } = await open();
    const { data } = await setPicture('poster', png.toString('base64'));
    const { headers, rawPayload } = await get(data.pictures.poster);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(rawPayload.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    const logo = (await setPicture('logo', png.toString('base64'))).data.pictures.logo;
    const bytes = (await get(logo)).rawPayload;
    // Width and height in the first chunk of a PNG.
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([320, 180]);
    expect((await setPicture('poster', '')).data.pictures.poster).toBe('');
    expect((await get(data.pictures.poster)).statusCode).toBe(404);
  });

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', Buffer.from('<html><script>alert(1)</script>')],
    ['a playlist', Buffer.from('#EXTM3U\nfile:///etc/passwd\n')],
    ['a PNG that ends early', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['a JPEG that is none', Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(2000, 7)])],
  ])('cannot be %s', async (_what, bytes) => {
    const { setPicture } = await open();
    expect((await setPicture('logo', bytes.toString('base64'))).status).toBe(422);
  });

  it('shows strangers the live video of public streams only', async () => {
    const { call, get, setPicture, mediaServer, playback, save } = await open();
    mediaServer.live = [live];
    mediaServer.keyframes.set('__defaultVhost__/live/stage', encode('testsrc', '640x360', 'mjpeg'));
    const preview = () => get(`/watch/${playback}/picture.jpg`);
    const poster = (await setPicture('poster', png.toString('base64'))).data.pictures.poster;
    const posterBytes = (await get(poster)).rawPayload;
    await save({ isIndexed: true });
    await call('mgmt/access/update', { pattern: 'live/stage', mode: 'password', password: 'open sesame' });
    expect((await preview()).rawPayload.equals(posterBytes)).toBe(true);
    expect((await get(`/watch/${playback}`)).body).toContain('<meta name="robots" content="noindex" />');
    await setPicture('poster', '');
    expect((await preview()).statusCode).toBe(204);
  });
});

describe('what other programs read of a page', () => {
  it('is an event for calendars in which no text breaks out of its line', async () => {
    const { save, get, playback } = await open();
    expect((await get(`/watch/${playback}/event.ics`)).statusCode).toBe(404);
    const title = `Closing night; part 1, ${'ü'.repeat(60)}\r\nBEGIN:VALARM`;
    await save({
      title: title.replace('\r\n', ' '),
      description: 'one\nEND:VEVENT\ntwo',
      startsAt: '2026-06-01T20:00:00+02:00',
    });
    const { body, headers } = await get(`/watch/${playback}/event.ics`);
    expect(headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(body).toContain('DTSTART:20260601T180000Z\r\nDTEND:20260601T190000Z\r\n');
    expect(body).toContain('DESCRIPTION:one\\nEND:VEVENT\\ntwo\r\n');
    expect(body.match(/^END:VEVENT/gm)).toHaveLength(1);
    for (const line of body.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  });

  it('answers oEmbed only for URLs of this server', async () => {
    const { get, save, playback } = await open();
    await save({ title: 'A "night" <out>' });
    const ask = (url: string, more = '') => get(`/watch/oembed?url=${encodeURIComponent(url)}${more}`);
    const answer = await ask(`http://localhost:2022/watch/${playback}?x=1`, '&maxwidth=480&maxheight=10000');
    expect(answer.json()).toMatchObject({
      type: 'video',
      version: '1.0',
      title: 'A "night" <out>',
      width: 480,
      height: 270,
    });
    expect(answer.json().html).toContain(
      `src="http://localhost:2022/embed/${playback}" title="A &quot;night&quot; &lt;out&gt;"`,
    );
    expect(answer.json().thumbnail_url).toBeUndefined();
    const others = [
      `http://evil.test/watch/${playback}`,
      `http://localhost:2022.evil.test/watch/${playback}`,
      `http://a@localhost:2022/watch/${playback}`,
      `http://localhost:2022/watch/${playback}/poster`,
      `http://localhost:2022/live/${playback}`,
      'javascript:alert(1)',
      '',
      `http://localhost:2022/watch/${'a'.repeat(5000)}`,
    ];
    for (const url of others) expect([url, (await ask(url)).statusCode]).toEqual([url, 404]);
    expect((await ask(`http://localhost:2022/watch/${playback}`, '&format=xml')).statusCode).toBe(501);
    await save({ allowsSharing: false });
    expect((await ask(`http://localhost:2022/watch/${playback}`)).statusCode).toBe(404);
  });

  it('lets only the sites of the rule show the player in a frame', async () => {
    const { call, get, playback } = await open();
    const ancestors = async () =>
      /frame-ancestors (.*)$/.exec(String((await get(`/embed/${playback}`)).headers['content-security-policy']))?.[1];
    expect(await ancestors()).toBe('*');
    const sites = ['www.example.com', '*.example.org'];
    await call('mgmt/access/update', { pattern: 'live/stage', mode: 'open', sites });
    expect(await ancestors()).toBe(
      "'self' https://www.example.com:* http://www.example.com:* https://*.example.org:* http://*.example.org:*",
    );
    expect((await get(`/embed/${playback}`)).body).toContain('content="noindex"');
  });
});

describe('the channel page', () => {
  it('is off by default, and lists public streams that their owner put there', async () => {
    const { call, post, get, save, mediaServer, playback } = await open();
    const listed = async () => (await post('/terraform/v1/watch/channel')).data.streams;
    expect((await get('/watch/')).statusCode).toBe(404);
    await call('mgmt/watch/channel/update', { isOn: true, title: 'Riverside' });
    expect(await listed()).toEqual([]);
    mediaServer.live = [live];
    await save({ title: 'Evening', isListed: true });
    expect(await listed()).toEqual([
      { playback, title: 'Evening', isLive: true, startsAt: '', picture: `/watch/${playback}/picture.jpg` },
    ]);
    expect(dataOf((await get('/watch/')).body).channel.title).toBe('Riverside');
    await call('mgmt/access/update', { pattern: 'live/stage', mode: 'password', password: 'open sesame' });
    await call('mgmt/watch/channel/update', { isOn: true, title: 'Riverside' });
    expect(await listed()).toEqual([]);
  });
});
