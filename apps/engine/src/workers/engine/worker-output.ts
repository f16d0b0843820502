import type { Log } from '@weir/plane';

const levels = ['debug', 'info', 'warn', 'error', 'fatal'] as const;
/** A worker that writes without line ends says nothing we could use. */
const mostLineBytes = 64 * 1024;

/** Copies a worker's log records into our log, which redacts secrets. Any other output is logged as text. */
export function workerOutput(log: Log): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = (lines.pop() ?? '').slice(-mostLineBytes);
    for (const line of lines) if (line !== '') write(log, line);
  };
}

function write(log: Log, line: string): void {
  const { level, msg, time: _time, name: _name, ...fields } = parse(line);
  const known = levels.find((one) => one === level);
  if (known && typeof msg === 'string') log[known](fields, msg);
  else log.warn({ said: line.slice(0, 1000) }, 'output of a worker process');
}

function parse(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
