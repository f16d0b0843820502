import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLocalPath } from '../../lib/paths.ts';
import classes from './feed-row.module.css';

/** Features that use a stream, one row each. */
export function FeedList({ children }: { children: ReactNode }) {
  return <ul className={classes.list}>{children}</ul>;
}

interface FeedRowProps {
  /** Name of the feature, such as record or forward. */
  title: string;
  state: ReactNode;
  /** Details such as destination or progress. */
  children?: ReactNode;
  /** Path of the feature's settings, without language. */
  to: string;
  /** Name of that page. */
  tab: string;
}

export function FeedRow({ title, state, children, to, tab }: FeedRowProps) {
  const { t } = useTranslation();
  const localPath = useLocalPath();
  return (
    <li className={classes.row}>
      <span className={classes.title}>{title}</span>
      <span>{state}</span>
      <span className={classes.text}>{children}</span>
      <Button component={Link} to={localPath(to)} variant="default" size="xs" className={classes.go}>
        {t('overview.openTab', { tab })}
      </Button>
    </li>
  );
}
