import { NativeSelect } from '@mantine/core';
import { type ExtraAudio, extraAudios } from '@weir/contract';
import { useTranslation } from 'react-i18next';

/** Whether silence takes the place of the camera's sound. */
export function ExtraAudioField({ value, onChange }: { value: ExtraAudio; onChange: (value: ExtraAudio) => void }) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      size="md"
      label={t('camera.extraAudio')}
      description={t('camera.extraAudioHelp')}
      data={extraAudios.map((one) => ({ value: one, label: one === 'silent' ? t('camera.silent') : t('camera.none') }))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value === 'silent' ? 'silent' : '')}
    />
  );
}
