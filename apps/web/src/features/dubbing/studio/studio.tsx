import { Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { DubbingProject } from '@weir/contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StaleChip } from '../../../components/ui/feedback/stale-chip.tsx';
import { linkQuery } from '../dubbing-queries.ts';
import { ExportPanel } from './export-panel.tsx';
import { PlayerControls } from './film/player-controls.tsx';
import { useVideoPlayer } from './film/use-video-player.ts';
import { needsAttention } from './group-status.ts';
import { GroupList } from './groups/group-list.tsx';
import classes from './studio.module.css';
import { TaskPanel } from './task-panel.tsx';
import { taskGroups } from './task-query.ts';
import { Timeline } from './timeline/timeline.tsx';
import { useStudio } from './use-studio.ts';
import { useStudioKeys } from './use-studio-keys.ts';

/** What of each group is shown. */
export interface ShownParts {
  readonly times: boolean;
  readonly asr: boolean;
  readonly translation: boolean;
}

/** The film, what is said in it, and what is to be said instead: to listen to, to correct and to export. */
export function Studio({ project }: { project: DubbingProject }) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  const [isFullscreen, setIsFullscreen] = useState(false);
  const [shown, setShown] = useState<ShownParts>({ times: true, asr: true, translation: true });
  // On a phone one listens and corrects texts.
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
