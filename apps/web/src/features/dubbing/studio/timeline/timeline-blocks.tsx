import type { DubbingGroup } from '@weir/contract';
import { placeAt, toneOf } from '../group-status.ts';
import { Border, type BorderHandlers } from './border.tsx';
import classes from './timeline.module.css';

interface TimelineBlocksProps extends BorderHandlers {
  groups: readonly DubbingGroup[];
  /** Of the one that is heard. */
  place: number;
  fromSeconds: number;
  toSeconds: number;
  pixelsPerSecond: number;
  /** Where a border is, also while it is moved. */
  borderOf: (group: DubbingGroup, border: 'start' | 'end') => number;
  filmSeconds: number;
}

/** Narrower than this, two borders could not be told apart. */
const leastPixels = 18;
const namedPixels = 40;

/** The groups in view, each with its voice below it. */
export function TimelineBlocks({ groups, place, fromSeconds, toSeconds, ...rest }: TimelineBlocksProps) {
  const { pixelsPerSecond, borderOf, filmSeconds, onMove, onSave } = rest;
  const first = Math.max(0, placeAt(groups, fromSeconds));
  const last = placeAt(groups, toSeconds);
  return groups.slice(first, last + 1).map((group, n) => {
    const isCurrent = first + n === place;
    const [start, end] = [borderOf(group, 'start'), borderOf(group, 'end')];
    const width = Math.max(2, (end - start) * pixelsPerSecond);
    const style = { left: start * pixelsPerSecond, width };
    return (
      <div
        key={group.uuid}
        className={classes.block}
        data-tone={toneOf(group)}
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
              {...{ group, groups, border, isCurrent, filmSeconds, pixelsPerSecond, onMove, onSave }}
              seconds={border === 'start' ? start : end}
            />
          ))}
      </div>
    );
  });
}
