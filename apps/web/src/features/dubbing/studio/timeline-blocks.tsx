import type { DubbingGroup } from '@weir/contract';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { BorderField } from './edit-field.ts';
import { findGroupIndex, formatTimecode, freeSpaceTone, groupNumber } from './group-status.ts';
import classes from './timeline.module.css';

interface TimelineBlocksProps extends BorderHandlers {
  groups: readonly DubbingGroup[];
  /** Index of the playing group. */
  groupIndex: number;
  fromSeconds: number;
  toSeconds: number;
  pixelsPerSecond: number;
  /** Position of a border, including an unsaved move. */
  borderOf: (group: DubbingGroup, border: 'start' | 'end') => number;
  videoSeconds: number;
}

/** Below this width two borders could not be told apart. */
const leastPixels = 18;
const namedPixels = 40;

export function TimelineBlocks({ groups, groupIndex, fromSeconds, toSeconds, ...rest }: TimelineBlocksProps) {
  const { pixelsPerSecond, borderOf, videoSeconds, onMove, onSave } = rest;
  const first = Math.max(0, findGroupIndex(groups, fromSeconds));
  const last = findGroupIndex(groups, toSeconds);
  return groups.slice(first, last + 1).map((group, n) => {
    const isCurrent = first + n === groupIndex;
    const [start, end] = [borderOf(group, 'start'), borderOf(group, 'end')];
    const width = Math.max(2, (end - start) * pixelsPerSecond);
    const style = { left: start * pixelsPerSecond, width };
    return (
      <div
        key={group.uuid}
        className={classes.block}
        data-tone={freeSpaceTone(group)}
        data-current={isCurrent || undefined}
        style={style}
      >
        {width >= namedPixels && (
          <span className={classes.name} aria-hidden>
            #{groupNumber(group)} {group.rephrased || group.translated}
          </span>
        )}
        {group.tts !== '' && (
          <span className={classes.voice} style={{ width: Math.max(1, group.tts_duration * pixelsPerSecond) }} />
        )}
        {(isCurrent || width >= leastPixels) &&
          (['start', 'end'] as const).map((border) => (
            <Border
              key={border}
              {...{ group, groups, border, isCurrent, videoSeconds, pixelsPerSecond, onMove, onSave }}
              seconds={border === 'start' ? start : end}
            />
          ))}
      </div>
    );
  });
}

/** Shortest length of a group. */
const leastSeconds = 0.3;

/** Range in which a border can move: groups keep their order and a minimum length. */
export function borderLimits(
  groups: readonly DubbingGroup[],
  group: DubbingGroup,
  border: BorderField,
  videoSeconds: number,
): { least: number; most: number } {
  const [before, after] = [groups[group.id - 1], groups[group.id + 1]];
  if (border === 'start') return { least: Math.min(before?.end ?? 0, group.start), most: group.end - leastSeconds };
  return { least: group.start + leastSeconds, most: Math.max(after?.start ?? videoSeconds, group.end) };
}

interface BorderHandlers {
  /** `isFree` disables snapping. */
  onMove: (group: DubbingGroup, border: BorderField, seconds: number, isFree: boolean) => void;
  onSave: (group: DubbingGroup, border: BorderField) => void;
}

interface BorderProps extends BorderHandlers {
  group: DubbingGroup;
  groups: readonly DubbingGroup[];
  border: BorderField;
  seconds: number;
  isCurrent: boolean;
  videoSeconds: number;
  pixelsPerSecond: number;
}

const smallStep = 0.05;
const largeStep = 0.5;

function Border({ group, groups, border, seconds, isCurrent, onMove, onSave, ...rest }: BorderProps) {
  const { t } = useTranslation();
  const grip = useRef<{ x: number; seconds: number }>(undefined);
  const { least, most } = borderLimits(groups, group, border, rest.videoSeconds);
  const move = (to: number, isFree: boolean) => onMove(group, border, to, isFree);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = { x: event.clientX, seconds };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!grip.current) return;
    move(grip.current.seconds + (event.clientX - grip.current.x) / rest.pixelsPerSecond, event.altKey);
  };
  const onPointerUp = () => {
    if (!grip.current) return;
    grip.current = undefined;
    onSave(group, border);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? largeStep : smallStep;
    if (event.key === 'ArrowLeft') move(seconds - step, true);
    else if (event.key === 'ArrowRight') move(seconds + step, true);
    else if (event.key === 'Home') move(seconds, false);
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="slider"
      className={classes.border}
      data-border={border}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={t(border === 'start' ? 'dubbing.timeline.start' : 'dubbing.timeline.end', { id: groupNumber(group) })}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={seconds}
      aria-valuetext={formatTimecode(seconds)}
      {...{ onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onKeyDown }}
      onBlur={() => onSave(group, border)}
    />
  );
}
