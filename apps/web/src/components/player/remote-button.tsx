import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconCast } from './icons.ts';
import controls from './player-controls.module.css';

/** Safari's way to AirPlay, older than the Remote Playback API. */
type AppleVideo = HTMLVideoElement & { webkitShowPlaybackTargetPicker?: () => void };

/** Plays on a television: Cast or AirPlay, where the browser offers it and has found a device. */
export function RemoteButton({ video }: { video: AppleVideo }) {
  const { t } = useTranslation();
  const [isOffered, setIsOffered] = useState(false);
  useEffect(() => {
    const onTargets = (event: Event) => setIsOffered('availability' in event && event.availability === 'available');
    video.addEventListener('webkitplaybacktargetavailabilitychanged', onTargets);
    // Rejected where the kind of media cannot be sent on.
    const watched = video.remote?.watchAvailability(setIsOffered).catch(() => undefined);
    return () => {
      video.removeEventListener('webkitplaybacktargetavailabilitychanged', onTargets);
      const cancel = async () => {
        const id = await watched;
        if (id !== undefined) await video.remote.cancelWatchAvailability(id);
      };
      // The element may be gone already.
      cancel().catch(() => undefined);
    };
  }, [video]);
  if (!isOffered) return null;
  const pick = () => {
    if (video.webkitShowPlaybackTargetPicker) video.webkitShowPlaybackTargetPicker();
    else video.remote.prompt().catch(() => undefined);
  };
  return (
    <button
      type="button"
      className={controls.control}
      aria-label={t('player.remote')}
      title={t('player.remote')}
      onClick={pick}
    >
      <IconCast size={20} aria-hidden />
    </button>
  );
}
