import { type Logger, pino } from 'pino';
import type { LogLevel } from '../config.ts';
import { originalStack } from './original-stack.ts';
import { scrub } from './scrub.ts';
import { SecretRedactor } from './secret-redactor.ts';

export type Log = Logger;

/** Fields whose values never reach a log, wherever in a record they stand. */
const secretFields = [
  'password',
  'newPassword',
  'secret',
  'token',
  'bearer',
  'authorization',
  'cookie',
  'key',
  'code',
  'apiSecret',
  'aiSecretKey',
  'secretKey',
  'initialPassword',
  'setupCode',
  'hookToken',
  'ownToken',
];

/** JSON lines on standard output; the launcher reads them and shows them to people. */
export function createLog(name: string, level: LogLevel, hidden: SecretRedactor = new SecretRedactor()): Log {
  return pino({
    name,
    level,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: withOriginalStack },
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[hidden]' },
    // Secrets also travel inside strings: addresses, names, error texts. This is the one place every line passes.
    hooks: { streamWrite: (line) => hidden.hideInJson(scrub(line)) },
  });
}

function withOriginalStack(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { stack, ...facts } = pino.stdSerializers.err(error);
  return { ...facts, stack: originalStack(stack) };
}
