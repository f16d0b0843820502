import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Answers } from '../../../components/ui/data/answers.tsx';
import { Accordion } from '../../../components/ui/layout/accordion.tsx';
import { CloudSection } from '../../../features/tencent/cloud-section.tsx';
import { paths, useLocalPath } from '../../../lib/paths.ts';
import { useSection } from './use-section.ts';

/** What is kept for those who already use it. */
export function DeprecatedTab() {
  const { t } = useTranslation();
  const section = useSection({ deprecated: '0', dvr: '1', vod: '2' });
  return (
    <Accordion
      key={section}
      initial={section}
      items={[
        {
          key: '0',
          title: t('others.intro.title'),
          content: (
            <Answers
              answers={[
                [t('others.old.what'), t('others.old.whatText')],
                [
                  t('others.old.instead'),
                  <>
                    {t('others.old.insteadText')} <RecordLink />
                  </>,
                ],
              ]}
            />
          ),
        },
        { key: '1', title: t('others.dvr.title'), help: t('others.dvr.help'), content: <CloudSection kind="dvr" /> },
        { key: '2', title: t('others.vod.title'), help: t('others.vod.help'), content: <CloudSection kind="vod" /> },
      ]}
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
