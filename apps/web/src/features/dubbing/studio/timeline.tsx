import { ActionIcon, Checkbox, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DubbingGroup, DubbingProject } from '@weir/contract';
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { formatPosition } from '../../../lib/format.ts';
import { type BorderField, draftKey, formatBorder } from './edit-field.ts';
import { formatTimecode } from './group-status.ts';
import { IconZoomIn, IconZoomOut } from './icons.ts';
import classes from './timeline.module.css';
import { borderLimits, TimelineBlocks } from './timeline-blocks.tsx';
import type { StudioModel } from './use-studio.ts';
import type { VideoPlayer } from './use-video-player.ts';
import { peaksQuery, snapToVoice, Waveform } from './waveform.tsx';

interface TimelineProps {
  project: DubbingProject;
  groups: readonly DubbingGroup[];
  player: VideoPlayer;
  studio: StudioModel;
}

/** Waveform with the groups on it, for seeking and for moving borders. */
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

const steps = [1, 2, 5, 10, 30, 60, 120, 300, 600];
const leastPixels = 80;

function Ticks({ from, to, pixelsPerSecond }: { from: number; to: number; pixelsPerSecond: number }) {
  const step = steps.find((seconds) => seconds * pixelsPerSecond >= leastPixels) ?? 600;
  const first = Math.floor(from / step);
  return Array.from({ length: Math.max(0, Math.ceil(to / step) - first) }, (_, n) => (first + n) * step).map((at) => (
    <span key={at} className={classes.tick} style={{ left: at * pixelsPerSecond }} aria-hidden>
      {formatPosition(at)}
    </span>
  ));
}

interface PlayHead {
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Line at the current position. */
  readonly head: RefObject<HTMLDivElement | null>;
  /** Element that reports the position to screen readers. */
  readonly slider: RefObject<HTMLDivElement | null>;
  readonly pixelsPerSecond: number;
}

/** Position of the line after the view has scrolled to it, as a share of the width. */
const leadShare = 0.15;

/** Moves the line on every frame without rendering, and keeps it in view. */
function usePlayHead(video: HTMLVideoElement | null, { scroller, head, slider, pixelsPerSecond }: PlayHead): void {
  const scale = useRef(pixelsPerSecond);
  useEffect(() => {
    scale.current = pixelsPerSecond;
    if (head.current) head.current.style.transform = `translateX(${(video?.currentTime ?? 0) * pixelsPerSecond}px)`;
  }, [head, pixelsPerSecond, video]);
  useEffect(() => {
    if (!video) return;
    let frame = 0;
    const left = new AbortController();
    const show = (isFollowing: boolean) => {
      cancelAnimationFrame(frame);
      const x = video.currentTime * scale.current;
      if (head.current) head.current.style.transform = `translateX(${x}px)`;
      slider.current?.setAttribute('aria-valuenow', video.currentTime.toFixed(1));
      slider.current?.setAttribute('aria-valuetext', formatTimecode(video.currentTime));
      const box = scroller.current;
      const isSeen = box && x >= box.scrollLeft && x <= box.scrollLeft + box.clientWidth * 0.95;
      if (box && isFollowing && !isSeen) box.scrollLeft = x - box.clientWidth * leadShare;
      if (!video.paused) frame = requestAnimationFrame(() => show(true));
    };
    for (const event of ['play', 'pause', 'seeked', 'loadedmetadata'])
      video.addEventListener(event, () => show(event !== 'loadedmetadata'), { signal: left.signal });
    show(false);
    return () => {
      cancelAnimationFrame(frame);
      left.abort();
    };
  }, [video, scroller, head, slider]);
}

/** Pixels per second of each zoom level. */
const zooms = [5, 12, 30, 60, 120, 240] as const;
const usualZoom = 2;

interface View {
  /** Pixels. */
  readonly left: number;
  readonly width: number;
}

/** Zoom and scroll position of the timeline. */
function useTimelineView(scroller: RefObject<HTMLDivElement | null>) {
  const [zoom, setZoom] = useState(usualZoom);
  const [view, setView] = useState<View>({ left: 0, width: 0 });
  const pixelsPerSecond = zooms[zoom] ?? zooms[usualZoom];
  /** Second that keeps its pixel position during a zoom. */
  const kept = useRef<{ seconds: number; x: number }>(undefined);

  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    let frame = 0;
    const measureView = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setView({ left: box.scrollLeft, width: box.clientWidth }));
    };
    measureView();
    box.addEventListener('scroll', measureView, { passive: true });
    const sizes = typeof ResizeObserver === 'function' ? new ResizeObserver(measureView) : undefined;
    sizes?.observe(box);
    return () => {
      cancelAnimationFrame(frame);
      box.removeEventListener('scroll', measureView);
      sizes?.disconnect();
    };
  }, [scroller]);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !kept.current) return;
    const { seconds, x } = kept.current;
    kept.current = undefined;
    box.scrollLeft = seconds * pixelsPerSecond - x;
    setView({ left: box.scrollLeft, width: box.clientWidth });
  }, [scroller, pixelsPerSecond]);

  return {
    view,
    pixelsPerSecond,
    canZoom: { in: zoom < zooms.length - 1, out: zoom > 0 },
    /** Zooms while a given second keeps its place on the screen. */
    zoomBy: (steps: number, seconds: number) => {
      const x = seconds * pixelsPerSecond - view.left;
      const isSeen = x >= 0 && x <= view.width;
      kept.current = isSeen ? { seconds, x } : { seconds: view.left / pixelsPerSecond, x: 0 };
      setZoom(Math.max(0, Math.min(zooms.length - 1, zoom + steps)));
    },
  };
}
