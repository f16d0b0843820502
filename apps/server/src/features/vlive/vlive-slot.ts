import { Outlet } from '@weir/contract';
import * as z from 'zod';

/** A slot as it is kept: of its sources only the ids, in the order they play. */
export const VliveSlot = Outlet.extend({ files: z.array(z.string()).default([]) });
export type VliveSlot = z.infer<typeof VliveSlot>;
