import { useState } from 'react';

interface DraftOptions<Draft, Problem> {
  readonly initial: () => Draft;
  readonly problemsOf: (draft: Draft) => ReadonlySet<Problem>;
}

/** What a form edits. Its problems are shown once it was sent. */
export function useDraft<Draft extends object, Problem>({ initial, problemsOf }: DraftOptions<Draft, Problem>) {
  const [draft, setDraft] = useState(initial);
  const [isChecked, setIsChecked] = useState(false);
  return {
    draft,
    edit: (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change })),
    problems: isChecked ? problemsOf(draft) : new Set<Problem>(),
    /** True where nothing is wrong. */
    check: () => {
      setIsChecked(true);
      return problemsOf(draft).size === 0;
    },
  };
}
