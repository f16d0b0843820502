// Viewers of a soak: `node bench/soak/viewers.mjs PORT PATH N`. All watch over HTTP-FLV, and come again a second after their connection has ended. Every
// tenth takes nothing for a while, again and again: one half of these for so short that the server waits, the other for so long that it ends the connection.
// Prints each minute the connections, the bytes, and how many have come again.
import { connect } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const [port, path, n] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4])];
const readMs = 10_000;
const shortStallMs = 20_000;
const longStallMs = 120_000;
const comeAgainMs = 1000;
const everyMs = 60_000;
const counts = { watching: 0, stalls: 0, again: 0, bytes: 0 };

function watch(index) {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  socket.once('connect', () => {
    counts.watching += 1;
    socket.once('close', () => {
      counts.watching -= 1;
    });
    if (index % 10 === 0) void stall(socket, index % 20 === 0 ? longStallMs : shortStallMs);
  });
  socket.on('data', ({ length }) => {
    counts.bytes += length;
  });
  socket.on('error', () => undefined);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => {
    counts.again += 1;
    setTimeout(watch, comeAgainMs, index);
  });
}

async function stall(socket, stallMs) {
  while (!socket.destroyed) {
    await sleep(readMs);
    socket.pause();
    counts.stalls += 1;
    await sleep(stallMs);
    socket.resume();
  }
}

setInterval(() => {
  const { bytes, ...others } = counts;
  process.stdout.write(`${JSON.stringify({ ...others, megabytes: Math.round(bytes / 1e6) })}\n`);
  Object.assign(counts, { bytes: 0, stalls: 0, again: 0 });
}, everyMs);
for (let index = 0; index < n; index++) {
  watch(index);
  if (index % 20 === 19) await sleep(50);
}
