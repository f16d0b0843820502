import { useQuery } from '@tanstack/react-query';
import type { EnginePart } from '@weir/contract';
import { environmentQuery } from './system-queries.ts';

/** Whether the media server of this installation cannot do something. False while that is not known. */
export function useEngineLacks(part: EnginePart): boolean {
  return useQuery(environmentQuery).data?.engineLacks?.includes(part) ?? false;
}
