import { StatusLabel } from './status-label.tsx';

export interface OutcomeFacts {
  readonly isGood: boolean;
  readonly text: string;
}

/** How something went that was just tried: it stands beside the button that tried it, and is read out. */
export function Outcome({ outcome }: { outcome: OutcomeFacts | undefined }) {
  return (
    <span role="status">{outcome && <StatusLabel tone={outcome.isGood ? 'ok' : 'bad'} word={outcome.text} />}</span>
  );
}
