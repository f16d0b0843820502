import { useEffect, useState } from 'react';

interface Devices {
  readonly cameras: readonly MediaDeviceInfo[];
  readonly microphones: readonly MediaDeviceInfo[];
}

const none: Devices = { cameras: [], microphones: [] };

/** What is plugged in. Names show once the page was allowed to use one; `seen` changes when that may have happened. */
export function useDevices(seen: unknown): Devices {
  const [devices, setDevices] = useState(none);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `seen` is a reason to look again
  useEffect(() => {
    const media = navigator.mediaDevices;
    if (!media?.enumerateDevices) return;
    let isGone = false;
    const look = async () => {
      const all = await media.enumerateDevices().catch(() => []);
      if (isGone) return;
      // Before permission there is one nameless entry per kind, which is no choice.
      const named = all.filter(
        ({ deviceId }) => deviceId !== '' && deviceId !== 'default' && deviceId !== 'communications',
      );
      setDevices({
        cameras: named.filter(({ kind }) => kind === 'videoinput'),
        microphones: named.filter(({ kind }) => kind === 'audioinput'),
      });
    };
    look();
    media.addEventListener('devicechange', look);
    return () => {
      isGone = true;
      media.removeEventListener('devicechange', look);
    };
  }, [seen]);
  return devices;
}
