import { NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './choices-panel.module.css';
import { canCapture } from './publishing/capture.ts';
import {
  bitrates,
  frameRates,
  noDevice,
  type PublishChoices,
  qualityCounts,
  sizes,
  videoSources,
} from './publishing/publish-choices.ts';
import type { PublishSession, PublishSessionState } from './publishing/publish-session.ts';

interface Devices {
  readonly cameras: readonly MediaDeviceInfo[];
  readonly microphones: readonly MediaDeviceInfo[];
}

const none: Devices = { cameras: [], microphones: [] };

/** Connected devices. Labels appear after permission was granted; `seen` changes when that may have happened. */
function useDevices(seen: unknown): Devices {
  const [devices, setDevices] = useState(none);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `seen` triggers a new enumeration
  useEffect(() => {
    const media = navigator.mediaDevices;
    if (!media?.enumerateDevices) return;
    let isGone = false;
    const look = async () => {
      const all = await media.enumerateDevices().catch(() => []);
      if (isGone) return;
      // Without permission browsers list one unnamed entry per kind.
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

/** Publish settings. All can change while live, except a track kind that the session was opened without. */
export function ChoicesPanel({ state, session }: { state: PublishSessionState; session: PublishSession | undefined }) {
  const { t } = useTranslation();
  const { choices, media } = state;
  const { cameras, microphones } = useDevices(media);
  const choose = (part: Partial<PublishChoices>) => session?.choose(part);
  const isLive = state.phase === 'live' || state.phase === 'connecting' || state.phase === 'reconnecting';
  const hasPicture = choices.picture !== 'none';
  const isPictureFixed = session !== undefined && !session.canSwitch('video');
  const isSoundFixed = session !== undefined && !session.canSwitch('audio');
  const nameOf = ({ label }: MediaDeviceInfo, index: number, usual: string) => label || `${usual} ${index + 1}`;
  return (
    <div className={classes.choices}>
      <NativeSelect
        className={classes.wide}
        label={t('whip.picture')}
        value={choices.picture}
        disabled={!canCapture() || isPictureFixed}
        onChange={(event) => choose({ picture: pick(videoSources, event.currentTarget.value) })}
        data={videoSources.map((value) => ({ value, label: t(`whip.pictureSource.${value}`) }))}
      />
      {choices.picture === 'camera' && cameras.length > 0 && (
        <NativeSelect
          className={classes.wide}
          label={t('whip.camera')}
          value={known(cameras, choices.cameraId)}
          onChange={(event) => choose({ cameraId: event.currentTarget.value })}
          data={[
            { value: '', label: t('whip.usualDevice') },
            ...cameras.map((device, index) => ({
              value: device.deviceId,
              label: nameOf(device, index, t('whip.camera')),
            })),
          ]}
        />
      )}
      <NativeSelect
        className={classes.wide}
        label={t('whip.microphone')}
        value={choices.microphoneId === noDevice ? noDevice : known(microphones, choices.microphoneId)}
        disabled={!canCapture() || isSoundFixed}
        onChange={(event) => choose({ microphoneId: event.currentTarget.value })}
        data={[
          { value: '', label: t('whip.usualDevice') },
          ...microphones.map((device, index) => ({
            value: device.deviceId,
            label: nameOf(device, index, t('whip.microphone')),
          })),
          { value: noDevice, label: t('whip.noMicrophone') },
        ]}
      />
      {hasPicture && (
        <>
          <NativeSelect
            label={t('whip.size')}
            value={choices.size}
            onChange={(event) => choose({ size: pick(sizes, event.currentTarget.value) })}
            data={sizes.map((value) => ({ value, label: value.replace('x', ' × ') }))}
          />
          <NativeSelect
            label={t('whip.frameRate')}
            value={choices.frameRate}
            onChange={(event) => choose({ frameRate: pick(frameRates, event.currentTarget.value) })}
            data={frameRates.map((value) => ({ value, label: t('player.fps', { number: value }) }))}
          />
          <NativeSelect
            label={t('whip.bitrate')}
            value={choices.kbps}
            onChange={(event) => choose({ kbps: pick(bitrates, event.currentTarget.value) })}
            data={bitrates.map((value) => ({ value, label: `${Number(value) / 1000} Mbit/s` }))}
          />
          <NativeSelect
            className={classes.wide}
            label={t('whip.qualities')}
            description={t('whip.qualitiesHelp')}
            value={choices.qualities}
            disabled={isLive}
            onChange={(event) => choose({ qualities: pick(qualityCounts, event.currentTarget.value) })}
            data={qualityCounts.map((value) => ({ value, label: t(`whip.qualityCount.${value}`) }))}
          />
        </>
      )}
    </div>
  );
}

function pick<T extends string>(all: readonly T[], value: string): T {
  return all.find((candidate) => candidate === value) ?? (all[0] as T);
}

/** A stored device may be unplugged; the default is used then. */
function known(devices: readonly MediaDeviceInfo[], id: string): string {
  return devices.some(({ deviceId }) => deviceId === id) ? id : '';
}
