import { LostConnection } from './redis-connection.ts';
import { ReplyError } from './resp-reader.ts';

/** The first word of what a database answers, in words that say what to look at. */
const reasons: Record<string, string> = {
  NOAUTH: 'the database wants a password',
  WRONGPASS: 'the database refuses the user or password',
  NOPERM: 'the user of the database may not do what is needed',
  LOADING: 'the database is still reading its data',
  READONLY: 'the database is a replica, which cannot be written to',
  MASTERDOWN: 'the database is a replica without its primary',
  OOM: 'the database has no memory left',
  MISCONF: 'the database cannot write to its disk',
  BUSY: 'the database is busy with a script',
  MOVED: 'the database is a cluster, which is not supported',
  WRONGTYPE: 'another program uses the same keys; choose another prefix',
  FENCED: 'another control plane has taken over',
};

/** Whether it is the database that failed, and not the caller. */
export function isDatabaseFault(error: unknown): error is LostConnection | ReplyError {
  return error instanceof LostConnection || error instanceof ReplyError;
}

export function reasonOf(error: LostConnection | ReplyError): string {
  if (error instanceof LostConnection) return error.message;
  const word = /\b[A-Z]{3,}\b/.exec(error.message)?.[0] ?? '';
  return reasons[word] ?? 'the reason is in the log';
}
