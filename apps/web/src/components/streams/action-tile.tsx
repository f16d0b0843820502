import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './action-tile.module.css';

/** Actions of a stream in one row below its video. */
export function ActionTiles({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.tiles} role="toolbar" aria-label={label}>
      {children}
    </div>
  );
}

interface ActionTileProps {
  icon: Icon;
  title: string;
  /** Its state in a few words. */
  detail: string;
  /** Set for what is on or off; a tile with `to` only shows it. */
  isOn?: boolean;
  tone?: 'recording';
  isBusy?: boolean;
  onPress?: () => void;
  /** Path with its language, for what is set up on a page of its own. */
  to?: string;
}

export function ActionTile({ icon: Mark, title, detail, isOn, tone, isBusy = false, onPress, to }: ActionTileProps) {
  const content = (
    <>
      <Mark size={20} stroke={1.7} aria-hidden className={classes.icon} />
      <span className={classes.text}>
        <span className={classes.title}>{title}</span>
        <span className={classes.detail}>{detail}</span>
      </span>
    </>
  );
  const look = { className: classes.tile, 'data-on': isOn || undefined, 'data-tone': tone };
  if (to !== undefined) {
    return (
      <Link to={to} {...look}>
        {content}
      </Link>
    );
  }
  return (
    <button
      type="button"
      {...look}
      aria-pressed={isOn}
      aria-busy={isBusy || undefined}
      onClick={onPress}
      disabled={isBusy}
    >
      {content}
    </button>
  );
}
