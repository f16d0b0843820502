import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FfplayFields } from '../../components/guide/ffmpeg-fields.tsx';
import { downloads, OutsideLink, Step } from '../../components/guide/guide-steps.tsx';
import type { Guide } from '../../components/guide/use-guide.ts';
import { CopyField } from '../../components/ui/fields/copy-field.tsx';
import classes from './srt-tutorial.module.css';

const checks = ['rtt', 'loss', 'wired', 'cpu'] as const;

/** What the line must be like: no program makes up for it. */
export function BeforeStep() {
  const { t } = useTranslation();
  return (
    <Step title={t('srtTutorial.before.title')} text={t('srtTutorial.before.text')}>
      <CopyField label={t('srtTutorial.before.ping')} value={`ping ${window.location.hostname}`} />
      <ul className={classes.checks}>
        {checks.map((check) => (
          <Text component="li" size="sm" key={check}>
            {t(`srtTutorial.before.${check}`)}
          </Text>
        ))}
      </ul>
    </Step>
  );
}

export function FfplayStep({ guide: { addresses, values }, hasQr = false }: { guide: Guide; hasQr?: boolean }) {
  const { t } = useTranslation();
  return (
    <Step title={t('srtTutorial.play.title')} text={t('live.srt.wait')}>
      <OutsideLink href={downloads.ffmpeg}>{t('live.srt.ffplay')}</OutsideLink>
      <CopyField
        label={t('live.srt.url')}
        value={addresses.srtPlayUrl}
        {...(hasQr && { qrValue: addresses.srtPlayUrl })}
      />
      <FfplayFields values={values} />
    </Step>
  );
}

/** Figures of other machines say little: one's own are a photograph away. */
export function MeasureStep() {
  const { t } = useTranslation();
  return <Step title={t('srtTutorial.measure.title')} text={t('srtTutorial.measure.text')} />;
}
