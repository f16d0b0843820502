import { useEffect, useState } from 'react';

/** Locks for a while after each `lock`. */
export function useCooldown(ms: number): { isLocked: boolean; lock: () => void } {
  const [lockedAt, setLockedAt] = useState<number>();
  useEffect(() => {
    if (lockedAt === undefined) return;
    const timer = setTimeout(() => setLockedAt(undefined), ms);
    return () => clearTimeout(timer);
  }, [lockedAt, ms]);
  return { isLocked: lockedAt !== undefined, lock: () => setLockedAt(Date.now()) };
}
