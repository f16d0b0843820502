import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

/** Placeholder with the reason and the next step. */
export function EmptyState({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className={classes.empty}>
      <p className={classes.title}>{title}</p>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      {children}
    </div>
  );
}
