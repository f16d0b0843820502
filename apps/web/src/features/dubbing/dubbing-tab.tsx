import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { Section } from '../../components/ui/layout/section.tsx';
import { IconPencil } from '../../components/ui/theme/icons.ts';
import { isNotFound } from '../../lib/api.ts';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { projectQuery } from './dubbing-queries.ts';
import { ProjectSettings } from './project-settings.tsx';
import classes from './projects-page.module.css';
import { ProjectMenu, ProjectsPage } from './projects-page.tsx';
import { Studio } from './studio/studio.tsx';
import { statusTone } from './studio/task-panel.tsx';
import { taskQuery } from './studio/task-query.ts';

export function DubbingTab() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  /** Changes no other parameter of the address. */
  const addressOf = (uuid: string | undefined) => {
    const next = new URLSearchParams(query);
    next.delete('dubbingId');
    if (uuid !== undefined) next.set('dubbingId', uuid);
    return `?${next}`;
  };
  const uuid = query.get('dubbingId');
  if (!uuid) return <ProjectsPage addressOf={addressOf} onOpen={(next) => void navigate(addressOf(next))} />;
  return <ProjectPage key={uuid} uuid={uuid} address={addressOf(uuid)} listAddress={addressOf(undefined)} />;
}

interface ProjectPageProps {
  uuid: string;
  address: string;
  /** Address of the list of projects. */
  listAddress: string;
}

/** Page of one project: the studio first, then its settings. */
function ProjectPage({ uuid, address, listAddress }: ProjectPageProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const navigate = useNavigate();
  const query = useQuery(projectQuery(uuid));
  const project = query.data;
  if (isNotFound(query.error))
    return (
      <EmptyState title={t('dubbing.gone')} text={t('dubbing.goneText')}>
        <Button variant="default" size="xs" component={Link} to={listAddress}>
          {t('dubbing.back')}
        </Button>
      </EmptyState>
    );
  if (!project) return query.failureCount > 0 ? <StaleChip {...query} /> : <PageSkeleton />;
  const { title, filepath, format } = project;
  const length = format ? formatDuration(format.duration, locale) : '';
  return (
    <>
      <PageHead
        title={title}
        crumbs={[{ label: t('dubbing.back'), to: listAddress }]}
        state={
          <>
            <ProjectPill uuid={uuid} isStarted={project.task !== ''} />
            <StaleChip {...query} />
          </>
        }
        purpose={[filepath, length].filter(Boolean).join(' · ')}
        action={
          <>
            <Button
              variant="default"
              component={Link}
              to={`${address}#panel-1`}
              leftSection={<IconPencil size={16} aria-hidden />}
            >
              {t('dubbing.setting.title')}
            </Button>
            <ProjectMenu project={project} onRemoved={() => void navigate(listAddress)} />
          </>
        }
      />
      <div className={classes.page}>
        <Section panel="2" title={t('dubbing.studio.title')} help={t('dubbing.studio.help')}>
          <Studio project={project} />
        </Section>
        <Section panel="1" title={t('dubbing.setting.title')} help={t('dubbing.setting.help')}>
          <ProjectSettings project={project} />
        </Section>
      </div>
    </>
  );
}

/** The same word as in the list. */
function ProjectPill({ uuid, isStarted }: { uuid: string; isStarted: boolean }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...taskQuery(uuid), enabled: isStarted });
  if (!isStarted) return <StatePill tone="off" word={t('dubbing.list.new')} />;
  if (!data) return null;
  return <StatePill tone={statusTone(data.status)} word={t(`dubbing.task.status.${data.status}`)} />;
}
