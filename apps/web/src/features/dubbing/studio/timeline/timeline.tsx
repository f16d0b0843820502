import { ActionIcon, Checkbox, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DubbingGroup, DubbingProject } from '@weir/contract';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Film } from '../film/use-film.ts';
import { type BorderField, borderText, draftKey } from '../groups/edit-field.ts';
import type { StudioDesk } from '../use-studio.ts';
import { borderLimits } from './border-limits.ts';
import { IconZoomIn, IconZoomOut } from './icons.ts';
import { Ticks } from './ticks.tsx';
import classes from './timeline.module.css';
import { TimelineBlocks } from './timeline-blocks.tsx';
import { usePlayHead } from './use-play-head.ts';
import { useView } from './use-view.ts';
import { snapped, waveQuery } from './wave.ts';
import { Waveform } from './waveform.tsx';

interface TimelineProps {
  project: DubbingProject;
  groups: readonly DubbingGroup[];
  film: Film;
  studio: StudioDesk;
}

/** The sound of the film with the groups on it: to see where something is said, to go there, and to move the borders of groups. */
export function Timeline({ project: { uuid, format }, groups, film, studio }: TimelineProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const slider = useRef<HTMLDivElement>(null);
  const [isSnapping, setIsSnapping] = useState(true);
  const { data: wave } = useQuery(waveQuery(uuid));
  const { view, pixelsPerSecond, canZoom, zoomBy } = useView(scroller);
  usePlayHead(film.video, { scroller, head, slider, pixelsPerSecond });
  const filmSeconds = format?.duration ?? 0;
  const [from, to] = [view.left / pixelsPerSecond, (view.left + view.width) / pixelsPerSecond];
  const { desk, state } = studio;

  const borderOf = (group: DubbingGroup, border: BorderField) =>
    Number(state.drafts[draftKey(group.uuid, border)]?.text ?? group[border]);
  const onMove = (group: DubbingGroup, border: BorderField, seconds: number, isFree: boolean) => {
    const place = wave && isSnapping && !isFree ? snapped(seconds, border, wave) : seconds;
    const { least, most } = borderLimits(groups, group, border, filmSeconds);
    desk.type(group, border, borderText(Math.max(least, Math.min(most, place))));
  };
  const onSave = (group: DubbingGroup, border: BorderField) => void desk.save(group.uuid, border);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    film.seek((event.clientX - event.currentTarget.getBoundingClientRect().left) / pixelsPerSecond);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 5 : 1;
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    film.seek((film.video?.currentTime ?? 0) + (event.key === 'ArrowLeft' ? -step : step));
    event.preventDefault();
  };
  const zoom = (steps: number) => zoomBy(steps, film.video?.currentTime ?? 0);
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
        <div className={classes.lane} style={{ width: Math.max(view.width, filmSeconds * pixelsPerSecond) }}>
          <Ticks {...{ from, pixelsPerSecond }} to={Math.min(to, filmSeconds)} />
          <Waveform {...{ wave, pixelsPerSecond }} fromSeconds={from} width={view.width} />
          <div
            ref={slider}
            role="slider"
            tabIndex={0}
            className={classes.seek}
            aria-label={t('dubbing.timeline.position')}
            aria-valuemin={0}
            aria-valuemax={filmSeconds}
            aria-valuenow={0}
            {...{ onPointerDown, onKeyDown }}
          />
          <TimelineBlocks
            {...{ groups, pixelsPerSecond, borderOf, filmSeconds, onMove, onSave }}
            {...{ place: film.place, fromSeconds: from, toSeconds: to }}
          />
          <div ref={head} className={classes.head} aria-hidden />
        </div>
      </div>
    </section>
  );
}
