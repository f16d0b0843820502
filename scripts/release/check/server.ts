import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const ports = { http: 42_022, rtmp: 41_935 };
const password = 'release-check';
/** Settings of the servers that are checked: ports that nothing else here has. */
export const settings: Readonly<Record<string, string>> = {
  MGMT_LISTEN: String(ports.http),
  WEIR_RTMP_LISTEN: String(ports.rtmp),
  HTTPS_LISTEN: '0',
  WEIR_SRT_LISTEN: '42080',
  WEIR_RTC_LISTEN: '42800',
  MGMT_PASSWORD: password,
};
export const settingLines = Object.entries(settings)
  .map(([name, value]) => `${name}=${value}\n`)
  .join('');

const origin = `http://127.0.0.1:${ports.http}`;
export const address = { http: origin, rtmp: `rtmp://127.0.0.1:${ports.rtmp}` };
const stream = 'live/check';

async function call<T>(path: string, body: object, bearer = ''): Promise<T> {
  const headers = bearer === '' ? {} : { authorization: `Bearer ${bearer}` };
  const answer = await fetch(`${origin}/terraform/v1/${path}`, { method: 'POST', body: JSON.stringify(body), headers });
  const { code, data } = (await answer.json()) as { code: number; data: T };
  if (code !== 0) throw new Error(`${path} answered ${code}: ${JSON.stringify(data)}`);
  return data;
}

export async function until(what: string, isTrue: () => Promise<boolean>, withinMs = 60_000): Promise<number> {
  const begin = performance.now();
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() - begin > withinMs) throw new Error(`Not within ${withinMs / 1000} s: ${what}`);
    await sleep(50);
  }
  return performance.now() - begin;
}

export const isHealthy = async () => (await fetch(`${origin}/terraform/v1/mgmt/check`)).ok;

export async function signIn(): Promise<string> {
  const { bearer } = await call<{ bearer: string }>('mgmt/login', { password });
  return bearer;
}

export const versionOf = async () => (await call<{ version: string }>('mgmt/versions', {})).version;

let bearer: Promise<string> | undefined;

/** A call of the console. The sign-in outlives restarts. */
export async function callAsAdmin<T>(path: string, body: object): Promise<T> {
  bearer ??= signIn();
  return call<T>(path, body, await bearer);
}

export async function publishSecret(): Promise<string> {
  return (await callAsAdmin<{ publish: string }>('hooks/srs/secret/query', {})).publish;
}

/** For a server with other data. */
export function forgetSignIn(): void {
  bearer = undefined;
}

/** Publishes moving pictures with a tone, and returns when a viewer has got them for some seconds. */
export async function publishAndWatch(): Promise<void> {
  const publisher = startPublisher(await publishSecret());
  try {
    await until('the stream plays', async () => {
      const answer = await fetch(`${origin}/${stream}.flv`, { signal: AbortSignal.timeout(10_000) });
      let bytes = 0;
      for await (const chunk of answer.body ?? []) {
        bytes += chunk.length;
        if (bytes > 300_000) return true;
      }
      return false;
    });
  } finally {
    publisher.kill('SIGKILL');
  }
}

function startPublisher(secret: string): ChildProcess {
  const input = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25', '-f', 'lavfi', '-i', 'sine'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-b:v', '1M', '-c:a', 'aac'];
  const target = `rtmp://127.0.0.1:${ports.rtmp}/${stream}?secret=${secret}`;
  return spawn('ffmpeg', ['-v', 'error', ...input, ...codecs, '-f', 'flv', target], { stdio: 'ignore' });
}
