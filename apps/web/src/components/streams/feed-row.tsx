import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLocalPath } from '../../lib/paths.ts';
import classes from './feed-row.module.css';

/** What a stream feeds, one row each. */
export function FeedList({ children }: { children: ReactNode }) {
  return <ul className={classes.list}>{children}</ul>;
}

interface FeedRowProps {
  /** What is done with the stream: record, forward. */
  title: string;
  state: ReactNode;
  /** More about it: where it goes, how far it is. */
  children?: ReactNode;
  /** Where it is set up, without the language. */
  to: string;
  /** What that place is called. */
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
