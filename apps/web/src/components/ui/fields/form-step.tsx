import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './form-step.module.css';

/** Steps of a form or of a panel, divided by lines. */
export function FormSteps({ children }: { children: ReactNode }) {
  return <div className={classes.steps}>{children}</div>;
}

interface FormStepProps {
  title: string;
  help: string;
  children: ReactNode;
}

/** Heading and help beside the fields they belong to. */
export function FormStep({ title, help, children }: FormStepProps) {
  return (
    <section className={classes.step} aria-label={title}>
      <div>
        <h3>{title}</h3>
        <Text size="sm" c="dimmed">
          {help}
        </Text>
      </div>
      <Stack gap="md">{children}</Stack>
    </section>
  );
}
