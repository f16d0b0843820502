import { AiModels } from '@weir/contract';
import * as z from 'zod';
import type { Setting } from '../core/store/setting.ts';
import type { Store } from '../core/store/store.ts';

const StoredProvider = z.object({
  aiSecretKey: z.string().default(''),
  aiBaseURL: z.string().default(''),
  aiOrganization: z.string().default(''),
});
export type StoredProvider = z.output<typeof StoredProvider>;

/** The global provider, which everybody uses who says nothing else. */
export function globalProvider(store: Store): Setting<StoredProvider> {
  return store.setting('llm/provider', StoredProvider);
}

/** The models that are asked of it. */
export function aiModels(store: Store): Setting<AiModels> {
  return store.setting('llm/models', AiModels);
}
