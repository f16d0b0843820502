import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readFile, rm, stat, statfs } from 'node:fs/promises';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import { doctorLimits } from '@weir/contract';
import { errorMessage } from '@weir/plane/error-message';
import { runTool } from '@weir/process';
import type { Check, Question } from './check.ts';

/** Settings whose time of change lies in the future: the clock was set back, or was never set. */
const futureMs = 5 * 60_000;

export const clockCheck: Check = {
  name: 'clock',
  run: async ({ browserAheadMs, clock, config }) => {
    const command = 'sudo timedatectl set-ntp true';
    const seconds = Math.round(Math.abs(browserAheadMs ?? 0) / 1000);
    if (browserAheadMs !== undefined && Math.abs(browserAheadMs) > doctorLimits.clockMs)
      return { verdict: 'warn', reason: 'clock.differs', facts: { seconds }, command };
    const written = await stat(join(config.dataDir, 'weir.db')).catch(() => undefined);
    if (written && written.mtimeMs - clock.dateMs() > futureMs)
      return { verdict: 'bad', reason: 'clock.unsynchronised', command };
    const { output, isMissing } = await runTool({
      command: 'timedatectl',
      args: ['show', '--property=NTPSynchronized', '--value'],
      withinMs: 3000,
      mostBytes: 200,
    });
    if (!isMissing && output.trim() === 'no' && browserAheadMs === undefined)
      return { verdict: 'warn', reason: 'clock.unsynchronised', command };
    return browserAheadMs === undefined
      ? { verdict: 'ok', reason: 'clock.alone', facts: { time: new Date(clock.dateMs()).toISOString() } }
      : { verdict: 'ok', reason: 'clock.ok', facts: { seconds } };
  },
};

export const zoneCheck: Check = {
  name: 'zone',
  run: async ({ browserZone, clock }) => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const facts = { zone, browserZone };
    if (browserZone === '' || offsetOf(zone, clock.dateMs()) === offsetOf(browserZone, clock.dateMs()))
      return { verdict: 'ok', reason: 'zone.ok', facts };
    return { verdict: 'ok', reason: 'zone.differs', facts, command: `sudo timedatectl set-timezone ${browserZone}` };
  },
};

const leastFreeBytes = 1024 ** 3;
const lowShare = 0.05;
const gigabyte = 1e9;

export const diskCheck: Check = {
  name: 'disk',
  run: async ({ config }) => {
    const disks = await Promise.all([...new Set([config.dataDir, config.filesDir])].map(spaceOf));
    const least = disks.toSorted((a, b) => a.free - b.free)[0];
    if (!least) throw new Error('no disk');
    const { path, free, total } = least;
    const facts = { path, free: rounded(free), total: rounded(total) };
    const command = `sudo du -xh --max-depth=2 ${path} | sort -rh | head`;
    if (free < leastFreeBytes) return { verdict: 'bad', reason: 'disk.full', facts, command };
    if (free < total * lowShare) return { verdict: 'warn', reason: 'disk.low', facts, command };
    return { verdict: 'ok', reason: 'disk.ok', facts };
  },
};

const pieceBytes = 4 * 2 ** 20;
const mostPieces = 24;
const writeMs = 2500;
const slowMbPerSecond = 10;
const slowSyncMs = 250;

/** Writes a temporary file where recordings go, for two seconds at most, and synchronises it. */
export const speedCheck: Check = {
  name: 'speed',
  run: async ({ config, clock, signal }) => {
    const { free } = await spaceOf(config.filesDir);
    if (free < leastFreeBytes) return { verdict: 'skipped', reason: 'speed.noRoom' };
    const path = join(config.filesDir, `.weir-disk-test-${randomBytes(6).toString('hex')}`);
    const command = `df -h ${config.filesDir}`;
    try {
      const { mbPerSecond, syncMs } = await measure(path, { clock, signal });
      const facts = { speed: Math.round(mbPerSecond), sync: Math.max(1, Math.round(syncMs)) };
      const isSlow = mbPerSecond < slowMbPerSecond || syncMs > slowSyncMs;
      return isSlow
        ? { verdict: 'warn', reason: 'speed.slow', facts, command: 'iostat -x 1 5' }
        : { verdict: 'ok', reason: 'speed.ok', facts };
    } catch (error) {
      return {
        verdict: 'bad',
        reason: 'speed.unwritable',
        facts: { path: config.filesDir, cause: codeOf(error) },
        command,
      };
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  },
};

async function measure(
  path: string,
  { clock, signal }: Pick<Question, 'clock' | 'signal'>,
): Promise<{ mbPerSecond: number; syncMs: number }> {
  const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
  try {
    const small = clock.elapsedMs();
    await file.write(Buffer.alloc(4096));
    await file.datasync();
    const syncMs = clock.elapsedMs() - small;
    const piece = randomBytes(pieceBytes);
    const began = clock.elapsedMs();
    let pieces = 0;
    while (pieces < mostPieces && clock.elapsedMs() - began < writeMs && !signal.aborted) {
      await file.write(piece);
      pieces += 1;
    }
    await file.datasync();
    return { mbPerSecond: (pieces * pieceBytes) / 1e6 / ((clock.elapsedMs() - began) / 1000), syncMs };
  } finally {
    await file.close();
  }
}

const leastMemoryBytes = 200 * 2 ** 20;
const leastTotalBytes = 400 * 2 ** 20;

export const memoryCheck: Check = {
  name: 'memory',
  run: async ({ config }) => {
    const limit = config.memoryLimitBytes ?? (await containerLimit()) ?? Number.POSITIVE_INFINITY;
    const total = Math.min(limit, totalmem());
    const available = Math.min(total, await availableBytes());
    const facts = { available: rounded(available), total: rounded(total), cores: availableParallelism() };
    if (available < leastMemoryBytes || total < leastTotalBytes)
      return { verdict: 'warn', reason: 'memory.low', facts, command: 'ps -eo rss,comm --sort=-rss | head' };
    return { verdict: 'ok', reason: 'memory.ok', facts };
  },
};

const leastFiles = 4096;
const raiseLimit = [
  'sudo mkdir -p /etc/systemd/system/weir.service.d',
  "printf '[Service]\\nLimitNOFILE=65536\\n' | sudo tee /etc/systemd/system/weir.service.d/files.conf",
  'sudo systemctl daemon-reload',
  'sudo systemctl restart weir',
].join(' && ');

/** Each viewer and publisher needs one. */
export const filesCheck: Check = {
  name: 'files',
  run: async ({ enginePid }) => {
    const text = await readFile(`/proc/${enginePid() || 'self'}/limits`, 'utf8').catch(() => '');
    const found = /^Max open files\s+(\S+)\s+(\S+)/m.exec(text);
    const most = found?.[2] === 'unlimited' ? Number.POSITIVE_INFINITY : Number(found?.[2] ?? Number.NaN);
    if (Number.isNaN(most)) throw new Error('the limit cannot be read');
    const facts = { files: Number.isFinite(most) ? most : '∞' };
    if (most >= leastFiles) return { verdict: 'ok', reason: 'files.ok', facts };
    return { verdict: 'warn', reason: 'files.low', facts, command: raiseLimit };
  },
};

const installFfmpeg = 'sudo apt-get install ffmpeg';

export const ffmpegCheck: Check = {
  name: 'ffmpeg',
  run: async ({ ffmpeg }) => {
    const { state, version, lacks } = await ffmpeg.read();
    if (state !== 'there') return { verdict: 'bad', reason: 'ffmpeg.missing', command: installFfmpeg };
    const facts = { version, lacks: lacks.join(', ') };
    if (lacks.length > 0) return { verdict: 'warn', reason: 'ffmpeg.lacks', facts, command: installFfmpeg };
    return { verdict: 'ok', reason: 'ffmpeg.ok', facts };
  },
};

/** A real encode with the options of a ladder, as before its first use. */
export const encoderCheck: Check = {
  name: 'encoder',
  withinMs: doctorLimits.encoderMs,
  run: async ({ encoders }) => {
    const chosen = await encoders.chosen();
    if (!chosen) return { verdict: 'bad', reason: 'encoder.none', command: installFfmpeg };
    const isSoftware = chosen.encoder.startsWith('lib');
    return {
      verdict: 'ok',
      reason: isSoftware ? 'encoder.software' : 'encoder.hardware',
      facts: { encoder: chosen.encoder },
    };
  },
};

async function spaceOf(path: string): Promise<{ path: string; free: number; total: number }> {
  const disk = await statfs(path);
  return { path, free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize };
}

async function containerLimit(): Promise<number | undefined> {
  for (const file of ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes']) {
    const bytes = Number((await readFile(file, 'utf8').catch(() => '')).trim() || Number.NaN);
    if (bytes > 0) return bytes;
  }
  return undefined;
}

/** `MemAvailable` counts what the kernel can give back; `freemem` does on newer systems only. */
async function availableBytes(): Promise<number> {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '');
  const kilobytes = Number(/^MemAvailable:\s+(\d+) kB/m.exec(text)?.[1] ?? Number.NaN);
  return Number.isNaN(kilobytes) ? freemem() : kilobytes * 1024;
}

function offsetOf(zone: string, atMs: number): string {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(atMs);
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  } catch {
    return zone;
  }
}

/** Gigabytes with one digit. */
function rounded(bytes: number): string {
  return (bytes / gigabyte).toFixed(1);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : errorMessage(error).slice(0, 80);
}
