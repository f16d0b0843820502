// Weir as the benchmark starts it: the built files as `npm start` runs them, fresh settings, publishing open to all, all processes on the core they were given.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const data = mkdtempSync(join(tmpdir(), 'weir-bench-'));
const password = 'benchmark';
const env = { ...process.env, WEIR_DATA: data, WEIR_LOG: 'warn', MGMT_PASSWORD: password };
const weir = spawn(process.execPath, [join(import.meta.dirname, '../scripts/start.mjs')], {
  env,
  stdio: 'inherit',
});
const end = () => weir.kill('SIGTERM');
process.on('SIGTERM', end);
process.on('SIGINT', end);
weir.on('exit', (code) => {
  rmSync(data, { recursive: true, force: true });
  process.exit(code ?? 0);
});

const origin = `http://127.0.0.1:${process.env.MGMT_LISTEN}`;
const post = async (path, body, bearer) => {
  const headers = bearer ? { authorization: `Bearer ${bearer}` } : {};
  const response = await fetch(`${origin}/terraform/v1/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers,
  });
  return (await response.json()).data;
};
const isReady = () =>
  post('mgmt/check', {}).then(
    (data) => data?.init === true,
    () => false,
  );
while (!(await isReady())) await sleep(50);
const { bearer } = await post('mgmt/login', { password });
await post('hooks/srs/secret/disable', { pubNoAuth: true }, bearer);
// Like nginx there: segments of two seconds, no sessions. Everywhere else what a new installation has.
if (process.env.BENCH_TEST === 'hls') {
  await post('mgmt/hphls/update', { noHlsCtx: true }, bearer);
  await post('mgmt/hlsll/update', { hlsLowLatency: true }, bearer);
}
if (process.env.WEIR_BENCH_READY) writeFileSync(process.env.WEIR_BENCH_READY, '');
