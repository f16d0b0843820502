import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CloudSection } from '../../../features/cloud/cloud-panel.tsx';
import { paths, useLocalPath } from '../../../lib/paths.ts';
import { AccordionTab } from './accordion-tab.tsx';

/** Features kept for existing users. */
export function DeprecatedTab() {
  const { t } = useTranslation();
  return (
    <AccordionTab
      tab="deprecated"
      answers={[
        [t('others.old.what'), t('others.old.whatText')],
        [
          t('others.old.instead'),
          <>
            {t('others.old.insteadText')} <RecordLink />
          </>,
        ],
      ]}
      sections={(['dvr', 'vod'] as const).map((kind) => ({
        name: kind,
        title: t(`others.${kind}.title`),
        help: t(`others.${kind}.help`),
        content: <CloudSection kind={kind} />,
      }))}
    />
  );
}

function RecordLink() {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <Anchor component={Link} to={localPath(`${paths.scenario}?tab=record`)} size="sm">
      {t('others.old.record')}
    </Anchor>
  );
}
