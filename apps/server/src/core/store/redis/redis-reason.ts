import { LostConnection } from './redis-connection.ts';
import { ReplyError } from './resp-reader.ts';

/** The first word of what a database answers, in words that say what to look at. */
const reasons: Record<string, string> = {
  NOAUTH: 'the database requires a password',
  WRONGPASS: 'the database rejected the user name or password',
  NOPERM: 'the database user lacks a required permission',
  LOADING: 'the database is still loading its data',
  READONLY: 'the database is a replica, which cannot be written to',
  MASTERDOWN: 'the database is a replica that lost its primary',
  OOM: 'the database is out of memory',
  MISCONF: 'the database cannot write to its disk',
  BUSY: 'the database is busy running a script',
  MOVED: 'the database is a cluster, which is not supported',
  WRONGTYPE: 'another program uses the same keys; choose another prefix',
  FENCED: 'another server has taken over',
};

/** Whether it is the database that failed, and not the caller. */
export function isDatabaseFault(error: unknown): error is LostConnection | ReplyError {
  return error instanceof LostConnection || error instanceof ReplyError;
}

export function reasonOf(error: LostConnection | ReplyError): string {
  if (error instanceof LostConnection) return error.message;
  const word = /\b[A-Z]{3,}\b/.exec(error.message)?.[0] ?? '';
  return reasons[word] ?? 'see the server log';
}
