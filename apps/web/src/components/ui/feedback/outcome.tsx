import { StatusLabel, type Tone } from './status-label.tsx';

export interface OutcomeFacts {
  readonly isGood: boolean;
  /** Where neither yes nor no says it. */
  readonly tone?: Tone;
  readonly text: string;
}

/** How something went that was just tried: it stands beside the button that tried it, and is read out. */
export function Outcome({ outcome }: { outcome: OutcomeFacts | undefined }) {
  const tone = outcome?.tone ?? (outcome?.isGood ? 'ok' : 'bad');
  return <span role="status">{outcome && <StatusLabel tone={tone} word={outcome.text} />}</span>;
}
