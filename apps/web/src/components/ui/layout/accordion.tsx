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
  /** The item that is open at first. Of a list each opens and closes for itself; else one that opens closes the other. */
  initial: string | readonly string[];
  /** Another object each time an item is to be opened from outside. */
  asked?: { readonly key: string } | undefined;
  /** An accordion in an item of another one: its titles rank below. */
  isInner?: boolean;
}

/** Items of which one is open, or several. What was opened once stays mounted, with everything typed into it. */
export function Accordion({ items, initial, asked, isInner = false }: AccordionProps) {
  const id = useId();
  const Heading = isInner ? 'h3' : 'h2';
  const isSingle = typeof initial === 'string';
  const [open, setOpen] = useState<readonly string[]>(isSingle ? [initial] : initial);
  const [visited, setVisited] = useState(open);
  const heads = useRef(new Map<string, HTMLElement>());
  // Another object for each time something opened. Not at first, when nobody asked.
  const [opened, setOpened] = useState<{ readonly key: string }>();
  const show = (key: string) => {
    setOpened({ key });
    setOpen(isSingle ? [key] : [...open.filter((one) => one !== key), key]);
    if (!visited.includes(key)) setVisited([...visited, key]);
  };
  const hide = (key: string) => setOpen(open.filter((one) => one !== key));
  const [answered, setAnswered] = useState(asked);
  if (asked !== answered) {
    setAnswered(asked);
    if (asked) show(asked.key);
  }
  // The item that closed may have been above: what was opened keeps its head in view.
  useEffect(() => {
    const head = opened && heads.current.get(opened.key);
    if (head && isOutOfView(head)) head.scrollIntoView({ block: 'start' });
  }, [opened]);
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
                  aria-expanded={open.includes(key)}
                  aria-controls={`${id}-body-${key}`}
                  aria-describedby={help ? `${id}-help-${key}` : undefined}
                  onClick={() => (open.includes(key) ? hide(key) : show(key))}
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
          <div id={`${id}-body-${key}`} className={classes.body} hidden={!open.includes(key)}>
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
