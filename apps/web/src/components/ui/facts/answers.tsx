import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './answers.module.css';

/** Questions and answers for first-time users. */
export function Answers({ answers }: { answers: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={classes.answers}>
      {answers.map(([question, answer]) => (
        <div key={question}>
          <dt>{question}</dt>
          <Text component="dd" size="sm">
            {answer}
          </Text>
        </div>
      ))}
    </dl>
  );
}
