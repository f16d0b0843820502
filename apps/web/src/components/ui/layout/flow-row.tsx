import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './flow-row.module.css';

interface FlowListProps {
  /** Accessible name of the list. */
  label: string;
  /** Column titles: name, state, bitrate and switch. */
  heads?: readonly [ReactNode, ReactNode, ReactNode, ReactNode];
  /** `FlowRow` elements. */
  children: ReactNode;
}

/** Card of rows on one grid. */
export function FlowList({ label, heads, children }: FlowListProps) {
  return (
    <div className={classes.flows}>
      {heads && (
        <div className={classes.heads} aria-hidden="true">
          {heads.map((head, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change
            <span key={place}>{head}</span>
          ))}
        </div>
      )}
      <ul className={classes.list} aria-label={label}>
        {children}
      </ul>
    </div>
  );
}

interface FlowRowProps {
  /** Usually a `Thumbnail`. */
  picture: ReactNode;
  /** Logo of the platform before the name. */
  icon?: ReactNode;
  name: ReactNode;
  /** From → to. */
  way?: ReactNode;
  /** State word with its dot or icon. */
  state: ReactNode;
  /** Since when, below the state. */
  since?: ReactNode;
  bitrate?: ReactNode;
  /** Switch that turns it on and off. */
  control?: ReactNode;
  /** Menu of further actions. */
  menu?: ReactNode;
  /** Key of the panel in the specification; `#panel-` and the key leads here. */
  panel?: string;
  /** Remedy of a problem, or the opened details, below the row. */
  children?: ReactNode;
}

/** Row of something that runs: what, from where to where, its state, bitrate and switch. */
export function FlowRow({
  picture,
  icon,
  name,
  way,
  state,
  since,
  bitrate,
  control,
  menu,
  panel,
  children,
}: FlowRowProps) {
  return (
    <li className={classes.row} id={panel && `panel-${panel}`} data-key={panel}>
      <div className={classes.picture}>{picture}</div>
      <div className={classes.text}>
        <div className={classes.name}>
          {icon}
          <span className={classes.cut}>{name}</span>
        </div>
        {way && <div className={classes.way}>{way}</div>}
      </div>
      <div className={classes.state}>
        {state}
        {since && <div className={classes.since}>{since}</div>}
      </div>
      <div className={classes.bitrate}>{bitrate}</div>
      <div className={classes.control}>{control}</div>
      <div className={classes.menu}>{menu}</div>
      {children && <div className={classes.more}>{children}</div>}
    </li>
  );
}

/** Rows of the usual height, so that nothing moves when the real ones arrive. */
export function LoadingRows() {
  return (
    <div aria-hidden="true">
      <FlowList label="">
        {[0, 1].map((place) => (
          <FlowRow
            key={place}
            picture={<Skeleton height={45} radius={6} />}
            name={<Skeleton height={14} width={160} />}
            way={<Skeleton height={12} width={120} mt={8} />}
            state={<Skeleton height={14} width={70} />}
          />
        ))}
      </FlowList>
    </div>
  );
}
