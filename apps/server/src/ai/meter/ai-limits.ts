import { AiLimits } from '@weir/contract';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';

/** Daily limits of each feature. */
export function aiLimits(store: Store): Setting<AiLimits> {
  return store.setting('llm/limits', AiLimits);
}
