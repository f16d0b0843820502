import { AiLimits } from '@weir/contract';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';

/** What each feature may ask of providers in a day. */
export function aiLimits(store: Store): Setting<AiLimits> {
  return store.setting('llm/limits', AiLimits);
}
