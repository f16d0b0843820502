import { processApi } from '@weir/contract';
import type { Supervisor } from '@weir/process';
import type { HttpApp } from '../core/http/http-app.ts';

/** What a supervised program said last: one click away from its state. */
export function processRoutes(http: HttpApp, supervisor: Supervisor): void {
  http.route(processApi.log, async ({ key }) => ({ lines: [...(supervisor.observe(key)?.lines ?? [])] }));
}
