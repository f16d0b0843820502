// Viewers over HTTPS who come, take one answer and leave: `node bench/tls/joins.mjs URL SECONDS [again]`. With `again` they were here before and keep what shortens the handshake.
// Prints how many came within the last SECONDS.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';

const [url, seconds, isAgain] = [new URL(process.argv[2]), Number(process.argv[3]), process.argv[4] === 'again'];
const atOnce = 8;
const request = `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
let joined = 0;
let failed = 0;
let session;

function join() {
  const options = { host: url.hostname, port: Number(url.port), rejectUnauthorized: false };
  const socket = connect({ ...options, ...(isAgain && session && { session }) });
  let isGood = false;
  let isShort = false;
  socket.once('secureConnect', () => {
    isShort = socket.isSessionReused();
    socket.write(request);
  });
  socket.on('session', (given) => {
    session = given;
  });
  // A playlist is one piece.
  socket.once('data', (chunk) => {
    isGood = chunk.toString('latin1', 9, 12) === '200';
    socket.end();
  });
  socket.once('error', () => undefined);
  socket.resume().once('close', () => {
    if (isGood && isShort === isAgain) joined += 1;
    else failed += 1;
    join();
  });
}

for (let index = 0; index < atOnce; index++) join();
await sleep(2000);
process.stdout.write('begin\n');
[joined, failed] = [0, 0];
await sleep(seconds * 1000);
process.stdout.write(`${JSON.stringify({ joined, failed })}\n`);
process.exit(0);
