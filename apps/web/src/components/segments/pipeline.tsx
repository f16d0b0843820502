import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '../ui/theme/icons.ts';
import classes from './pipeline.module.css';

interface PipelineProps<Name extends string> {
  label: string;
  /** In processing order. */
  steps: readonly { readonly name: Name; readonly word: string; readonly count: number }[];
  onOpen: (queue: Name) => void;
}

/** Number of segments in each queue. */
export function Pipeline<Name extends string>({ label, steps, onOpen }: PipelineProps<Name>) {
  return (
    <ol className={classes.pipeline} aria-label={label}>
      {steps.map(({ name, word, count }, index) => (
        <li key={name} className={classes.step}>
          {index > 0 && <IconChevronRight size={16} aria-hidden className={classes.arrow} />}
          <UnstyledButton className={classes.button} onClick={() => onOpen(name)}>
            <span className={classes.count} data-empty={count === 0 || undefined}>
              {count}
            </span>
            <span className={classes.name}>{word}</span>
          </UnstyledButton>
        </li>
      ))}
    </ol>
  );
}
