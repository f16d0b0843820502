import { parseJson, readStorage, storageKeys, writeStorage } from '../../lib/browser/browser-storage.ts';

interface Volume {
  readonly level: number;
  readonly isMuted: boolean;
}

/** The viewer's last choice in this browser. */
export function readVolume(): Volume {
  const kept = parseJson(readStorage(storageKeys.volume));
  const fields: Partial<Record<string, unknown>> = typeof kept === 'object' && kept !== null ? { ...kept } : {};
  const level = typeof fields.level === 'number' && fields.level > 0 && fields.level <= 1 ? fields.level : 1;
  return { level, isMuted: fields.isMuted === true };
}

export function saveVolume(volume: Volume): void {
  writeStorage(storageKeys.volume, JSON.stringify(volume));
}
