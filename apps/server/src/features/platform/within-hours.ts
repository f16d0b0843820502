import type { PublishRefusal } from '@weir/contract';
import { WeirError } from '../../core/errors.ts';
import type { MonthlyHours } from './monthly-hours.ts';

export interface Gate<Publish> {
  assertMayPublish(publish: Publish): Promise<void>;
  refusedByEngine(publish: Publish, reason: PublishRefusal): Promise<void>;
}

/** Lets somebody publish who may, while there are hours left. A stranger does not learn whether there are. */
export function withinHours<Publish>(gate: Gate<Publish>, hours: MonthlyHours): Gate<Publish> {
  return {
    async assertMayPublish(publish) {
      await gate.assertMayPublish(publish);
      try {
        await hours.assertLeft();
      } catch (error) {
        const isUsedUp = error instanceof WeirError && error.kind === 'publish_refused';
        if (isUsedUp) await gate.refusedByEngine(publish, 'hours-used');
        throw error;
      }
    },
    refusedByEngine: (publish, reason) => gate.refusedByEngine(publish, reason),
  };
}
