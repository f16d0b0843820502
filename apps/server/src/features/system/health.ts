import { X509Certificate } from 'node:crypto';
import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { certs, type Health } from '@weir/contract';
import type { Store } from '../../core/store/store.ts';
import type { MediaServer } from '../../media-server/media-server.ts';

/** Below this much free space recordings and settings are in danger. */
const leastFreeBytes = 1024 ** 3;

interface Context {
  readonly store: Store;
  readonly mediaServer: MediaServer;
  readonly dataDir: string;
}

/** Looks at everything the server leans on, now. A part that cannot be asked is a finding, not an error. */
export async function observeHealth({ store, mediaServer, dataDir }: Context, nowMs: number): Promise<Health> {
  const [storeOk, engine, disk, certificate] = await Promise.all([
    store.check().then(
      () => true,
      () => false,
    ),
    mediaServer.health().catch(() => undefined),
    statfs(dataDir).catch(() => undefined),
    readCertificate(join(dataDir, 'config', 'nginx.crt'), nowMs),
  ]);
  const freeBytes = disk ? disk.bavail * disk.bsize : 0;
  return {
    store: { ok: storeOk },
    engine: {
      ok: engine !== undefined,
      startedAt: engine?.startedAt ?? null,
      listeners: [...(engine?.listeners ?? [])],
    },
    disk: { ok: freeBytes >= leastFreeBytes, freeBytes, totalBytes: disk ? disk.blocks * disk.bsize : 0 },
    certificate,
  };
}

async function readCertificate(file: string, nowMs: number): Promise<Health['certificate']> {
  try {
    const { subject, issuer, validFrom, validTo } = new X509Certificate(await readFile(file));
    const isEnding = isEndNear(Date.parse(validFrom), Date.parse(validTo), nowMs);
    return { subject, issuer, expireAt: new Date(validTo).toISOString(), isEnding };
  } catch {
    // Missing, or invalid for the engine as well: the HTTPS listener's state shows it.
    return null;
  }
}

export function isEndNear(fromMs: number, untilMs: number, nowMs: number): boolean {
  return untilMs - nowMs <= Math.min(certs.alertBeforeMs, (untilMs - fromMs) / 4);
}
