import { processApi } from '@weir/contract';
import type { Supervisor } from '@weir/process';
import type { Feature } from '../../feature.ts';

/** Last output of supervised programs. */
export function processesFeature({ supervisor }: { readonly supervisor: Supervisor }): Feature {
  return {
    routes: (http) => http.route(processApi.log, ({ key }) => ({ lines: [...(supervisor.observe(key)?.lines ?? [])] })),
  };
}
