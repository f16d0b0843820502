import { parseJson, readStorage, storageKeys, writeStorage } from '../../../lib/browser/browser-storage.ts';

export const sizes = ['640x360', '960x540', '1280x720', '1920x1080'] as const;
export const frameRates = ['15', '24', '30', '60'] as const;
export const bitrates = ['500', '1000', '2500', '4500', '6000'] as const;
export const qualityCounts = ['one', 'several'] as const;
export const videoSources = ['camera', 'screen', 'none'] as const;

/** Microphone id that means "none". */
export const noDevice = 'none';

/** Publish settings. Device ids are the browser's own; empty means the default device. */
export interface PublishChoices {
  readonly picture: (typeof videoSources)[number];
  readonly cameraId: string;
  readonly microphoneId: string;
  readonly size: (typeof sizes)[number];
  readonly frameRate: (typeof frameRates)[number];
  readonly kbps: (typeof bitrates)[number];
  /** Smaller sizes beside the chosen one, for viewers with slow connections. */
  readonly qualities: (typeof qualityCounts)[number];
}

export const defaultChoices: PublishChoices = {
  picture: 'camera',
  cameraId: '',
  microphoneId: '',
  size: '1280x720',
  frameRate: '30',
  kbps: '2500',
  qualities: 'one',
};

export function readChoices(): PublishChoices {
  return parseChoices(parseJson(readStorage(storageKeys.publishChoices)));
}

export function saveChoices(choices: PublishChoices): void {
  // Screen sharing is never restored: users must choose it each time.
  writeStorage(
    storageKeys.publishChoices,
    JSON.stringify({ ...choices, picture: choices.picture === 'none' ? 'none' : 'camera' }),
  );
}

/** Invalid stored values fall back to the defaults. */
export function parseChoices(stored: unknown): PublishChoices {
  const record = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  const text = (name: 'cameraId' | 'microphoneId') => {
    const value = record[name];
    return typeof value === 'string' && value.length < 256 ? value : defaultChoices[name];
  };
  return {
    picture: videoSources.find((value) => value === record.picture) ?? defaultChoices.picture,
    cameraId: text('cameraId'),
    microphoneId: text('microphoneId'),
    size: sizes.find((value) => value === record.size) ?? defaultChoices.size,
    frameRate: frameRates.find((value) => value === record.frameRate) ?? defaultChoices.frameRate,
    kbps: bitrates.find((value) => value === record.kbps) ?? defaultChoices.kbps,
    qualities: qualityCounts.find((value) => value === record.qualities) ?? defaultChoices.qualities,
  };
}

export function parseSize(size: PublishChoices['size']): { width: number; height: number } {
  const [width = 1280, height = 720] = size.split('x').map(Number);
  return { width, height };
}
