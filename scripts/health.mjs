// weir health: exits with 0 if the server of these settings responds, through its front door and all its processes.
import process from 'node:process';
import { isNodeNewEnough, root, setUp } from './setup.mjs';

setUp('start');
if (isNodeNewEnough()) {
  const { parseConfig } = await import('../packages/plane/src/config.ts');
  const { http } = parseConfig(process.env, { cwd: root, version: '' });
  const host = ['', '0.0.0.0', '::'].includes(http.host ?? '') ? '127.0.0.1' : http.host;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${http.port}/terraform/v1/mgmt/check`;
  const reason = await fetch(url, { signal: AbortSignal.timeout(4000) }).then(
    ({ ok, status }) => (ok ? '' : `it responds with status ${status}`),
    (error) => String(error.cause?.message ?? error.message),
  );
  if (reason !== '') console.error(`The server at ${url} isn't healthy: ${reason}`);
  process.exit(reason === '' ? 0 : 1);
}
