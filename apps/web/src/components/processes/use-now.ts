import { useEffect, useState } from 'react';

/** Current time, updated every second while needed. */
export function useNow(isCounted: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isCounted) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isCounted]);
  return now;
}
