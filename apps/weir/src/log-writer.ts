import type { Writable } from 'node:stream';

type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

interface LogRecord {
  readonly level: Level;
  readonly time: string;
  readonly name: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

const colours: Record<Level, string> = { debug: '90', info: '36', warn: '33', error: '31', fatal: '31;1' };

/** Writes log records as text for terminals or as JSON for programs. */
export class LogWriter {
  readonly #out: Writable;
  readonly isPretty: boolean;

  constructor(out: Writable, isPretty: boolean) {
    this.#out = out;
    this.isPretty = isPretty;
  }

  write(record: LogRecord): void {
    this.#out.write(`${this.isPretty ? prettyLine(record) : JSON.stringify(record)}\n`);
  }

  print(text: string): void {
    this.#out.write(`${text}\n`);
  }

  log(level: Level, msg: string, fields: Record<string, unknown> = {}): void {
    this.write({ level, time: new Date().toISOString(), name: 'weir', msg, ...fields });
  }

  /** Writes a line of a plane: a log record, or runtime output that is passed on unchanged. */
  writeLine(line: string): void {
    const record = this.isPretty ? parseRecord(line) : undefined;
    if (record) this.write(record);
    else this.#out.write(`${line}\n`);
  }
}

export function prettyLine({ level, time, name, msg, err, ...fields }: LogRecord): string {
  const clock = new Date(time).toTimeString().slice(0, 8);
  const details = Object.entries(fields).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const head = `\u001b[90m${clock}\u001b[0m \u001b[${colours[level]}m${level.padEnd(5)}\u001b[0m ${name.padEnd(6)} ${msg}`;
  const line = details.length === 0 ? head : `${head} \u001b[90m${details.join(' ')}\u001b[0m`;
  return err === undefined ? line : `${line}\n${errorText(err)}`;
}

function errorText(err: unknown): string {
  const stack = typeof err === 'object' && err !== null && 'stack' in err ? err.stack : JSON.stringify(err);
  // Stacks contain untrusted text; control characters must not reach the terminal.
  return String(stack)
    .split('\n')
    .map((line) => `         ${JSON.stringify(line).slice(1, -1)}`)
    .join('\n');
}

function parseRecord(line: string): LogRecord | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is LogRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { level, time, name, msg } = value as Partial<LogRecord>;
  return (
    level !== undefined &&
    level in colours &&
    typeof time === 'string' &&
    typeof name === 'string' &&
    typeof msg === 'string'
  );
}
