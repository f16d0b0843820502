import { Text } from '@mantine/core';
import classes from './legend.module.css';

/** Explains abbreviated column titles. */
export function Legend({ text }: { text: string }) {
  return (
    <Text size="xs" c="dimmed" className={classes.legend}>
      {text}
    </Text>
  );
}
