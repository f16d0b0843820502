/** A process that writes without line ends says nothing we could use. */
const mostLineBytes = 64 * 1024;

/** Record of a log in JSON. Both fields are undefined for other output. */
interface LogRecord extends Readonly<Record<string, unknown>> {
  readonly level?: unknown;
  readonly msg?: unknown;
}

/** Reads what a process of ours prints: one record of its log a line, or any text where native code prints. */
export function logLines(onLine: (record: LogRecord, line: string) => void): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = (lines.pop() ?? '').slice(0, mostLineBytes);
    for (const line of lines) if (line.trim() !== '') onLine(parse(line), line);
  };
}

function parse(line: string): LogRecord {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as LogRecord) : {};
  } catch {
    return {};
  }
}
