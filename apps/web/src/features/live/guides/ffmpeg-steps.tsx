import { useTranslation } from 'react-i18next';
import { PublishUrlField } from '../../../components/guide/ffmpeg-fields.tsx';
import { downloads, OutsideLink, Step } from '../../../components/guide/guide-steps.tsx';
import { RotateButton } from '../../../components/guide/rotate-button.tsx';
import { CopyField } from '../../../components/ui/fields/copy-field.tsx';

interface FfmpegStepsProps {
  /** What the program must be able to do. */
  needs?: string;
  /** Commands that send a file, and a test picture. */
  file: string;
  test: string;
  url: string;
  secret: string;
}

/** Get FFmpeg, and publish with it. */
export function FfmpegSteps({ needs, file, test, url, secret }: FfmpegStepsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Step title={t('live.ffmpeg.download')} {...(needs !== undefined && { text: needs })}>
        <OutsideLink href={downloads.ffmpeg}>ffmpeg.org</OutsideLink>
      </Step>
      <Step title={t('live.ffmpeg.run')} text={t('live.ffmpeg.runText')}>
        <CopyField label={t('live.ffmpeg.cli')} value={file} secret={secret} isLong actions={<RotateButton />} />
        <CopyField label={t('live.ffmpeg.test')} value={test} secret={secret} isLong />
        <PublishUrlField url={url} secret={secret} />
      </Step>
    </>
  );
}
