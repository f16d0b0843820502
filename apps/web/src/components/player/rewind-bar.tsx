import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPosition } from '../../lib/format.ts';
import { IconRewindBackward10, IconRewindForward10 } from './icons.ts';
import type { RewindParts } from './player-controls.tsx';
import classes from './rewind-bar.module.css';

/** Going back in a live stream. Dates are those of the server. */
export interface RewindControl {
  /** First and last date that can be watched. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Date of the picture; undefined while it is live, or before the replay of a stream that ended has begun. */
  readonly dateMs: number | undefined;
  readonly rate: number;
  readonly seek: (dateMs: number) => void;
  /** Absent after the end of the stream. */
  readonly toLive?: (() => void) | undefined;
  readonly setRate: (rate: number) => void;
}

const jumpSeconds = 10;
const rates = [0.5, 0.75, 1, 1.25, 1.5, 2];
/** A dragged thumb loads what is under it after a moment of rest. */
const restMs = 150;

/** Jumps back, or forward up to live. */
export function jump({ dateMs, toMs, fromMs, seek, toLive }: RewindControl, seconds: number): void {
  const wanted = (dateMs ?? (toLive ? toMs : fromMs)) + seconds * 1000;
  if (wanted >= toMs && toLive) toLive();
  else seek(Math.min(toMs, Math.max(fromMs, wanted)));
}

/** Everything that the controls of a player need to rewind. */
export function rewindParts(rewind: RewindControl): RewindParts {
  const back = () => jump(rewind, -jumpSeconds);
  const forward = () => jump(rewind, jumpSeconds);
  return {
    bar: <RewindBar rewind={rewind} />,
    jumps: <RewindJumps rewind={rewind} />,
    rate: <RewindRate rewind={rewind} />,
    keys: { j: back, arrowleft: back, l: forward, arrowright: forward },
  };
}

/** The time line of what viewers can go back to, with its thumb at what is shown, how far behind live that is, and the way back. */
export function RewindBar({ rewind }: { rewind: RewindControl }) {
  const { t } = useTranslation();
  const [dragged, setDragged] = useState<number>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const { fromMs, toMs, dateMs, seek, toLive } = rewind;
  const lengthSeconds = Math.max(1, Math.round((toMs - fromMs) / 1000));
  const beginning = toLive ? lengthSeconds : 0;
  const shown = dragged ?? (dateMs === undefined ? beginning : Math.round((dateMs - fromMs) / 1000));
  const second = Math.min(lengthSeconds, Math.max(0, shown));
  const behind = lengthSeconds - second;
  const drag = (next: number) => {
    setDragged(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setDragged(undefined);
      if (next >= lengthSeconds && toLive) toLive();
      else seek(fromMs + next * 1000);
    }, restMs);
  };
  const past = behind === 0 ? t('player.rewind.live') : t('player.rewind.behind', { time: formatPosition(behind) });
  const short = `−${formatPosition(behind)}`;
  const isLive = dateMs === undefined;
  const played = `${(100 * second) / lengthSeconds}%`;
  return (
    <div className={classes.bar}>
      <div className={classes.track} ref={(track) => track?.style.setProperty('--played', played)}>
        {dragged !== undefined && (
          <output className={classes.bubble}>{toLive ? (behind === 0 ? past : short) : formatPosition(second)}</output>
        )}
        <input
          type="range"
          className={classes.line}
          aria-label={t('player.rewind.position')}
          aria-valuetext={toLive ? past : formatPosition(second)}
          min={0}
          max={lengthSeconds}
          step={1}
          value={second}
          onKeyDown={(event) => {
            const seconds = { ArrowLeft: -jumpSeconds, ArrowRight: jumpSeconds }[event.key];
            if (seconds === undefined) return;
            event.preventDefault();
            jump(rewind, seconds);
          }}
          onChange={(event) => drag(Number(event.currentTarget.value))}
        />
      </div>
      {!toLive && (
        <span className={classes.time}>{`${formatPosition(second)} / ${formatPosition(lengthSeconds)}`}</span>
      )}
      {toLive && !isLive && <span className={classes.time}>{short}</span>}
      {toLive && (
        <button
          type="button"
          className={classes.live}
          aria-pressed={isLive}
          title={t(isLive ? 'player.rewind.live' : 'player.rewind.toLive')}
          onClick={() => !isLive && toLive()}
        >
          {t('player.rewind.live')}
        </button>
      )}
    </div>
  );
}

/** Jumps of ten seconds. */
function RewindJumps({ rewind }: { rewind: RewindControl }) {
  const { t } = useTranslation();
  const isLive = rewind.dateMs === undefined && rewind.toLive !== undefined;
  return (
    <>
      <Jump name={t('player.rewind.back', { count: jumpSeconds })} onClick={() => jump(rewind, -jumpSeconds)}>
        <IconRewindBackward10 size={20} aria-hidden />
      </Jump>
      {!isLive && (
        <Jump name={t('player.rewind.forward', { count: jumpSeconds })} onClick={() => jump(rewind, jumpSeconds)}>
          <IconRewindForward10 size={20} aria-hidden />
        </Jump>
      )}
    </>
  );
}

/** Speed of the past. Live has its own. */
function RewindRate({ rewind: { dateMs, toLive, rate, setRate } }: { rewind: RewindControl }) {
  const { t } = useTranslation();
  if (dateMs === undefined && toLive) return null;
  return (
    <select
      className={classes.rate}
      aria-label={t('player.rewind.rate')}
      title={t('player.rewind.rate')}
      value={rate}
      onChange={({ currentTarget: { value } }) => setRate(Number(value))}
    >
      {rates.map((one) => (
        <option key={one} value={one}>
          {one}×
        </option>
      ))}
    </select>
  );
}

function Jump({ name, onClick, children }: { name: string; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={classes.jump} aria-label={name} title={name} onClick={onClick}>
      {children}
    </button>
  );
}
