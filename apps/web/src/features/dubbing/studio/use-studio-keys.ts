import { type RefObject, useEffect, useRef } from 'react';
import type { Listening } from './film/film-voices.ts';
import type { Film } from './film/use-film.ts';
import type { ScriptDesk } from './groups/script-desk.ts';

interface Keys {
  readonly film: Film;
  readonly desk: ScriptDesk;
  readonly onLeave: () => void;
}

const plays: Readonly<Record<string, Listening>> = { o: 'source', d: 'dub', b: 'both' };

/** Keys of the studio, for as long as nobody types and no button has the focus that the key would press. */
export function useStudioKeys(root: RefObject<HTMLElement | null>, keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      if (act(event, latest.current, element)) event.preventDefault();
    };
    element.addEventListener('keydown', onKey);
    return () => element.removeEventListener('keydown', onKey);
  }, [root]);
}

/** Whether the key meant something. */
function act(event: KeyboardEvent, { film, desk, onLeave }: Keys, root: HTMLElement): boolean {
  const target = event.target as HTMLElement;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (target.matches('textarea')) {
    // Leaving a text saves it.
    if (key === 'Escape' || (key === 'Enter' && !event.shiftKey)) target.closest<HTMLElement>('[data-row]')?.focus();
    return key === 'Enter' && !event.shiftKey;
  }
  if (target.matches('input, select, video, [role="menuitem"], [role="menu"]')) return false;
  if (event.ctrlKey || event.metaKey) {
    if (key !== 'z' && key !== 'y') return false;
    void (key === 'y' || event.shiftKey ? desk.redo() : desk.undo());
    return true;
  }
  const listening = plays[key];
  if (listening) film.play(film.place, listening);
  else if (key === 'ArrowDown') film.go(film.place + 1);
  else if (key === 'ArrowUp') film.go(film.place - 1);
  else if (key === 'Escape') onLeave();
  else if (target.matches('button, a')) return false;
  else if (key === ' ') film.toggle();
  else if (key === 'Enter')
    root.querySelector<HTMLElement>('[aria-current="true"] textarea[data-translation]')?.focus();
  else return false;
  return true;
}
