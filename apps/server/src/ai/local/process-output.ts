import type { Log } from '@weir/plane';
import * as z from 'zod';

const longest = 65_536;
const LogLine = z.object({ level: z.string(), msg: z.string(), err: z.object({ message: z.string() }).optional() });

/** Reads what the process prints, lines of its log: hears that it serves, and passes on what somebody must know. */
export function processOutput(log: Log, onReady: () => void): (chunk: Buffer) => void {
  let open = '';
  return (chunk) => {
    const lines = (open + chunk.toString('utf8')).split('\n');
    open = (lines.pop() ?? '').slice(0, longest);
    for (const line of lines) {
      const { level, msg, err } = parse(line);
      if (msg === 'ready') onReady();
      else if (level !== 'info' && level !== 'debug') log.warn({ level, reason: err?.message }, `built-in AI: ${msg}`);
    }
  };
}

function parse(line: string): z.output<typeof LogLine> {
  try {
    return LogLine.parse(JSON.parse(line));
  } catch {
    // Native code prints as it likes.
    return { level: 'debug', msg: line.trim() };
  }
}
