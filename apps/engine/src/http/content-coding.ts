import { gzipSync } from 'node:zlib';

/** Below this the head of an answer is most of it. */
const leastBytes = 512;
/** Four fifths of a playlist go for a third of the time that zlib's own settings take: most of that is clearing memory. */
const options = { level: 1, memLevel: 6, windowBits: 13 };
const mostVerdicts = 500;
/** Results by header value: clients send the same few texts. */
const verdicts = new Map<string, boolean>();

/** Undefined where it would not pay. */
export function gzipped(body: Buffer): Buffer | undefined {
  if (body.length < leastBytes) return undefined;
  const bytes = gzipSync(body, options);
  return bytes.length < body.length ? bytes : undefined;
}

/** Reads Accept-Encoding (RFC 9110, 12.5.3). */
export function takesGzip(accepted: string | undefined): boolean {
  if (accepted === undefined) return false;
  const known = verdicts.get(accepted);
  if (known !== undefined) return known;
  const verdict = readAccepted(accepted);
  if (verdicts.size >= mostVerdicts) verdicts.clear();
  if (accepted.length <= 256) verdicts.set(accepted, verdict);
  return verdict;
}

function readAccepted(accepted: string): boolean {
  let any: boolean | undefined;
  for (const item of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const isWanted = !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (name === 'gzip' || name === 'x-gzip') return isWanted;
    if (name === '*') any = isWanted;
  }
  return any ?? false;
}
