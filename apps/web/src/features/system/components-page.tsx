import { Anchor, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FactList } from '../../components/ui/fact-list.tsx';
import { PageSkeleton } from '../../components/ui/page-skeleton.tsx';
import { Section } from '../../components/ui/section.tsx';
import { StaleChip } from '../../components/ui/stale-chip.tsx';
import { statusQuery } from './system-queries.ts';

export function ComponentsPage() {
  const { t } = useTranslation();
  const status = useQuery(statusQuery);
  const data = status.data;
  return (
    <Stack gap="md" maw={560}>
      <Title order={1}>{t('coms.title')}</Title>
      {data ? (
        <Section title={t('coms.host')} help={t('coms.hostHelp')} state={<StaleChip {...status} />}>
          <FactList
            facts={[
              { term: t('coms.version'), value: data.version },
              { term: t('coms.stable'), value: data.stable },
              { term: t('coms.latest'), value: <Latest version={data.latest} /> },
            ]}
          />
          <Text size="sm" c="dimmed" mt="md">
            {data.version === data.latest ? t('coms.current') : t('coms.newer', { version: data.latest })}
          </Text>
        </Section>
      ) : (
        <PageSkeleton />
      )}
    </Stack>
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
