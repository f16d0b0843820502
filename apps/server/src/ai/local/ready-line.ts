const longest = 65_536;

/** Hears the word of a process that serves: `ready` on a line of its own, or as the message of a log line. Once. */
export function isReadyLine(onReady: () => void): (chunk: Buffer) => void {
  let open = '';
  let isHeard = false;
  return (chunk) => {
    if (isHeard) return;
    const lines = (open + chunk.toString('utf8')).split('\n');
    open = (lines.pop() ?? '').slice(0, longest);
    isHeard = lines.some((line) => line.trim() === 'ready' || line.includes('"msg":"ready"'));
    if (isHeard) onReady();
  };
}
