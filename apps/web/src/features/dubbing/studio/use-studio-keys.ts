import { type RefObject, useEffect, useRef } from 'react';
import type { AudioMode } from './film/dub-player.ts';
import type { VideoPlayer } from './film/use-video-player.ts';
import type { ScriptEditor } from './groups/script-editor.ts';

interface Keys {
  readonly player: VideoPlayer;
  readonly editor: ScriptEditor;
  readonly onLeave: () => void;
}

const plays: Readonly<Record<string, AudioMode>> = { o: 'source', d: 'dub', b: 'both' };

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
function act(event: KeyboardEvent, { player, editor, onLeave }: Keys, root: HTMLElement): boolean {
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
    void (key === 'y' || event.shiftKey ? editor.redo() : editor.undo());
    return true;
  }
  const audioMode = plays[key];
  if (audioMode) player.play(player.groupIndex, audioMode);
  else if (key === 'ArrowDown') player.go(player.groupIndex + 1);
  else if (key === 'ArrowUp') player.go(player.groupIndex - 1);
  else if (key === 'Escape') onLeave();
  else if (target.matches('button, a')) return false;
  else if (key === ' ') player.toggle();
  else if (key === 'Enter')
    root.querySelector<HTMLElement>('[aria-current="true"] textarea[data-translation]')?.focus();
  else return false;
  return true;
}
