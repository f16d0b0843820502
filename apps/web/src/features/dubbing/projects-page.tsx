import { Anchor, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DubbingProject } from '@weir/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../components/ui/facts/data-table.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { projectsQuery } from './dubbing-queries.ts';
import { NewProject } from './new-project.tsx';
import { RemoveProjectDialog } from './remove-project-dialog.tsx';

interface ProjectsPageProps {
  onOpen: (uuid: string) => void;
}

export function ProjectsPage({ onOpen }: ProjectsPageProps) {
  const { t } = useTranslation();
  const query = useQuery(projectsQuery);
  const list = query.data && <ProjectList projects={query.data.projects} onOpen={onOpen} />;
  return (
    <Accordion
      initial={['1', '2']}
      items={[
        {
          key: '1',
          title: t('dubbing.create.title'),
          help: t('dubbing.create.help'),
          content: <NewProject onMade={({ uuid }) => onOpen(uuid)} />,
        },
        {
          key: '2',
          title: t('dubbing.create.projects'),
          state: <StaleChip {...query} />,
          content: list ?? <PageSkeleton />,
        },
      ]}
    />
  );
}

function ProjectList({ projects, onOpen }: ProjectsPageProps & { projects: readonly DubbingProject[] }) {
  const { t } = useTranslation();
  // What was asked about stays while the dialog fades out.
  const [target, setTarget] = useState<DubbingProject>();
  const [isAsking, setIsAsking] = useState(false);
  if (projects.length === 0)
    return <EmptyState title={t('dubbing.create.empty')} text={t('dubbing.create.emptyText')} />;
  const columns: Column<DubbingProject>[] = [
    { title: '#', render: (_project, index) => index, isHiddenOnCards: true },
    {
      title: t('dubbing.create.uuid'),
      render: ({ uuid }) => <span title={uuid}>{uuid.slice(0, 8)}…</span>,
      isCode: true,
    },
    {
      title: t('dubbing.create.name'),
      isName: true,
      render: ({ uuid, title }) => (
        <Anchor component="button" type="button" ta="start" size="sm" onClick={() => onOpen(uuid)}>
          {title}
        </Anchor>
      ),
    },
    { title: t('dubbing.create.type'), render: ({ filetype }) => t(`dubbing.filetype.${parseFileType(filetype)}`) },
    { title: t('dubbing.create.path'), render: ({ filepath }) => filepath },
    { title: t('dubbing.create.created'), render: (project) => <Moment at={project.created_at} /> },
  ];
  return (
    <>
      <DataTable
        label={t('dubbing.create.projects')}
        columns={columns}
        rows={projects}
        keyOf={({ uuid }) => uuid}
        actionsTitle={t('helper.actions')}
        actions={(project) => (
          <Group gap="xs" wrap="nowrap" justify="flex-end">
            <Button
              {...{ variant: 'default', size: 'xs' }}
              aria-label={t('dubbing.create.manageWhat', project)}
              onClick={() => onOpen(project.uuid)}
            >
              {t('dubbing.create.manage')}
            </Button>
            <Button
              {...{ variant: 'default', size: 'xs' }}
              aria-label={t('dubbing.create.deleteTitle', project)}
              onClick={() => {
                setTarget(project);
                setIsAsking(true);
              }}
            >
              {t('dubbing.create.deleteAction')}
            </Button>
          </Group>
        )}
      />
      {target && <RemoveProjectDialog project={target} opened={isAsking} onClose={() => setIsAsking(false)} />}
    </>
  );
}

/** Where the film came from. */
function parseFileType(filetype: string) {
  return filetype === 'file' || filetype === 'ytdl' ? filetype : 'upload';
}
