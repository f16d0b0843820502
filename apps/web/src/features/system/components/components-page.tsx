import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PageSkeleton } from '../../../components/ui/feedback/page-skeleton.tsx';
import { Section } from '../../../components/ui/layout/section.tsx';
import { statusQuery } from '../../../lib/queries/system-queries.ts';
import { AiCard } from './ai-card.tsx';
import classes from './components-page.module.css';
import { componentsQuery } from './components-queries.ts';
import { HostCard } from './host-card.tsx';
import { PlaneCard } from './plane-card.tsx';
import { StoragePanel } from './storage-panel.tsx';
import { ToolsPanel } from './tools-panel.tsx';

/** What the server consists of: its version, its processes, what it needs of the machine, what it takes of the disk. */
export function ComponentsPage() {
  const { t } = useTranslation();
  const status = useQuery(statusQuery);
  const components = useQuery(componentsQuery);
  return (
    <Stack gap="md">
      <Title order={1}>{t('coms.title')}</Title>
      <div className={classes.columns}>
        <div className={classes.column}>
          {status.data ? <HostCard status={status.data} freshness={status} /> : <PageSkeleton />}
          {components.data?.planes.map((plane) => (
            <PlaneCard key={plane.name} plane={plane} freshness={components} />
          ))}
          {components.data?.planes.length === 0 && (
            <Section title={t('coms.engine.title')}>{t('coms.noPlanes')}</Section>
          )}
        </div>
        <div className={classes.column}>
          {components.data && <AiCard process={components.data.ai} />}
          {components.data && <ToolsPanel tools={components.data.tools} />}
          {components.data && status.data && <StoragePanel use={components.data.dataUse} health={status.data.health} />}
        </div>
      </div>
    </Stack>
  );
}
