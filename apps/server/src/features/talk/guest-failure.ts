import { randomBytes } from 'node:crypto';
import type { Room } from '@weir/contract';
import type { Log } from '@weir/plane';
import { AiError } from '../../ai/ai.ts';
import { WeirError } from '../../core/errors.ts';
import type { Stage } from './stage/stage.ts';
import type { TalkUser } from './stage/talk-user.ts';
import { talkError } from './talk-error.ts';

interface Where {
  readonly stage: Stage;
  readonly room: Room;
  readonly user: TalkUser;
}

/** Failure for a guest; the owner finds the details by its id. */
export function guestFailure(log: Log, error: unknown, { stage, room, user }: Where): WeirError {
  if (error instanceof WeirError) return error;
  if (stage.end.signal.aborted || user.gone.signal.aborted) return talkError('ended');
  const cause = error instanceof AiError ? error.cause : undefined;
  if (cause === 'limit-reached') return talkError('day-limit');
  const id = randomBytes(4).toString('hex');
  log.warn({ room: room.uuid, id, reason: String(error) }, 'a guest could not be answered');
  return talkError(cause === 'timeout' ? 'late' : 'failed', { id });
}
