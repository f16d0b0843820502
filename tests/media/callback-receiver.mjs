// A receiver of callbacks as somebody else would write one: a process of its own, told what to answer over its channel.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

let manner = 'accept';
let key = process.argv[3] ?? '';

function isSigned(header, body) {
  const [, seconds, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (!seconds || Math.abs(Date.now() / 1000 - Number(seconds)) > 300) return false;
  const expected = createHmac('sha256', key).update(`${seconds}.${body}`).digest();
  return timingSafeEqual(expected, Buffer.from(digest, 'hex'));
}

const server = createServer(async (request, response) => {
  const body = await text(request);
  process.send({ ...JSON.parse(body), isSigned: isSigned(request.headers['x-weir-signature'], body) });
  if (manner === 'accept') response.end('{"code":0,"data":null}');
  if (manner === 'refuse') response.end('{"code":403,"data":{"message":"not today"}}');
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', (said) => {
  manner = said.manner;
  key = said.key;
  process.send({ done: true });
});
process.on('disconnect', () => process.exit());
