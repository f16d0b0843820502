import { type AiFoundProvider, aiLocalHosts, aiPresets } from '@weir/contract';
import type { OutgoingClient } from '../core/outgoing/request/outgoing-client.ts';
import { OpenAiWire } from './wire/openai-wire.ts';
import { remoteTarget } from './wire/remote-target.ts';

/** A person waits, and a server on the same machine answers at once. */
const withinMs = 2500;
const mostModels = 200;

/** Usual base URL of a program, on each host that may be this machine. */
interface Candidate {
  readonly preset: AiFoundProvider['preset'];
  readonly baseURLs: readonly string[];
}

function usualCandidates(): Candidate[] {
  return aiPresets
    .filter(({ needsKey }) => !needsKey)
    .map(({ name, baseURL }) => ({
      preset: name,
      baseURLs: aiLocalHosts.map((host) => baseURL.replace('localhost', host)),
    }));
}

/** Looks for AI servers at the usual addresses of this machine. Only what lists models counts: other programs use these ports too. */
export async function findProviders(
  outgoing: OutgoingClient,
  candidates: readonly Candidate[] = usualCandidates(),
): Promise<AiFoundProvider[]> {
  const found = await Promise.all(
    candidates.map(async ({ preset, baseURLs }) => {
      const lists = await Promise.all(baseURLs.map((baseURL) => listModels(outgoing, baseURL)));
      const at = lists.findIndex((models) => models !== undefined);
      const [baseURL, models] = [baseURLs[at], lists[at]];
      return baseURL !== undefined && models !== undefined ? [{ preset, baseURL, models }] : [];
    }),
  );
  return found.flat();
}

/** Undefined where nothing answers as an AI server does. */
async function listModels(outgoing: OutgoingClient, baseURL: string): Promise<string[] | undefined> {
  const wire = new OpenAiWire(remoteTarget(outgoing, { secretKey: '', baseURL, organization: '' }));
  const listed = await wire.models(AbortSignal.timeout(withinMs)).catch(() => undefined);
  return listed?.slice(0, mostModels).map(({ id }) => id);
}
