import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type DubbingProject, dubbingApi, dubbingLimits, type Source } from '@weir/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageSelect } from '../../components/ai/language-select.tsx';
import { SourcePicker } from '../../components/sources/source-picker.tsx';
import { type Column, DataTable } from '../../components/ui/facts/data-table.tsx';
import { Moment } from '../../components/ui/facts/moment.tsx';
import { ConfirmDialog } from '../../components/ui/feedback/confirm-dialog.tsx';
import { EmptyState } from '../../components/ui/feedback/empty-state.tsx';
import { Notice } from '../../components/ui/feedback/notice.tsx';
import { PageSkeleton } from '../../components/ui/feedback/page-skeleton.tsx';
import { StaleChip } from '../../components/ui/feedback/stale-chip.tsx';
import { Accordion } from '../../components/ui/layout/accordion.tsx';
import { client } from '../../lib/api.ts';
import { useLocale } from '../../lib/i18n.ts';
import { notify } from '../../lib/notify.ts';
import { dubbingKey, projectsQuery } from './dubbing-queries.ts';
import { refusalText } from './refusal-text.ts';
import { usePrompts } from './use-prompts.ts';

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
  // Keeps the project while the dialog fades out.
  const [target, setTarget] = useState<DubbingProject>();
  const [isAsking, setIsAsking] = useState(false);
  if (projects.length === 0)
    return <EmptyState title={t('dubbing.create.empty')} text={t('dubbing.create.emptyText')} />;
  const columns: Column<DubbingProject>[] = [
    { title: '#', render: (_project, index) => index + 1, isHiddenOnCards: true },
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

function parseFileType(filetype: string) {
  return filetype === 'file' || filetype === 'ytdl' ? filetype : 'upload';
}

interface RemoveProjectDialogProps {
  project: DubbingProject;
  opened: boolean;
  onClose: () => void;
}

function RemoveProjectDialog({ project, opened, onClose }: RemoveProjectDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => client.call(dubbingApi.remove, { uuid: project.uuid }),
    onSuccess: () => notify.success(t('dubbing.create.deleted')),
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

function NewProject({ onMade }: { onMade: (project: DubbingProject) => void }) {
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
  const refused = refusalText(t, create.error);
  const chooseFiles = (chosen: readonly Source[]) => {
    setFiles(chosen);
    setProblem(undefined);
    create.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = title.trim() === '' ? 'title' : files.length === 0 ? 'file' : undefined;
    setProblem(found);
    if (!found && !create.isPending) create.mutate();
  };
  return (
    <Stack gap="md" maw={760}>
      <SourcePicker
        label={t('dubbing.create.sourceLabel')}
        help={t('dubbing.create.source')}
        problem={problem === 'file' ? t('dubbing.create.noFile') : undefined}
        files={files}
        onChange={chooseFiles}
        choose={async (refs) => (await client.call(dubbingApi.source, { files: [...refs] })).files}
        onChosen={chooseFiles}
        hasStreams={false}
        isSingle
      />
      <form onSubmit={submit} noValidate>
        <Stack gap="md" maw={560}>
          <TextInput
            size="md"
            label={t('dubbing.create.name')}
            maxLength={dubbingLimits.titleCharacters}
            autoComplete="off"
            value={title}
            error={problem === 'title' && t('dubbing.create.nameMissing')}
            onChange={(event) => {
              setTitle(event.currentTarget.value);
              setProblem(undefined);
            }}
          />
          <LanguageSelect
            label={t('dubbing.create.language')}
            help={t('dubbing.create.languageHelp')}
            none={t('dubbing.create.languageAuto')}
            value={language}
            onChange={setLanguage}
          />
          {refused && <Notice tone="bad" title={refused} />}
          <Group>
            <Button type="submit" loading={create.isPending}>
              {t('dubbing.create.action')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}
