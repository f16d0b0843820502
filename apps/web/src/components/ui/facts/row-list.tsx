import type { ReactNode } from 'react';
import classes from './row-list.module.css';

/** List of things of which each is opened by its name. */
export function RowList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.list} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowNameProps {
  onOpen: () => void;
  children: ReactNode;
}

export function RowName({ onOpen, children }: RowNameProps) {
  return (
    <button type="button" data-touch className={classes.name} onClick={onOpen}>
      {children}
    </button>
  );
}

interface RuleRowProps {
  name: string;
  text: string;
  onOpen: () => void;
  /** State, menu, and dialogs. */
  children: ReactNode;
}

/** Row of a rule for streams: its pattern, what it does, its state and its menu. */
export function RuleRow({ name, text, onOpen, children }: RuleRowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <RowName onOpen={onOpen}>{name}</RowName>
        <div className={classes.muted}>{text}</div>
      </div>
      {children}
    </li>
  );
}
