import { type ReactNode, useId, useState } from 'react';
import classes from './accordion.module.css';
import { IconChevronDown } from './icons.ts';

export interface AccordionItem {
  /** The specification's name of the item; it never changes. */
  readonly key: string;
  readonly title: string;
  /** One line that says what is inside, seen also while it is closed. */
  readonly help?: string;
  /** State at the right edge, so that a closed item still tells. */
  readonly state?: ReactNode;
  readonly content: ReactNode;
}

export interface AccordionProps {
  items: readonly AccordionItem[];
  /** The item that is open at first. */
  initial: string;
  /** An accordion in an item of another one: its titles rank below. */
  isInner?: boolean;
}

/** Items of which one is open. What was opened once stays mounted, with everything typed into it. */
export function Accordion({ items, initial, isInner = false }: AccordionProps) {
  const id = useId();
  const Heading = isInner ? 'h3' : 'h2';
  const [open, setOpen] = useState<string | undefined>(initial);
  const [visited, setVisited] = useState<readonly string[]>([initial]);
  const toggle = (key: string) => {
    setOpen(open === key ? undefined : key);
    if (!visited.includes(key)) setVisited([...visited, key]);
  };
  return (
    <div className={classes.accordion}>
      {items.map(({ key, title, help, state, content }) => (
        <section key={key} data-key={key} aria-labelledby={`${id}-title-${key}`}>
          <div className={classes.head}>
            <div className={classes.text}>
              <Heading className={classes.heading}>
                <button
                  type="button"
                  className={classes.title}
                  id={`${id}-title-${key}`}
                  aria-expanded={open === key}
                  aria-controls={`${id}-body-${key}`}
                  aria-describedby={help ? `${id}-help-${key}` : undefined}
                  onClick={() => toggle(key)}
                >
                  {title}
                </button>
              </Heading>
              {help && (
                <p id={`${id}-help-${key}`} className={classes.help}>
                  {help}
                </p>
              )}
            </div>
            {state && <div className={classes.state}>{state}</div>}
            <IconChevronDown size={18} aria-hidden className={classes.mark} />
          </div>
          <div id={`${id}-body-${key}`} className={classes.body} hidden={open !== key}>
            {visited.includes(key) && content}
          </div>
        </section>
      ))}
    </div>
  );
}
