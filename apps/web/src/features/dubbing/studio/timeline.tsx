import { ActionIcon, Checkbox, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DubbingGroup, DubbingProject } from '@weir/contract';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VideoPlayer } from '../film/use-video-player.ts';
import { type BorderField, draftKey, formatBorder } from '../groups/edit-field.ts';
import type { StudioModel } from '../use-studio.ts';
import { borderLimits } from './border-limits.ts';
import { IconZoomIn, IconZoomOut } from './icons.ts';
import { Ticks } from './ticks.tsx';
import classes from './timeline.module.css';
import { TimelineBlocks } from './timeline-blocks.tsx';
import { usePlayHead } from './use-play-head.ts';
import { useTimelineView } from './use-timeline-view.ts';
import { Waveform } from './waveform.tsx';
import { peaksQuery, snapToVoice } from './waveform-peaks.ts';

interface TimelineProps {
  project: DubbingProject;
  groups: readonly DubbingGroup[];
  player: VideoPlayer;
  studio: StudioModel;
}

/** The sound of the film with the groups on it: to see where something is said, to go there, and to move the borders of groups. */
export function Timeline({ project: { uuid, format }, groups, player, studio }: TimelineProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const slider = useRef<HTMLDivElement>(null);
  const [isSnapping, setIsSnapping] = useState(true);
  const { data: wave } = useQuery(peaksQuery(uuid));
  const { view, pixelsPerSecond, canZoom, zoomBy } = useTimelineView(scroller);
  usePlayHead(player.video, { scroller, head, slider, pixelsPerSecond });
  const videoSeconds = format?.duration ?? 0;
  const [from, to] = [view.left / pixelsPerSecond, (view.left + view.width) / pixelsPerSecond];
  const { editor, state } = studio;

  const borderOf = (group: DubbingGroup, border: BorderField) =>
    Number(state.drafts[draftKey(group.uuid, border)]?.text ?? group[border]);
  const onMove = (group: DubbingGroup, border: BorderField, seconds: number, isFree: boolean) => {
    const target = wave && isSnapping && !isFree ? snapToVoice(seconds, border, wave) : seconds;
    const { least, most } = borderLimits(groups, group, border, videoSeconds);
    editor.type(group, border, formatBorder(Math.max(least, Math.min(most, target))));
  };
  const onSave = (group: DubbingGroup, border: BorderField) => void editor.save(group.uuid, border);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    player.seek((event.clientX - event.currentTarget.getBoundingClientRect().left) / pixelsPerSecond);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 5 : 1;
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    player.seek((player.video?.currentTime ?? 0) + (event.key === 'ArrowLeft' ? -step : step));
    event.preventDefault();
  };
  const zoom = (steps: number) => zoomBy(steps, player.video?.currentTime ?? 0);
  const tools = [
    { word: t('dubbing.timeline.zoomOut'), Mark: IconZoomOut, steps: -1, isOff: !canZoom.out },
    { word: t('dubbing.timeline.zoomIn'), Mark: IconZoomIn, steps: 1, isOff: !canZoom.in },
  ];
  return (
    <section className={classes.timeline} aria-label={t('dubbing.timeline.title')}>
      <Group gap="sm" mb={6} justify="space-between">
        <Group gap={4}>
          {tools.map(({ word, Mark, steps, isOff }) => (
            <ActionIcon
              key={word}
              {...{ variant: 'default', size: 'md', title: word, disabled: isOff }}
              aria-label={word}
              onClick={() => zoom(steps)}
            >
              <Mark size={16} aria-hidden />
            </ActionIcon>
          ))}
          <Text size="xs" c="dimmed" ml="xs">
            {t('dubbing.timeline.help')}
          </Text>
        </Group>
        <Checkbox
          size="xs"
          label={t('dubbing.timeline.snap')}
          checked={isSnapping}
          onChange={(event) => setIsSnapping(event.currentTarget.checked)}
        />
      </Group>
      <div ref={scroller} className={classes.scroller}>
        <div className={classes.lane} style={{ width: Math.max(view.width, videoSeconds * pixelsPerSecond) }}>
          <Ticks {...{ from, pixelsPerSecond }} to={Math.min(to, videoSeconds)} />
          <Waveform {...{ wave, pixelsPerSecond }} fromSeconds={from} width={view.width} />
          <div
            ref={slider}
            role="slider"
            tabIndex={0}
            className={classes.seek}
            aria-label={t('dubbing.timeline.position')}
            aria-valuemin={0}
            aria-valuemax={videoSeconds}
            aria-valuenow={0}
            {...{ onPointerDown, onKeyDown }}
          />
          <TimelineBlocks
            {...{ groups, pixelsPerSecond, borderOf, videoSeconds, onMove, onSave }}
            {...{ groupIndex: player.groupIndex, fromSeconds: from, toSeconds: to }}
          />
          <div ref={head} className={classes.head} aria-hidden />
        </div>
      </div>
    </section>
  );
}
