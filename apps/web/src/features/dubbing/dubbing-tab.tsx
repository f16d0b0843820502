import { Button, Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { isNotFound } from '../../lib/api.ts';
import { projectQuery } from './dubbing-queries.ts';
import { ProjectSettings } from './project-settings.tsx';
import { ProjectsPage } from './projects-page.tsx';
import classes from './studio/studio.module.css';
import { Studio } from './studio/studio.tsx';

export function DubbingTab() {
  const [query, setQuery] = useSearchParams();
  const uuid = query.get('dubbingId');
  const open = (next: string) => setQuery((before) => withProject(before, next));
  const leave = () => setQuery((before) => withProject(before, undefined));
  return uuid ? <ProjectPage key={uuid} uuid={uuid} onBack={leave} /> : <ProjectsPage onOpen={open} />;
}

/** Changes no other parameter of the address. */
function withProject(query: URLSearchParams, uuid: string | undefined): URLSearchParams {
  const next = new URLSearchParams(query);
  next.delete('dubbingId');
  if (uuid !== undefined) next.set('dubbingId', uuid);
  return next;
}

function ProjectPage({ uuid, onBack }: { uuid: string; onBack: () => void }) {
  const { t } = useTranslation();
  const query = useQuery(projectQuery(uuid));
  const project = query.data;
  const back = (
    <Button variant="default" size="xs" onClick={onBack}>
      {t('dubbing.back')}
    </Button>
  );
  if (isNotFound(query.error))
    return (
      <EmptyState title={t('dubbing.gone')} text={t('dubbing.goneText')}>
        {back}
      </EmptyState>
    );
  if (!project) return query.failureCount > 0 ? <StaleChip {...query} /> : <PageSkeleton />;
  const isStarted = project.task !== '';
  return (
    <Stack gap="md">
      <Group gap="sm">
        {back}
        <Title order={2} className={classes.title}>
          {project.title}
        </Title>
      </Group>
      <Accordion
        initial={isStarted ? ['2'] : ['1', '2']}
        items={[
          {
            key: '1',
            title: t('dubbing.setting.title'),
            help: t('dubbing.setting.help'),
            content: <ProjectSettings project={project} />,
          },
          {
            key: '2',
            title: t('dubbing.studio.title'),
            help: t('dubbing.studio.help'),
            state: <StaleChip {...query} />,
            content: <Studio project={project} />,
          },
        ]}
      />
    </Stack>
  );
}
