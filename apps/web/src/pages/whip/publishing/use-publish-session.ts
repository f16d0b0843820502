import { useEffect, useState } from 'react';
import { closedState, PublishSession, type PublishSessionState } from './publish-session.ts';

/** The studio of this page. Strict mode opens and closes it twice; nobody must be left with an open camera. */
export function usePublishSession(): { studio: PublishSession | undefined; state: PublishSessionState } {
  const [studio, setStudio] = useState<PublishSession>();
  const [state, setState] = useState(closedState);
  useEffect(() => {
    const own = new PublishSession(setState);
    setStudio(own);
    return () => own.close();
  }, []);
  return { studio, state };
}
