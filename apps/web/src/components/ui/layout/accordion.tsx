import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { IconChevronDown } from '../theme/icons.ts';
import classes from './accordion.module.css';

interface AccordionItem {
  /** Stable key from the specification. */
  readonly key: string;
  readonly title: string;
  /** Summary that stays visible while closed. */
  readonly help?: string;
  /** State at the right edge, visible while closed. */
  readonly state?: ReactNode;
  /** Button that works while closed. */
  readonly action?: ReactNode;
  readonly content: ReactNode;
}

interface AccordionProps {
  items: readonly AccordionItem[];
  /** Initially open item. With a list, items open independently; otherwise opening one closes the other. */
  initial: string | readonly string[];
  /** A new object opens an item from outside. */
  asked?: { readonly key: string } | undefined;
  /** Nested accordion: lower heading level. */
  isInner?: boolean;
  /** Items are places of the page: `#panel-` and the key leads there. */
  isLinked?: boolean;
}

/** Opened items stay mounted, so that typed text is kept. */
export function Accordion({ items, initial, asked, isInner = false, isLinked = false }: AccordionProps) {
  const id = useId();
  const Heading = isInner ? 'h3' : 'h2';
  const isSingle = typeof initial === 'string';
  const [open, setOpen] = useState<readonly string[]>(isSingle ? [initial] : initial);
  const [visited, setVisited] = useState(open);
  const heads = useRef(new Map<string, HTMLElement>());
  // New object per opening; undefined until the user opens an item.
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
  // Closing an item above may scroll the opened one away, so its header is brought back into view.
  useEffect(() => {
    const head = opened && heads.current.get(opened.key);
    if (head && isOutOfView(head)) head.scrollIntoView({ block: 'start' });
  }, [opened]);
  return (
    <div className={classes.accordion}>
      {items.map(({ key, title, help, state, action, content }) => (
        <section
          key={key}
          id={isLinked ? `panel-${key}` : undefined}
          data-key={key}
          aria-labelledby={`${id}-title-${key}`}
        >
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

/** Above or below the window, or behind the top bar. */
function isOutOfView(head: HTMLElement): boolean {
  const { top, bottom } = head.getBoundingClientRect();
  return top < topBarPixels || bottom > window.innerHeight;
}

const topBarPixels = 56;
