import type { ClientHook } from '@weir/engine-api';
import type { EngineRefusal } from '@weir/streams';
import { WeirError } from '../../core/errors.ts';
import { showsSecret } from './publish-auth-rule.ts';

interface Gate {
  assertMayPublish(publish: ClientHook): Promise<void>;
  refusedByEngine(publish: ClientHook, reason: EngineRefusal): Promise<void>;
}

/** Admits the publishers of a demonstration alone. Its publish secret can be read by everybody, so it permits nothing. */
export function demoPublishers(gate: Gate, key: string): Gate {
  return {
    assertMayPublish: async (publish) => {
      if (!showsSecret(publish, key))
        throw new WeirError('publish_refused', 'this is a demonstration, only its own streams are published');
    },
    refusedByEngine: (publish, reason) => gate.refusedByEngine(publish, reason),
  };
}
