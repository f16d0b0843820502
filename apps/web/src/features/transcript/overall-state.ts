import type { AiAnswerer, TranscriptStream } from '@weir/contract';
import type { Tone } from '../../components/ui/feedback/status-label.tsx';

type Overall = 'off' | 'nobody' | 'waiting' | 'starting' | 'live' | 'troubled' | 'failing';

export const overallTones: Record<Overall, Tone> = {
  off: 'off',
  nobody: 'bad',
  waiting: 'busy',
  starting: 'busy',
  live: 'ok',
  troubled: 'warn',
  failing: 'bad',
};

interface Facts {
  readonly provider: AiAnswerer;
  readonly streams: readonly Pick<TranscriptStream, 'process' | 'cause'>[];
}

/** State of all streams that the user should act on first. */
export function transcriptOverallState(isOn: boolean, { provider, streams }: Facts): Overall {
  if (!isOn) return 'off';
  if (provider.by === 'nobody') return 'nobody';
  const states = streams.map(({ process }) => process.state);
  if (states.includes('failing')) return 'failing';
  if (states.includes('reconnecting') || streams.some(({ cause }) => cause !== null)) return 'troubled';
  if (states.includes('live')) return 'live';
  return states.includes('starting') ? 'starting' : 'waiting';
}
