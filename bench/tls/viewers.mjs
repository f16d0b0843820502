// Viewers over HTTPS: `node bench/tls/viewers.mjs URL N SECONDS`. Of .flv each keeps its one answer, of everything else it asks again and again. Prints the bytes of the last SECONDS.
import { Agent, get } from 'node:https';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const [url, n, seconds] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
// Cipher preferences of browsers.
const ciphers = 'TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384';
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, rejectUnauthorized: false, ciphers });
let bytes = 0;
let failed = 0;

function sendRequest() {
  const again = () => (url.endsWith('.flv') ? undefined : sendRequest());
  const request = get(url, { agent }, (answer) => {
    if (answer.statusCode !== 200) failed += 1;
    answer.on('data', ({ length }) => {
      bytes += length;
    });
    answer.once('end', again);
  });
  request.once('error', () => {
    failed += 1;
  });
}

for (let index = 0; index < n; index++) {
  sendRequest();
  if (index % 20 === 19) await sleep(50);
}
await sleep(2000);
process.stdout.write('begin\n');
bytes = 0;
await sleep(seconds * 1000);
process.stdout.write(`${JSON.stringify({ bytes, failed })}\n`);
process.exit(0);
