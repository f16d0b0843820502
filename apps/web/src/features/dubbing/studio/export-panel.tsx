import { Button, Group, Menu, Progress, Stack, Text } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type DubbingProject, type DubbingTask, dubbingApi, dubbingPaths } from '@weir/contract';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { client } from '../../../lib/api.ts';
import { saveFile } from '../../../lib/browser/save-file.ts';
import { formatBytes } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { formatSubtitles, needsAttention, type SubtitleFormat, type SubtitleText } from './group-status.ts';
import { taskGroups } from './task-query.ts';

interface ExportPanelProps {
  project: DubbingProject;
  task: DubbingTask;
  token: string | undefined;
}

const files = [
  ['source', 'srt'],
  ['source', 'vtt'],
  ['translation', 'srt'],
  ['translation', 'vtt'],
] as const satisfies readonly (readonly [SubtitleText, SubtitleFormat])[];

export function ExportPanel({ project, task, token }: ExportPanelProps) {
  const { t } = useTranslation();
  const groups = taskGroups(task);
  const problems = groups.filter(needsAttention).length;
  const isReady = task.status === 'done' && groups.length > 0 && problems === 0;
  if (groups.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-label={t('dubbing.export.title')}>
      <Text size="sm" fw={600}>
        {t('dubbing.export.title')}
      </Text>
      {!isReady && (
        <Text size="sm" c="dimmed">
          {task.status === 'done' && problems > 0
            ? t('dubbing.export.problems', { count: problems })
            : t('dubbing.export.unfinished')}
        </Text>
      )}
      <Group gap="xs">
        {isReady && <VideoExport project={project} task={task} token={token} />}
        <Menu position="bottom-start" transitionProps={{ duration: 100 }}>
          <Menu.Target>
            <Button variant="default">{t('dubbing.export.subtitles')}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {files.map(([text, format]) => (
              <Menu.Item
                key={`${text}.${format}`}
                onClick={() => saveFile(`${project.title}.${text}.${format}`, formatSubtitles(groups, text, format))}
              >
                {t(`dubbing.export.${text}`)} ({format.toUpperCase()})
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
    </Stack>
  );
}

const exportQuery = ({ uuid, background }: DubbingProject, task: DubbingTask) =>
  queryOptions({
    // The revision is part of the key because any edit outdates the exported video.
    queryKey: ['dubbing', 'export', uuid, background, Math.max(0, ...taskGroups(task).map((group) => group.revision))],
    queryFn: ({ signal }) => client.call(dubbingApi.exportState, { uuid, task: uuid }, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'making' ? 1000 : false),
  });

function VideoExport({ project, task, token }: ExportPanelProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const queries = useQueryClient();
  const options = exportQuery(project, task);
  const { data } = useQuery(options);
  const { uuid } = project;
  const make = useMutation({
    mutationFn: () => client.call(dubbingApi.exportState, { uuid, task: uuid, start: true }),
    onSuccess: (state) => queries.setQueryData(options.queryKey, state),
  });
  if (!data) return null;
  const percent = Math.round(data.percent);
  if (data.state === 'making')
    return (
      <Stack gap={4} w="100%" role="status">
        <Text size="sm">{t('dubbing.export.making', { percent })}</Text>
        <Progress value={percent} aria-label={t('dubbing.export.title')} />
      </Stack>
    );
  if (data.state === 'ready' && token !== undefined)
    return (
      <Button
        component="a"
        href={`${dubbingPaths.export}?${new URLSearchParams({ uuid, task: uuid, token })}`}
        download
      >
        {t('dubbing.export.download', { size: formatBytes(data.bytes, locale) })}
      </Button>
    );
  return (
    <>
      {data.state === 'failed' && (
        <Notice tone="bad" title={t('dubbing.export.failed')}>
          <p>
            {data.room
              ? t('dubbing.export.room', {
                  need: formatBytes(data.room.needBytes, locale),
                  free: formatBytes(data.room.freeBytes, locale),
                })
              : t(`dubbing.failure.${data.failure || 'failed'}`)}
          </p>
        </Notice>
      )}
      <Button loading={make.isPending} onClick={() => make.mutate()}>
        {t(data.state === 'failed' ? 'dubbing.export.again' : 'dubbing.export.make')}
      </Button>
    </>
  );
}
