import { useEffect, useState } from 'react';
import { closedState, PublishStudio, type StudioState } from './publish-studio.ts';

/** The studio of this page. Strict mode opens and closes it twice; nobody must be left with an open camera. */
export function usePublishStudio(): { studio: PublishStudio | undefined; state: StudioState } {
  const [studio, setStudio] = useState<PublishStudio>();
  const [state, setState] = useState(closedState);
  useEffect(() => {
    const own = new PublishStudio(setState);
    setStudio(own);
    return () => own.close();
  }, []);
  return { studio, state };
}
