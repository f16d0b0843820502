import { useTranslation } from 'react-i18next';
import { FactList } from '../ui/facts/fact-list.tsx';
import { CopyField } from '../ui/fields/copy-field.tsx';
import { downloads, OutsideLink, Step } from './guide-steps.tsx';
import { RotateButton } from './rotate-button.tsx';
import type { Guide } from './use-guide.ts';

export function ObsDownloadStep() {
  const { t } = useTranslation();
  return (
    <Step title={t('live.obs.download')}>
      <OutsideLink href={downloads.obs}>obsproject.com</OutsideLink>
    </Step>
  );
}

/** OBS over SRT takes the whole URL as server, without a key. */
export function ObsSrtStep({ guide, title, help }: { guide: Guide; title: string; help?: string }) {
  const { t } = useTranslation();
  return (
    <Step title={title} text={t('live.obs.configText')}>
      <FactList
        facts={[
          { term: t('live.obs.service'), value: t('live.obs.custom') },
          { term: t('live.obs.key'), value: t('live.obs.nokey') },
        ]}
      />
      <CopyField
        label={t('live.obs.server')}
        value={guide.addresses.srtPublishUrl}
        secret={guide.secret}
        {...(help !== undefined && { help })}
        actions={<RotateButton />}
      />
    </Step>
  );
}
