// Product that a benchmark starts and calls itself: built files, fresh settings, RTMP and HTTP only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const password = 'benchmark';

/** Starts the product on these ports. `signIn` waits until it is ready and opens it to all publishers. */
export function startProduct(name, { http, rtmp }) {
  const data = mkdtempSync(join(tmpdir(), `weir-${name}-`));
  const env = {
    ...process.env,
    WEIR_DATA: data,
    WEIR_LOG: 'warn',
    MGMT_PASSWORD: password,
    MGMT_LISTEN: String(http),
    HTTPS_LISTEN: '0',
    WEIR_RTMP_LISTEN: String(rtmp),
    WEIR_SRT_LISTEN: '0',
    WEIR_RTC_LISTEN: '0',
  };
  const weir = spawn(process.execPath, [join(import.meta.dirname, '../scripts/start.mjs')], { env, stdio: 'inherit' });
  const origin = `http://127.0.0.1:${http}`;
  let session;
  const call = async (path, body = {}) => {
    const headers = session ? { authorization: `Bearer ${session.bearer}` } : {};
    const url = `${origin}/terraform/v1/${path}`;
    return (await (await fetch(url, { method: 'POST', body: JSON.stringify(body), headers })).json()).data;
  };
  return {
    origin,
    data,
    call,
    signIn: async () => {
      while ((await call('mgmt/check').catch(() => undefined))?.init !== true) await sleep(100);
      session = await call('mgmt/login', { password });
      await call('hooks/srs/secret/disable', { pubNoAuth: true });
      return session;
    },
    stop: async () => {
      const ended = once(weir, 'exit');
      weir.kill('SIGTERM');
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}
