import * as z from 'zod';
import { parseJson } from '../../core/json.ts';
import { ConfigTextError } from './brace-config.ts';
import { type ImportPart, left } from './import-part.ts';
import { forwardPart, pullPart } from './import-rows.ts';

/** State of Restreamer 0.x: one source and one destination. */
const State = z.object({
  addresses: z.object({ srcAddress: z.string().default(''), optionalOutputAddress: z.string().default('') }),
});

const Address = z.object({ address: z.string().max(4096).default('') });
const Process = z.object({
  id: z.string().max(200).default(''),
  config: z.object({ input: z.array(Address).max(50).default([]), output: z.array(Address).max(50).default([]) }),
});
/** Processes of Restreamer 2 (datarhei Core), as its API and its database have them. */
const Processes = z.union([
  z.array(Process).max(500),
  z.object({ process: z.record(z.string(), Process) }).transform(({ process }) => Object.values(process)),
]);

/** An export of Restreamer: `v1.json`, the list of processes, or `db.json`. */
export function importRestreamer(text: string, now: Date): ImportPart[] {
  const found = parseJson(text);
  const state = State.safeParse(found).data;
  const processes = Processes.safeParse(found).data;
  if (!state && !processes) throw new ConfigTextError('the file is no export of Restreamer');
  const { srcAddress = '', optionalOutputAddress = '' } = state?.addresses ?? {};
  let number = 10;
  const parts: ImportPart[] = [];
  if (srcAddress !== '') parts.push(pullPart({ url: srcAddress, name: 'Restreamer' }, number++, now));
  if (optionalOutputAddress !== '') parts.push(forwardPart({ url: optionalOutputAddress, stream: '' }, number++));
  for (const { id, config } of processes ?? []) {
    const name = id.replace(/^restreamer-ui:/, '') || 'process';
    for (const { address } of config.input) {
      if (isInner(address)) continue;
      parts.push(pullPart({ url: address, name }, number++, now));
    }
    for (const { address } of config.output) {
      if (isInner(address)) continue;
      if (/^(?:rtmps?|srt):\/\//i.test(address)) parts.push(forwardPart({ url: address, stream: '' }, number++));
      else parts.push(left(['output', name], 'needless'));
    }
  }
  return parts;
}

/** Memory and file systems of the Core, and placeholders for them. */
function isInner(address: string): boolean {
  return (
    address === '' ||
    address.startsWith('{') ||
    address.startsWith('#') ||
    /\/\/(?:localhost|127\.0\.0\.1)[:/]/.test(address)
  );
}
