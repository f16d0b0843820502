import { StatusLabel, type Tone } from './status-label.tsx';

export interface OutcomeFacts {
  readonly isGood: boolean;
  /** Overrides good and bad. */
  readonly tone?: Tone;
  readonly text: string;
}

/** Result of an action, beside its button and announced to screen readers. */
export function Outcome({ outcome }: { outcome: OutcomeFacts | undefined }) {
  const tone = outcome?.tone ?? (outcome?.isGood ? 'ok' : 'bad');
  return <span role="status">{outcome && <StatusLabel tone={tone} word={outcome.text} />}</span>;
}
