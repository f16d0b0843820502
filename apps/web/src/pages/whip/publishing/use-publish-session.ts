import { useEffect, useState } from 'react';
import { closedState, PublishSession, type PublishSessionState } from './publish-session.ts';

/** The session of this page. Strict mode opens and closes it twice; nobody must be left with an open camera. */
export function usePublishSession(): { session: PublishSession | undefined; state: PublishSessionState } {
  const [session, setSession] = useState<PublishSession>();
  const [state, setState] = useState(closedState);
  useEffect(() => {
    const own = new PublishSession(setState);
    setSession(own);
    return () => own.close();
  }, []);
  return { session, state };
}
