import { Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './section.module.css';

interface SectionProps {
  title: string;
  help?: string;
  /** State at the right edge of the heading. */
  state?: ReactNode;
  /** Link target, such as `#disk`. */
  anchor?: string;
  /** Key of the panel in the specification; `#panel-` and the key leads here. */
  panel?: string;
  /** Heading and help in a column of their own beside the fields, for forms. */
  isSplit?: boolean;
  /** Lower heading level, below the heading of a page part. */
  isInner?: boolean;
  children: ReactNode;
}

/** Titled card. Links to its anchor scroll to it and focus it. */
export function Section({
  title,
  help,
  state,
  panel,
  anchor = panel && `panel-${panel}`,
  isSplit = false,
  isInner = false,
  children,
}: SectionProps) {
  const headingId = useId();
  return (
    <section
      className={classes.section}
      data-split={isSplit || undefined}
      aria-labelledby={headingId}
      id={anchor}
      data-key={panel}
      tabIndex={anchor ? -1 : undefined}
    >
      <div className={classes.head}>
        <div>
          <Title order={isInner ? 3 : 2} id={headingId}>
            {title}
          </Title>
          {help && (
            <Text size="sm" c="dimmed" mt={2}>
              {help}
            </Text>
          )}
        </div>
        {state}
      </div>
      <div className={classes.content}>{children}</div>
    </section>
  );
}

/** One card for sections that belong together. */
export function SectionGroup({ children }: { children: ReactNode }) {
  return <div className={classes.group}>{children}</div>;
}
