import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../tests/weir.fixture.ts';
import { type Attack, holds } from '../attack.ts';
import type { Target } from '../target.ts';

const api = '/terraform/v1/ffmpeg/vlive';
const pieces = 24;
const pieceBytes = 2_000_000;
const slowUploads = 40;
const watchedMs = 3000;

const form = { 'content-type': 'multipart/form-data; boundary=b' };
const part = '--b\r\ncontent-disposition: form-data; name="f"; filename="a.mp4"\r\n\r\n';

/** Starts of files that claim sizes, lengths and counts beyond all reason, followed by zeros. */
const claims: readonly (readonly [extension: string, start: Buffer])[] = [
  // Boxes of 2^63 bytes and a table of 2^32 entries.
  ['.mp4', Buffer.from('000000186674797069736f6d0000020069736f6d69736f32000000016d6f6f767fffffffffffffff', 'hex')],
  [
    '.mp4',
    Buffer.from('0000001c6674797069736f6d0000020069736f6d69736f326d703431000000107374747300000000ffffffff', 'hex'),
  ],
  // An element of unknown size inside others of the largest size.
  [
    '.mkv',
    Buffer.from(
      '1a45dfa3a34286810142f7810142f2810442f381084282886d6174726f736b6118538067 01ffffffffffffff1549a966 01fffffffffffffe'.replaceAll(
        ' ',
        '',
      ),
      'hex',
    ),
  ],
  ['.flv', Buffer.from('464c56010500000009000000001200ffff00000000000000', 'hex')],
  ['.ts', Buffer.alloc(188 * 64, Buffer.from('47400010', 'hex'))],
  ['.mp3', Buffer.from('494433040000007f7f7f7f', 'hex')],
];

export const hostileUploads: Attack = {
  id: 'S17',
  title:
    'uploads: without a token, endless, cut off, with paths for names, in parallel pieces, and files that are no films',
  growthMb: 120,
  env: { WEIR_UPLOAD_LIMIT: '1' },
  async run(target) {
    await refuseStrangers(target);
    await refuseNames(target);
    await cutOff(target);
    await parallelPieces(target);
    const refused = await notFilms(target);
    await slow(target);
    return `nothing was left behind, ${refused} files that are no films were refused, other calls are served`;
  },
};

/** Files in the folder of uploads. */
function files({ live }: Target): string[] {
  return readdirSync(join(live.weir.dataDir, 'upload'));
}

/** Sends bytes as they are; resolves to the beginning of the answer, or to nothing when the connection ended without one. */
function sendRaw({ live }: Target, head: string, body: Iterable<Buffer | string>, endsEarly = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port: live.weir.httpPort, host: '127.0.0.1' });
    socket.on('error', () => undefined).once('close', () => resolve(''));
    socket.once('data', (chunk) => {
      resolve(String(chunk));
      socket.destroy();
    });
    socket.write(head);
    for (const chunk of body) socket.write(chunk);
    if (endsEarly) socket.end();
  });
}

function headOf(target: Target, path: string, headers: Record<string, string>): string {
  const all = { host: 'x', ...target.live.headers, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `POST ${api}/${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

async function refuseStrangers(target: Target): Promise<void> {
  const paths = ['upload/a.mp4', `uploads/append/${randomUUID()}/0`, 'uploads/begin', 'uploads/finish'];
  for (const path of paths) {
    // Calls with fields read a small body before they know who sends it.
    const bytes = path.endsWith('begin') || path.endsWith('finish') ? 2 : 5_000_000;
    const head = headOf(target, path, { authorization: 'Bearer none', 'content-length': String(bytes) });
    const answer = await sendRaw(target, head, [bytes === 2 ? '{}' : Buffer.alloc(bytes)]);
    holds(answer.startsWith('HTTP/1.1 401'), `a stranger's ${path} is answered ${answer.slice(0, 40)}`);
  }
  holds(files(target).length === 0, 'an upload without a token left a file');
}

async function refuseNames(target: Target): Promise<void> {
  const names = [
    '../../x.mp4',
    '..%2f..%2fx.mp4',
    '%2e%2e%2fx.mp4',
    '/etc/x.mp4',
    '..\\x.mp4',
    'a%00.mp4',
    'x.mp4/..',
    '-i.sh',
  ];
  for (const name of [...names, `${'a'.repeat(300)}.mp4`]) {
    const begun = await target.live.post(`${api}/uploads/begin`, { name: decodeURIComponent(name), size: 10 });
    holds(begun.code !== 0, `the name ${name} was accepted`);
    const whole = await target.sendRequest(`${api}/upload/${name.replaceAll('\\', '%5c')}`, {
      method: 'POST',
      headers: { ...target.live.headers, 'content-type': 'multipart/form-data; boundary=b' },
      body: `--b\r\ncontent-disposition: form-data; name="f"; filename="${decodeURIComponent(name)}"\r\n\r\nx\r\n--b--\r\n`,
    });
    holds(whole.status >= 400 && whole.status < 500, `the name ${name} in a path is answered ${whole.status}`);
  }
  holds(files(target).length === 0, 'a refused name left a file');
}

/** Bodies that end before their announced length, that never end, and that are larger than announced. */
async function cutOff(target: Target): Promise<void> {
  await sendRaw(target, headOf(target, 'upload/a.mp4', { ...form, 'content-length': '900000000' }), [part], true);
  const large = headOf(target, 'upload/a.mp4', { ...form, 'content-length': '1100000000' });
  const refusal = await sendRaw(target, large, [part]);
  holds(refusal.startsWith('HTTP/1.1 413'), `a length above the limit is answered ${refusal.slice(0, 40)}`);
  const { uuid } = (await target.live.post(`${api}/uploads/begin`, { name: 'a.mp4', size: 1000 })).data;
  const chunk = Buffer.concat([Buffer.from('f4240\r\n'), Buffer.alloc(1_000_000), Buffer.from('\r\n')]);
  const endless = headOf(target, `uploads/append/${uuid}/0`, { 'transfer-encoding': 'chunked' });
  const told = await sendRaw(
    target,
    endless,
    Array.from({ length: 50 }, () => chunk),
  );
  holds(!told.startsWith('HTTP/1.1 200'), 'a piece larger than its upload was accepted');
  await target.live.post(`${api}/uploads/cancel`, { uuid });
  await until(() => files(target).length === 0, 'cut-off uploads are removed');
}

/** Sends every piece of one upload several times at once, then finishes it several times at once. */
async function parallelPieces(target: Target): Promise<void> {
  const content = randomBytes(pieceBytes);
  const { uuid } = (await target.live.post(`${api}/uploads/begin`, { name: 'a.mp4', size: content.length })).data;
  const append = (offset: number) =>
    fetch(`${target.live.weir.origin}${api}/uploads/append/${uuid}/${offset}`, {
      method: 'POST',
      headers: target.live.headers,
      body: content.subarray(offset),
    }).catch(() => undefined);
  await Promise.all(Array.from({ length: pieces }, (_, n) => append(n % 2 === 0 ? 0 : n * 1000)));
  const { data: states } = await target.live.post(`${api}/uploads/query`);
  const { offset } = states.find((state: { uuid: string }) => state.uuid === uuid);
  if (offset < content.length) await append(offset);
  const finish = () => target.live.post(`${api}/uploads/finish`, { uuid });
  const answers = await Promise.all([finish(), finish(), finish()]);
  holds(
    answers.every(({ code, data }) => code === 0 && data.uuid === uuid),
    'an upload could not be finished twice',
  );
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const arrived = readFileSync(join(target.live.weir.dataDir, 'upload', `${uuid}.mp4`));
  holds(digest(arrived) === digest(content), 'pieces that were sent at once are mixed up');
  const { code } = await target.live.post(`${api}/library/remove`, { uuid });
  holds(code === 0 && files(target).length === 0, 'a removed upload left a file');
}

/** Uploads what is no film and offers it for dubbing. */
async function notFilms(target: Target): Promise<number> {
  const zeros = Buffer.alloc(1_000_000);
  const noise = randomBytes(1_000_000);
  const page = Buffer.from('<script>alert(1)</script>');
  const contents = [
    ...claims.flatMap(([extension, start]) =>
      [zeros, noise].map((rest) => [extension, Buffer.concat([start, rest])] as const),
    ),
    ['.mp4', page] as const,
    ['.aac', noise] as const,
  ];
  for (const [extension, content] of contents) {
    const begun = await target.live.post(`${api}/uploads/begin`, { name: `a${extension}`, size: content.length });
    const { uuid } = begun.data;
    await fetch(`${target.live.weir.origin}${api}/uploads/append/${uuid}/0`, {
      method: 'POST',
      headers: target.live.headers,
      body: new Uint8Array(content),
    });
    await target.live.post(`${api}/uploads/finish`, { uuid });
    const beganMs = performance.now();
    const { code, data } = await target.live.post('/terraform/v1/dubbing/source', { files: [{ uuid }] });
    holds(performance.now() - beganMs < 20_000, `a file ${extension} was probed for too long`);
    const created =
      code === 0
        ? await target.live.post('/terraform/v1/dubbing/create', { title: 'x', files: [{ uuid }] })
        : undefined;
    holds(created?.code !== 0, `a file ${extension} that is no film became a project`);
    holds(!JSON.stringify(data).includes(target.live.weir.dataDir), 'a refusal names a path of the server');
    await target.live.post(`${api}/library/remove`, { uuid });
  }
  holds(files(target).length === 0, 'a refused file was left behind');
  return contents.length;
}

/** Many uploads that hardly send anything; other calls must be answered meanwhile. */
async function slow(target: Target): Promise<void> {
  const sockets = Array.from({ length: slowUploads }, () => {
    const socket = connect({ port: target.live.weir.httpPort, host: '127.0.0.1' }).on('error', () => undefined);
    socket.write(headOf(target, 'upload/a.mp4', { ...form, 'content-length': '900000000' }) + part);
    return socket;
  });
  const timer = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write('x');
  }, 200);
  const beganMs = performance.now();
  let longestMs = 0;
  while (performance.now() - beganMs < watchedMs) {
    const askedMs = performance.now();
    const { code } = await target.live.post(`${api}/uploads/query`);
    longestMs = Math.max(longestMs, performance.now() - askedMs);
    holds(code === 0, `a call beside slow uploads is answered ${code}`);
    await sleep(50);
  }
  clearInterval(timer);
  for (const socket of sockets) socket.destroy();
  await until(() => files(target).length === 0, 'slow uploads are removed');
  holds(longestMs < 2000, `a call beside slow uploads took ${Math.round(longestMs)} ms`);
}
