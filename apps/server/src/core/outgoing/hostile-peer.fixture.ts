import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';

/** Output of a hostile or broken server. `endless` continues until the other side gives up. */
type Speech = string | { readonly first: string; readonly endless: string } | { readonly cut: string };

const ok = 'HTTP/1.1 200 OK\r\n';
const page = 'Content-Length: 2\r\n\r\nok';

/** Answers that no server should give, by what is wrong with them. */
export const hostileAnswers: Readonly<Record<string, Speech>> = {
  'a status of 099': `HTTP/1.1 099 Odd\r\n${page}`,
  'a status of 000': `HTTP/1.1 000 Odd\r\n${page}`,
  'a status of 600': `HTTP/1.1 600 Odd\r\n${page}`,
  'a status of 999': `HTTP/1.1 999 Odd\r\n${page}`,
  'a status of 1000': `HTTP/1.1 1000 Odd\r\n${page}`,
  'a status that is no number': `HTTP/1.1 abc Odd\r\n${page}`,
  'a status line with signs of control': `HTTP/1.1 200 O\x01\x7f\x00K\r\n${page}`,
  'signs of control in a header': `${ok}X-Odd: a\x01\x0bb\r\n${page}`,
  'a zero byte in a header': `${ok}X-Odd: a\x00b\r\n${page}`,
  'a header without a name': `${ok}: nothing\r\n${page}`,
  'a header name with a blank': `${ok}X Odd: a\r\n${page}`,
  'a folded header': `${ok}X-Odd: a\r\n b\r\n${page}`,
  'more headers than anybody needs': { first: ok, endless: 'X-Flood: 0123456789\r\n' },
  'a header that never ends': { first: `${ok}X-Flood: `, endless: '0123456789abcdef' },
  'a status line that never ends': { first: 'HTTP/1.1 200 ', endless: 'O' },
  'nothing but 100 Continue': { first: '', endless: 'HTTP/1.1 100 Continue\r\n\r\n' },
  'nothing but 103 with headers': { first: '', endless: 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n' },
  'an upgrade nobody asked for':
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  '101 without an upgrade': 'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  'an upgrade with 200': `${ok}Upgrade: h2c\r\nConnection: Upgrade\r\n${page}`,
  'a body that never ends': { first: `${ok}\r\n`, endless: 'x'.repeat(16_384) },
  'chunks that never end': { first: `${ok}Transfer-Encoding: chunked\r\n\r\n`, endless: '4\r\nabcd\r\n' },
  'a chunk whose size never ends': { first: `${ok}Transfer-Encoding: chunked\r\n\r\n`, endless: '0' },
  'a chunk of 2^64 bytes': `${ok}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nab`,
  'a chunk size that is none': `${ok}Transfer-Encoding: chunked\r\n\r\nzz\r\nab`,
  'two lengths': `${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`,
  'a length and chunks': `${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a negative length': `${ok}Content-Length: -5\r\n\r\nok`,
  'a length of 10^30': `${ok}Content-Length: 1${'0'.repeat(30)}\r\n\r\nok`,
  'a cut in the headers': { cut: `${ok}Content-Le` },
  'a cut in the body': { cut: `${ok}Content-Length: 1000\r\n\r\nab` },
  'a cut in a chunk': { cut: `${ok}Transfer-Encoding: chunked\r\n\r\n100\r\nab` },
  'an end without a word': { cut: '' },
  'something that is not HTTP': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
  'a redirect to nowhere': `HTTP/1.1 302 Found\r\nLocation: http://%zz:%zz@[::/\r\n${page}`,
  'a redirect to another scheme': `HTTP/1.1 302 Found\r\nLocation: gopher://127.0.0.1/\r\n${page}`,
  'zipped nonsense': `${ok}Content-Encoding: gzip\r\n${page}`,
  'a body where there is none': 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok',
};

/** A server on loopback that answers every connection, once something is asked, with one of these. */
export async function hostilePeer(
  speech: Speech,
  tls?: { readonly key: string; readonly cert: string },
): Promise<string> {
  const sockets = new Set<Socket>();
  const talk = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.once('data', () => speak(socket, speech));
  };
  const server: Server = tls ? createTlsServer(tls, talk) : createServer(talk);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function speak(socket: Socket, speech: Speech): void {
  if (typeof speech === 'string') return void socket.write(Buffer.from(speech, 'latin1'));
  if ('cut' in speech) return void socket.end(speech.cut);
  socket.write(speech.first);
  const more = Buffer.from(speech.endless.repeat(Math.ceil(4096 / speech.endless.length)), 'latin1');
  // A pace that two cores can keep up with, and no limit.
  const timer = setInterval(() => socket.write(more), 2);
  socket.once('close', () => clearInterval(timer));
}
