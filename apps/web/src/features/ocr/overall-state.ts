import type { OcrConfig, OcrState } from '@weir/contract';
import type { Tone } from '../../components/ui/feedback/status-label.tsx';

type Overall = 'off' | 'nobody' | 'waiting' | 'live' | 'picturesOnly' | 'troubled';

export const overallTones: Record<Overall, Tone> = {
  off: 'off',
  nobody: 'bad',
  waiting: 'busy',
  live: 'ok',
  picturesOnly: 'warn',
  troubled: 'warn',
};

/** State of OCR that the user should act on first. */
export function ocrOverallState(
  { all, aiChatEnabled }: Pick<OcrConfig, 'all' | 'aiChatEnabled'>,
  { provider, stream, cause }: Pick<OcrState, 'provider' | 'stream' | 'cause'>,
): Overall {
  if (!all) return 'off';
  if (aiChatEnabled && provider.by === 'nobody') return 'nobody';
  if (stream === '') return 'waiting';
  if (!aiChatEnabled) return 'picturesOnly';
  return cause === null ? 'live' : 'troubled';
}
