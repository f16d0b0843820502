import type { DubbingGroup } from '@weir/contract';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTimecode } from '../group-status.ts';
import type { BorderField } from '../groups/edit-field.ts';
import { borderLimits } from './border-limits.ts';
import classes from './timeline.module.css';

export interface BorderHandlers {
  /** `isFree`: exactly there, whatever is heard near it. */
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

/** Where a group begins or ends: dragged, or moved by the arrow keys. */
export function Border({ group, groups, border, seconds, isCurrent, onMove, onSave, ...rest }: BorderProps) {
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
      aria-label={t(border === 'start' ? 'dubbing.timeline.start' : 'dubbing.timeline.end', { id: group.id })}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={seconds}
      aria-valuetext={formatTimecode(seconds)}
      {...{ onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onKeyDown }}
      onBlur={() => onSave(group, border)}
    />
  );
}
