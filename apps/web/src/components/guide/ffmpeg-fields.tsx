import { useTranslation } from 'react-i18next';
import { CopyField } from '../ui/fields/copy-field.tsx';
import { RotateButton } from './rotate-button.tsx';
import type { Guide } from './use-guide.ts';

/** Complete publish URL, also as QR code for phones. */
export function PublishUrlField({ url, secret }: { url: string; secret: string }) {
  const { t } = useTranslation();
  return (
    <CopyField
      label={t('live.ffmpeg.url')}
      value={url}
      secret={secret}
      help={t('live.ffmpeg.urlHelp')}
      qrValue={url}
      actions={<RotateButton />}
    />
  );
}

/** Low-latency SRT playback commands per operating system. */
export function FfplayFields({ values }: Pick<Guide, 'values'>) {
  const { t } = useTranslation();
  return (
    <>
      <CopyField label={t('live.srt.win')} value={values.ffplayWindows} isLong />
      <CopyField label={t('live.srt.mac')} value={values.ffplayUnix} isLong />
    </>
  );
}
