import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { IconChevronDown } from '../theme/icons.ts';
import classes from './accordion.module.css';

export interface AccordionItem {
  /** The specification's name of the item; it never changes. */
  readonly key: string;
  readonly title: string;
  /** One line that says what is inside, seen also while it is closed. */
  readonly help?: string;
  /** State at the right edge, so that a closed item still tells. */
  readonly state?: ReactNode;
  /** A button that works also while the item is closed. */
  readonly action?: ReactNode;
  readonly content: ReactNode;
}

interface AccordionProps {
  items: readonly AccordionItem[];
  /** The item that is open at first. */
  initial: string;
  /** Another object each time an item is to be opened from outside. */
  asked?: { readonly key: string } | undefined;
  /** An accordion in an item of another one: its titles rank below. */
  isInner?: boolean;
}

/** Items of which one is open. What was opened once stays mounted, with everything typed into it. */
export function Accordion({ items, initial, asked, isInner = false }: AccordionProps) {
  const id = useId();
  const Heading = isInner ? 'h3' : 'h2';
  const [open, setOpen] = useState<string | undefined>(initial);
  const [visited, setVisited] = useState<readonly string[]>([initial]);
  const heads = useRef(new Map<string, HTMLElement>());
  const isMoved = useRef(false);
  const show = (key: string | undefined) => {
    isMoved.current = true;
    setOpen(key);
    if (key !== undefined && !visited.includes(key)) setVisited([...visited, key]);
  };
  const [answered, setAnswered] = useState(asked);
  if (asked !== answered) {
    setAnswered(asked);
    if (asked) show(asked.key);
  }
  // The item that closed may have been above: what was opened keeps its head in view. Not at first, when nobody asked.
  useEffect(() => {
    const head = open === undefined || !isMoved.current ? undefined : heads.current.get(open);
    if (head && isOutOfView(head)) head.scrollIntoView({ block: 'start' });
  }, [open]);
  return (
    <div className={classes.accordion}>
      {items.map(({ key, title, help, state, action, content }) => (
        <section key={key} data-key={key} aria-labelledby={`${id}-title-${key}`}>
          <div
            className={classes.head}
            ref={(head) => {
              if (head) heads.current.set(key, head);
              else heads.current.delete(key);
            }}
          >
            <div className={classes.text}>
              <Heading className={classes.heading}>
                <button
                  type="button"
                  className={classes.title}
                  id={`${id}-title-${key}`}
                  aria-expanded={open === key}
                  aria-controls={`${id}-body-${key}`}
                  aria-describedby={help ? `${id}-help-${key}` : undefined}
                  onClick={() => show(open === key ? undefined : key)}
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
            {action && <div className={classes.action}>{action}</div>}
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

/** Above the window or behind the bar at its top, or below it. */
function isOutOfView(head: HTMLElement): boolean {
  const { top, bottom } = head.getBoundingClientRect();
  return top < topBarPixels || bottom > window.innerHeight;
}

const topBarPixels = 56;
