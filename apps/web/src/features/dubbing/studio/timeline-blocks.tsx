import type { DubbingGroup } from '@weir/contract';
import { findGroupIndex, freeSpaceTone } from '../group-status.ts';
import { Border, type BorderHandlers } from './border.tsx';
import classes from './timeline.module.css';

interface TimelineBlocksProps extends BorderHandlers {
  groups: readonly DubbingGroup[];
  /** Of the one that is heard. */
  groupIndex: number;
  fromSeconds: number;
  toSeconds: number;
  pixelsPerSecond: number;
  /** Where a border is, also while it is moved. */
  borderOf: (group: DubbingGroup, border: 'start' | 'end') => number;
  videoSeconds: number;
}

/** Narrower than this, two borders could not be told apart. */
const leastPixels = 18;
const namedPixels = 40;

/** The groups in view, each with its voice below it. */
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
            #{group.id} {group.rephrased || group.translated}
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
