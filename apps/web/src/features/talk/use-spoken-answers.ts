import { useEffect, useRef, useState } from 'react';
import type { Entry } from './session/talk-state.ts';
import type { VoicePlayback } from './voice/voice-types.ts';

/** Plays answers as they come, unless `isOn` is false. Returns those that could not be played. */
export function useSpokenAnswers(
  entries: readonly Entry[],
  { add }: Pick<VoicePlayback, 'add'>,
  isOn: boolean,
): ReadonlySet<string> {
  const [silent, setSilent] = useState<ReadonlySet<string>>(new Set());
  // What stood there when the page was opened was heard before.
  const known = useRef<Set<string>>(undefined);
  useEffect(() => {
    const spoken = entries.flatMap((entry) =>
      entry.kind === 'said' && entry.message.hasAudio && entry.message.asid !== '' ? [entry.message] : [],
    );
    const before = known.current;
    known.current = new Set(spoken.map(({ asid }) => asid));
    if (!before || !isOn) return;
    for (const { asid, rid } of spoken.filter((one) => !before.has(one.asid)))
      void add(asid, rid).then((played) => {
        if (played === 'failed') setSilent((others) => new Set([...others, asid]));
      });
  }, [entries, add, isOn]);
  return silent;
}
