import { useQuery } from '@tanstack/react-query';
import type { EnginePart } from '@weir/contract';
import { environmentQuery } from './system-queries.ts';

/** True if this installation's media server lacks a feature; false while unknown. */
export function useEngineLacks(part: EnginePart): boolean {
  return useQuery(environmentQuery).data?.engineLacks?.includes(part) ?? false;
}
