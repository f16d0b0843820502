import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux gives to whoever asks for any: one of those could be another test's before it is used here. */
const [first, last] = [20_000, 32_767];
const mostTries = 50;

/** A TCP port of this machine that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  for (let n = 0; n < mostTries; n++) {
    const port = first + Math.floor(Math.random() * (last - first));
    const server = createServer();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`no free port between ${first} and ${last}`);
}
