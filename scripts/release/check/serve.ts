// Serves a folder on a port of this machine, in a process of its own: checks wait for commands without a turn for anything else.
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';

const [folder = '', port = ''] = process.argv.slice(2);
createServer(({ url = '/' }, answer) => {
  const file = join(folder, decodeURIComponent(new URL(url, 'http://localhost').pathname));
  if (existsSync(file)) createReadStream(file).pipe(answer);
  else answer.writeHead(404).end();
}).listen(Number(port), '127.0.0.1');
