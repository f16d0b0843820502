import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { VoiceMicrophone } from '../voice/voice-types.ts';
import classes from './composer.module.css';

/** Which microphone, where there are several. */
export function DeviceChoice({ microphone: { devices, deviceId, choose } }: { microphone: VoiceMicrophone }) {
  const { t } = useTranslation();
  if (devices.length < 2) return null;
  return (
    <NativeSelect
      className={classes.device}
      size="xs"
      aria-label={t('talk.microphone.device')}
      value={deviceId}
      data={devices.map(({ id, label }, index) => ({
        value: id,
        label: label || t('talk.microphone.numbered', { number: index + 1 }),
      }))}
      onChange={(event) => void choose(event.currentTarget.value)}
    />
  );
}
