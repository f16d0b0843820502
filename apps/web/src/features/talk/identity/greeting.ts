import { talkPaths } from '@weir/contract';
import { useEffect, useRef } from 'react';
import type { Conversation } from '../use-conversation.ts';

/** A server without a voice has none. */
export function hasGreeting(voice: string): Promise<boolean> {
  if (voice === '') return Promise.resolve(false);
  return fetch(`${talkPaths.helloVoices}/${voice}`, { credentials: 'omit' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Greets who only listens, once: it shows whether the browser lets the page be heard, before the first answer. */
export function useGreeting({ state, playback: { add } }: Conversation, isWanted: boolean): void {
  const isDone = useRef(false);
  const voice = state.seat?.voice ?? '';
  useEffect(() => {
    if (!isWanted || voice === '' || isDone.current) return;
    isDone.current = true;
    void hasGreeting(voice).then((isThere) => (isThere ? add(voice) : undefined));
  }, [isWanted, voice, add]);
}
