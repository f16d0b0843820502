import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until, Weir } from '../../tests/weir.fixture.ts';
import { type Attack, holds } from '../attack.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** nginx as somebody sets it up in a minute: one proxy_pass, and nothing said about who asks. */
function configuration(directory: string, port: number, target: number, more: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${directory};`);
  return `daemon off; pid ${directory}/pid; error_log ${directory}/error.log;
events {}
http { access_log off; ${paths.join(' ')}
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${target}; ${more} } } }`;
}

async function setUpThrough(weir: Weir, more: string): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'weir-nginx-'));
  const port = await freePort();
  writeFileSync(join(directory, 'nginx.conf'), configuration(directory, port, weir.httpPort, more));
  const nginx = spawn('nginx', ['-p', directory, '-c', join(directory, 'nginx.conf')], { stdio: 'ignore' });
  try {
    const init = () =>
      fetch(`http://127.0.0.1:${port}/terraform/v1/mgmt/init`, {
        method: 'POST',
        body: JSON.stringify({ password: 'of somebody else' }),
      }).then(
        ({ status }) => status,
        () => 0,
      );
    let status = 0;
    await until(async () => {
      status = await init();
      return status !== 0;
    }, 'nginx answers');
    return status;
  } finally {
    nginx.kill();
    await once(nginx, 'exit');
    rmSync(directory, { recursive: true });
  }
}

export const setupThroughProxy: Attack = {
  id: 'S01',
  title: 'set-up without the code, through an nginx that says nothing of who asks',
  growthMb: 60,
  async run() {
    const weir = await Weir.start();
    try {
      for (const more of ['', 'proxy_http_version 1.1;', 'proxy_set_header Host localhost;']) {
        const status = await setUpThrough(weir, more);
        holds(status === 403, `set-up by ${more || 'plain proxy_pass'} is answered ${status}`);
      }
    } finally {
      await weir.close();
    }
    return '3 configurations refused';
  },
};
