import { Anchor, Text } from '@mantine/core';
import type { Status } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { FactList } from '../../../components/ui/facts/fact-list.tsx';
import { type Freshness, StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';

export function HostCard({ status, freshness }: { status: Status; freshness: Freshness }) {
  const { t } = useTranslation();
  const { version, stable, latest } = status;
  return (
    <Section title={t('coms.host')} help={t('coms.hostHelp')} state={<StaleChip {...freshness} />}>
      <FactList
        facts={[
          { term: t('coms.version'), value: version },
          { term: t('coms.stable'), value: stable },
          { term: t('coms.latest'), value: <Latest version={latest} /> },
        ]}
      />
      <Text size="sm" c="dimmed" mt="md">
        {version === latest ? t('coms.current') : t('coms.newer', { version: latest })}
      </Text>
    </Section>
  );
}

/** The change log comes with the console: no other site is asked. */
function Latest({ version }: { version: string }) {
  const { t } = useTranslation();
  return (
    <>
      {version}{' '}
      <Anchor inherit href={`${import.meta.env.BASE_URL}changelog.txt`} target="_blank" rel="noopener noreferrer">
        {t('coms.changes')}
      </Anchor>
    </>
  );
}
