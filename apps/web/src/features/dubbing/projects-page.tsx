import { Button, Menu, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type DubbingProject, type DubbingState, dubbingApi, dubbingLimits, type Source } from '@weir/contract';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { LanguageSelect } from '../../components/ai/language-select.tsx';
import { EmptyList } from '../../components/outlets/empty-list.tsx';
import { SourcePicker } from '../../components/sources/source-picker.tsx';
import { SourceThumbnail } from '../../components/sources/source-thumbnail.tsx';
import { Ago } from '../../components/ui/facts/moment.tsx';
import { artAccent, artLine, artPaper } from '../../components/ui/feedback/art-line.ts';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { StatePill } from '../../components/ui/feedback/state-pill.tsx';
import { StatusLabel } from '../../components/ui/feedback/status-label.tsx';
import { FlowList, FlowRow, LoadingRows } from '../../components/ui/layout/flow-row.tsx';
import { PageHead } from '../../components/ui/layout/page-head.tsx';
import { RowMenu } from '../../components/ui/layout/row-menu.tsx';
import { SideSheet } from '../../components/ui/layout/side-sheet.tsx';
import { usePanelLink } from '../../components/ui/layout/use-panel-link.ts';
import { IconPlus } from '../../components/ui/theme/icons.ts';
import { client } from '../../lib/api.ts';
import { formatDuration } from '../../lib/format.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import { dubbingKey, projectsQuery } from './dubbing-queries.ts';
import classes from './projects-page.module.css';
import { refusalText } from './refusal-text.ts';
import { statusTone } from './studio/task-panel.tsx';
import { isWorking } from './studio/task-query.ts';
import { usePrompts } from './use-prompts.ts';

interface ProjectsPageProps {
  addressOf: (uuid: string) => string;
  onOpen: (uuid: string) => void;
}

/** Projects as rows with their progress, and a sheet that adds one. */
export function ProjectsPage({ addressOf, onOpen }: ProjectsPageProps) {
  const { t } = useTranslation();
  const query = useQuery(projectsQuery);
  const [isAdding, setIsAdding] = useState(false);
  usePanelLink((key) => key === '1' && setIsAdding(true));
  const projects = query.data?.projects;
  const states = query.data?.states ?? [];
  const working = states.filter(isWorking).length;
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setIsAdding(true)}>
      {t('dubbing.create.title')}
    </Button>
  );
  return (
    <>
      <PageHead
        title={t('dubbing.title')}
        state={working > 0 && <StatePill tone="busy" word={t('dubbing.list.working', { count: working })} />}
        purpose={t('nav.purpose.dubbing')}
        action={projects?.length !== 0 && add}
      />
      <StaleChip {...query} />
      <section id="panel-2" data-key="2" tabIndex={-1} aria-label={t('dubbing.create.projects')}>
        {!projects && query.failureCount === 0 && <LoadingRows />}
        {projects?.length === 0 && <EmptyList art={<DubbingArt />} text={t('dubbing.create.emptyText')} action={add} />}
        {projects && projects.length > 0 && (
          <FlowList
            label={t('dubbing.create.projects')}
            heads={[t('dubbing.list.project'), t('dubbing.list.state'), t('dubbing.create.created'), null]}
          >
            {projects.map((project) => (
              <ProjectRow
                key={project.uuid}
                project={project}
                state={states.find(({ uuid }) => uuid === project.uuid)}
                to={addressOf(project.uuid)}
              />
            ))}
          </FlowList>
        )}
      </section>
      <NewProjectSheet opened={isAdding} onClose={() => setIsAdding(false)} onMade={({ uuid }) => onOpen(uuid)} />
    </>
  );
}

interface ProjectRowProps {
  project: DubbingProject;
  /** Undefined while it was never started. */
  state: DubbingState | undefined;
  to: string;
}

function ProjectRow({ project, state, to }: ProjectRowProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const { uuid, title, source, filetype, video, filepath, format, created_at: createdAt } = project;
  const length = format ? formatDuration(format.duration, locale) : '';
  return (
    <FlowRow
      picture={<SourceThumbnail source={{ uuid: source, type: filetype, video }} isLive />}
      name={
        <Link data-touch className={classes.name} to={to} title={uuid}>
          {title}
        </Link>
      }
      way={[filepath, length].filter(Boolean).join(' · ')}
      state={source === '' ? <StatusLabel tone="bad" word={t('dubbing.list.gone')} /> : <ProjectState state={state} />}
      since={state && isWorking(state) && t('dubbing.task.percent', { percent: Math.round(state.percent) })}
      bitrate={<Ago at={createdAt} />}
      menu={<ProjectMenu project={project} to={to} />}
    />
  );
}

function ProjectState({ state }: { state: DubbingState | undefined }) {
  const { t } = useTranslation();
  if (!state) return <StatusLabel tone="off" word={t('dubbing.list.new')} />;
  return <StatusLabel tone={statusTone(state.status)} word={t(`dubbing.task.status.${state.status}`)} />;
}

/** Actions on a project besides opening it. */
export function ProjectMenu({
  project,
  to,
  onRemoved,
}: {
  project: DubbingProject;
  to?: string;
  onRemoved?: () => void;
}) {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <RowMenu label={t('dubbing.list.more', project)} isFramed={to === undefined}>
        {to !== undefined && (
          <>
            <Menu.Item component={Link} to={to}>
              {t('dubbing.create.manage')}
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        <Menu.Item color="red" onClick={() => setIsAsking(true)}>
          {t('dubbing.create.deleteAction')}
        </Menu.Item>
      </RowMenu>
      <RemoveProjectDialog
        project={project}
        opened={isAsking}
        onClose={() => setIsAsking(false)}
        {...(onRemoved && { onRemoved })}
      />
    </>
  );
}

/** A film whose speech comes out in another language. */
function DubbingArt() {
  return (
    <svg viewBox="0 0 260 120" aria-hidden="true" {...artLine}>
      <rect x="14" y="30" width="84" height="60" rx="6" fill={artPaper} />
      <path d="M14 42h84M14 78h84M30 30v12M48 30v12M66 30v12M84 30v12M30 78v12M48 78v12M66 78v12M84 78v12" />
      <path d="M112 60v0M120 52v16M128 44v32M136 54v12M144 36v48M152 50v20M160 58v4" stroke={artAccent} />
      <path
        d="M180 22h56a6 6 0 0 1 6 6v22a6 6 0 0 1-6 6h-36l-12 10V56h-8a6 6 0 0 1-6-6V28a6 6 0 0 1 6-6z"
        fill={artPaper}
      />
      <path d="M188 34h40M188 44h24" stroke={artAccent} />
      <path d="M196 78h40a6 6 0 0 1 6 6v14a6 6 0 0 1-6 6h-40a6 6 0 0 1-6-6V84a6 6 0 0 1 6-6z" fill={artPaper} />
      <path d="M200 91h28" />
    </svg>
  );
}

interface RemoveProjectDialogProps {
  project: DubbingProject;
  opened: boolean;
  onClose: () => void;
  onRemoved?: () => void;
}

function RemoveProjectDialog({ project, opened, onClose, onRemoved }: RemoveProjectDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => client.call(dubbingApi.remove, { uuid: project.uuid }),
    onSuccess: () => {
      notify.success(t('dubbing.create.deleted'));
      onRemoved?.();
    },
    onSettled: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: dubbingKey });
    },
  });
  return (
    <ConfirmDialog
      {...{ opened, onClose }}
      title={t('dubbing.create.deleteTitle', project)}
      text={t('dubbing.create.delete')}
      action={t('dubbing.create.deleteAction')}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
    />
  );
}

interface NewProjectSheetProps {
  opened: boolean;
  onClose: () => void;
  onMade: (project: DubbingProject) => void;
}

/** The video first, then its title and language. */
function NewProjectSheet({ opened, onClose, onMade }: NewProjectSheetProps) {
  const { t } = useTranslation();
  const formId = useId();
  const form = useNewProject(onMade);
  const { problem } = form;
  return (
    <SideSheet
      opened={opened}
      onClose={onClose}
      title={t('dubbing.create.title')}
      footer={
        <>
          <Button type="submit" form={formId} loading={form.isCreating}>
            {t('dubbing.create.action')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('helper.cancel')}
          </Button>
        </>
      }
    >
      <Stack gap="lg" data-key="1">
        <SourcePicker
          label={t('dubbing.create.sourceLabel')}
          help={t('dubbing.create.source')}
          problem={problem === 'file' ? t('dubbing.create.noFile') : undefined}
          files={form.files}
          onChange={form.chooseFiles}
          choose={async (refs) => (await client.call(dubbingApi.source, { files: [...refs] })).files}
          onChosen={form.chooseFiles}
          hasStreams={false}
          isSingle
        />
        <form id={formId} onSubmit={form.submit} noValidate>
          <Stack gap="md">
            <TextInput
              size="md"
              label={t('dubbing.create.name')}
              maxLength={dubbingLimits.titleCharacters}
              autoComplete="off"
              value={form.title}
              error={problem === 'title' && t('dubbing.create.nameMissing')}
              onChange={(event) => form.setTitle(event.currentTarget.value)}
            />
            <LanguageSelect
              label={t('dubbing.create.language')}
              help={t('dubbing.create.languageHelp')}
              none={t('dubbing.create.languageAuto')}
              value={form.language}
              onChange={form.setLanguage}
            />
            {form.refused && <Notice tone="bad" title={form.refused} />}
          </Stack>
        </form>
      </Stack>
    </SideSheet>
  );
}

function useNewProject(onMade: (project: DubbingProject) => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { translationFrom, rephrasing } = usePrompts();
  const [title, setTitle] = useState(t('dubbing.create.example'));
  const [language, setLanguage] = useState<string>(useLocale());
  const [files, setFiles] = useState<readonly Source[]>([]);
  const [problem, setProblem] = useState<'title' | 'file'>();
  const create = useMutation({
    mutationFn: async () => {
      const { uuid } = await client.call(dubbingApi.create, { title: title.trim(), files: [...files] });
      return client.call(dubbingApi.update, {
        uuid,
        asr: { aiAsrLanguage: language, aiAsrPrompt: 'user-only' },
        trans: { aiChatPrompt: translationFrom(language) },
        rephrase: { aiChatPrompt: rephrasing },
      });
    },
    onSuccess: async (project) => {
      await queries.invalidateQueries({ queryKey: dubbingKey });
      onMade(project);
    },
    meta: { handles: (error) => refusalText(t, error) !== undefined },
  });
  return {
    title,
    language,
    files,
    problem,
    setLanguage,
    isCreating: create.isPending,
    refused: refusalText(t, create.error),
    setTitle: (next: string) => {
      setTitle(next);
      setProblem(undefined);
    },
    chooseFiles: (chosen: readonly Source[]) => {
      setFiles(chosen);
      setProblem(undefined);
      create.reset();
    },
    submit: (event: FormEvent) => {
      event.preventDefault();
      const found = title.trim() === '' ? 'title' : files.length === 0 ? 'file' : undefined;
      setProblem(found);
      if (!found && !create.isPending) create.mutate();
    },
  };
}
