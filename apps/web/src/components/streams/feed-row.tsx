import { Anchor } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLocalPath } from '../../lib/paths.ts';
import classes from './feed-row.module.css';

/** List of outputs of a stream. */
export function FeedList({ children }: { children: ReactNode }) {
  return <ul className={classes.list}>{children}</ul>;
}

interface FeedRowProps {
  icon: Icon;
  /** Name of the output, such as a destination. */
  title: string;
  /** Address, file or format below the name. */
  detail?: ReactNode;
  state: ReactNode;
  /** Duration of the state. */
  since?: ReactNode;
  numbers?: ReactNode;
  /** Buttons and a switch. */
  actions?: ReactNode;
  /** Problem with its remedy. */
  children?: ReactNode;
  /** Path of the feature's settings, without language. */
  to: string;
  /** Name of that page. */
  tab: string;
}

export function FeedRow({
  icon: Mark,
  title,
  detail,
  state,
  since,
  numbers,
  actions,
  children,
  to,
  tab,
}: FeedRowProps) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <li className={classes.row}>
      <span className={classes.icon}>
        <Mark size={16} stroke={1.7} aria-hidden />
      </span>
      <div className={classes.name}>
        <span className={classes.title}>{title}</span>
        {detail && <div className={classes.detail}>{detail}</div>}
      </div>
      <div className={classes.state}>
        {state}
        {since}
      </div>
      <div className={classes.numbers}>{numbers}</div>
      <div className={classes.actions}>
        {actions}
        <Anchor component={Link} to={localPath(to)} size="sm" className={classes.open}>
          {t('overview.openTab', { tab })}
        </Anchor>
      </div>
      {children && <div className={classes.more}>{children}</div>}
    </li>
  );
}
