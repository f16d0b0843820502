import { ActionIcon, Button, Checkbox, Group, Menu, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type DubbingProject, type DubbingTask, dubbingApi, dubbingPaths } from '@weir/contract';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/ui/feedback/notice.tsx';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { IconArrowDown, IconArrowUp, IconPlayerPause, IconPlayerPlay } from '../../../components/ui/theme/icons.ts';
import { client } from '../../../lib/api.ts';
import { saveFile } from '../../../lib/browser/save-file.ts';
import { formatBytes } from '../../../lib/format.ts';
import { useLocale } from '../../../lib/i18n.ts';
import { linkQuery } from '../dubbing-queries.ts';
import { GroupList } from './group-list.tsx';
import { formatSubtitles, needsAttention, type SubtitleFormat, type SubtitleText } from './group-status.ts';
import { IconArrowBackUp, IconArrowForwardUp } from './icons.ts';
import type { ScriptEditor } from './script-editor.ts';
import classes from './studio.module.css';
import { TaskPanel } from './task-panel.tsx';
import { taskGroups } from './task-query.ts';
import { Timeline } from './timeline.tsx';
import { useStudio } from './use-studio.ts';
import { type AudioMode, audioModes, useVideoPlayer, type VideoPlayer } from './use-video-player.ts';

export interface ShownParts {
  readonly times: boolean;
  readonly asr: boolean;
  readonly translation: boolean;
}

/** Video, groups, voices and export of one project. */
export function Studio({ project }: { project: DubbingProject }) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const [isFullscreen, setIsFullscreen] = useState(false);
  const [shown, setShown] = useState<ShownParts>({ times: true, asr: true, translation: true });
  // Narrow screens have no timeline.
  const isWide = useMediaQuery('(min-width: 1001px)', true, { getInitialValueInEffect: false });
  const studio = useStudio(project);
  const groups = taskGroups(studio.task);
  const { data: link } = useQuery(linkQuery(project.uuid));
  const player = useVideoPlayer({ project, groups, token: link?.token });
  const { editor } = studio;
  useStudioKeys(root, { player, editor, onLeave: () => setIsFullscreen(false) });
  const nextProblem = () => {
    const order = groups.map((_group, index) => (player.groupIndex + 1 + index) % groups.length);
    const found = order.find((index) => groups[index] && needsAttention(groups[index]));
    if (found !== undefined) player.go(found);
  };
  const hasTimeline = isWide && groups.length > 0;
  const hasVideo = project.format?.has_video !== false;
  return (
    <div
      ref={root}
      className={classes.studio}
      data-fullscreen={isFullscreen || undefined}
      data-timeline={hasTimeline || undefined}
    >
      {hasTimeline && <Timeline {...{ project, groups, player, studio }} />}
      <Stack gap="md" className={classes.side}>
        <video
          ref={player.setVideo}
          className={classes.film}
          data-low={!hasVideo || undefined}
          src={player.url}
          aria-label={t('dubbing.studio.film', project)}
          {...{ controls: true, playsInline: true, preload: 'metadata' }}
        />
        <PlayerControls
          {...{ player, shown, isFullscreen, onFullscreen: setIsFullscreen, onShown: setShown }}
          {...{ editor, canUndo: studio.state.canUndo, canRedo: studio.state.canRedo, count: groups.length }}
          onNextProblem={groups.some(needsAttention) ? nextProblem : undefined}
        />
        <TaskPanel project={project} studio={studio} />
        {studio.task && <ExportPanel project={project} task={studio.task} token={link?.token} />}
        <StaleChip {...studio.query} />
      </Stack>
      <GroupList {...{ groups, player, studio, shown }} />
    </div>
  );
}

interface PlayerControlsProps {
  player: VideoPlayer;
  /** Number of groups. */
  count: number;
  editor: ScriptEditor;
  canUndo: boolean;
  canRedo: boolean;
  shown: ShownParts;
  onShown: (shown: ShownParts) => void;
  isFullscreen: boolean;
  onFullscreen: (isFullscreen: boolean) => void;
  /** Undefined while no group has a problem. */
  onNextProblem: (() => void) | undefined;
}

const parts = ['times', 'asr', 'translation'] as const;

function PlayerControls({ player, editor, shown, onShown, isFullscreen, onFullscreen, ...rest }: PlayerControlsProps) {
  const { t } = useTranslation();
  const icon = { size: 18, 'aria-hidden': true } as const;
  const tools = [
    {
      word: t('dubbing.studio.previous'),
      Mark: IconArrowUp,
      act: () => player.go(player.groupIndex - 1),
      isOff: player.groupIndex <= 0,
    },
    {
      word: t('dubbing.studio.next'),
      Mark: IconArrowDown,
      act: () => player.go(player.groupIndex + 1),
      isOff: player.groupIndex >= rest.count - 1,
    },
    { word: t('dubbing.studio.undo'), Mark: IconArrowBackUp, act: () => void editor.undo(), isOff: !rest.canUndo },
    { word: t('dubbing.studio.redo'), Mark: IconArrowForwardUp, act: () => void editor.redo(), isOff: !rest.canRedo },
  ];
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <ActionIcon size="lg" aria-label={t(player.isPlaying ? 'player.pause' : 'player.play')} onClick={player.toggle}>
          {player.isPlaying ? <IconPlayerPause {...icon} /> : <IconPlayerPlay {...icon} />}
        </ActionIcon>
        <SegmentedControl
          size="xs"
          aria-label={t('dubbing.studio.mode')}
          data={audioModes.map((value) => ({ value, label: t(`dubbing.studio.${value}`) }))}
          value={player.audioMode}
          onChange={(value) => player.setAudioMode(audioModes.find((one) => one === value) ?? 'dub')}
        />
        <Group gap={4}>
          {tools.map(({ word, Mark, act, isOff }) => (
            <ActionIcon
              key={word}
              variant="default"
              size="lg"
              title={word}
              aria-label={word}
              disabled={isOff}
              onClick={act}
            >
              <Mark {...icon} />
            </ActionIcon>
          ))}
        </Group>
        {rest.onNextProblem && (
          <Button variant="default" size="xs" onClick={rest.onNextProblem}>
            {t('dubbing.studio.nextProblem')}
          </Button>
        )}
      </Group>
      <Group gap="md">
        <Checkbox
          size="xs"
          label={t('dubbing.studio.fullscreen')}
          checked={isFullscreen}
          onChange={(event) => onFullscreen(event.currentTarget.checked)}
        />
        {parts.map((part) => (
          <Checkbox
            key={part}
            size="xs"
            label={t(`dubbing.studio.${part}`)}
            checked={shown[part]}
            onChange={(event) => onShown({ ...shown, [part]: event.currentTarget.checked })}
          />
        ))}
      </Group>
      <Text size="xs" c="dimmed" className={classes.keys}>
        {t('dubbing.studio.keys')}
      </Text>
    </Stack>
  );
}

interface Keys {
  readonly player: VideoPlayer;
  readonly editor: ScriptEditor;
  readonly onLeave: () => void;
}

const plays: Readonly<Record<string, AudioMode>> = { o: 'source', d: 'dub', b: 'both' };

/** Keyboard shortcuts of the studio. Fields and buttons with the focus keep their keys. */
function useStudioKeys(root: RefObject<HTMLElement | null>, keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      if (act(event, latest.current, element)) event.preventDefault();
    };
    element.addEventListener('keydown', onKey);
    return () => element.removeEventListener('keydown', onKey);
  }, [root]);
}

/** Returns whether the key was handled. */
function act(event: KeyboardEvent, { player, editor, onLeave }: Keys, root: HTMLElement): boolean {
  const target = event.target as HTMLElement;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (target.matches('textarea')) {
    // Blur saves the text.
    if (key === 'Escape' || (key === 'Enter' && !event.shiftKey)) target.closest<HTMLElement>('[data-index]')?.focus();
    return key === 'Enter' && !event.shiftKey;
  }
  if (target.matches('input, select, video, [role="menuitem"], [role="menu"]')) return false;
  if (event.ctrlKey || event.metaKey) {
    if (key !== 'z' && key !== 'y') return false;
    void (key === 'y' || event.shiftKey ? editor.redo() : editor.undo());
    return true;
  }
  const audioMode = plays[key];
  if (audioMode) player.play(player.groupIndex, audioMode);
  else if (key === 'ArrowDown') player.go(player.groupIndex + 1);
  else if (key === 'ArrowUp') player.go(player.groupIndex - 1);
  else if (key === 'Escape') onLeave();
  else if (target.matches('button, a')) return false;
  else if (key === ' ') player.toggle();
  else if (key === 'Enter')
    root.querySelector<HTMLElement>('[aria-current="true"] textarea[data-translation]')?.focus();
  else return false;
  return true;
}

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

function ExportPanel({ project, task, token }: ExportPanelProps) {
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
