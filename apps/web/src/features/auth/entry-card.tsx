import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { BrandMark } from '../../components/ui/theme/brand-mark.tsx';
import classes from './entry-card.module.css';

/** Card on the pages before sign-in. */
export function EntryCard({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className={classes.card}>
      <BrandMark size={40} />
      <Title order={1} mt="md">
        {title}
      </Title>
      {text && (
        <Text c="dimmed" mt={4}>
          {text}
        </Text>
      )}
      {children && <div className={classes.body}>{children}</div>}
    </div>
  );
}
