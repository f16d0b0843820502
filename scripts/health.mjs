// weir health: exits with 0 if the server of these settings responds, through its front door and all its processes; with --version X only if
// it is that version.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { isNodeNewEnough, root, setUp } from './setup.mjs';

setUp('start');
if (isNodeNewEnough()) {
  const { parseConfig } = await import('../packages/plane/src/config.ts');
  const { http, nodeUrl } = parseConfig(process.env, { cwd: root, version: '' });
  const { localOrigin } = await import('./update/local-origin.ts');
  const url = `${localOrigin(http)}/terraform/v1/mgmt`;
  const ask = (path) => fetch(`${url}/${path}`, { signal: AbortSignal.timeout(4000) });
  const { values } = parseArgs({ options: { version: { type: 'string' } } });
  const look = async () => {
    const { ok, status } = await ask('check');
    if (!ok) return `it responds with status ${status}`;
    // In a pair, the other server may answer.
    if (values.version === undefined || nodeUrl !== '') return '';
    const { data } = await (await ask('versions')).json();
    return data.version === values.version ? '' : `it is version ${data.version}`;
  };
  const reason = await look().catch((error) => String(error.cause?.message ?? error.message));
  if (reason !== '') console.error(`The server at ${url} isn't healthy: ${reason}`);
  process.exit(reason === '' ? 0 : 1);
}
