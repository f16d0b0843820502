import { useEffect, useState } from 'react';
import { readChoices } from './publish-choices.ts';
import { PublishStudio, type StudioState } from './publish-studio.ts';
import { offState } from './whip-publisher.ts';

/** The studio of this page. Strict mode opens and closes it twice; nobody must be left with an open camera. */
export function usePublishStudio(): { studio: PublishStudio | undefined; state: StudioState } {
  const [studio, setStudio] = useState<PublishStudio>();
  const [state, setState] = useState<StudioState>(() => ({
    ...offState,
    choices: readChoices(),
    media: undefined,
    isBusy: false,
    isPictureOff: false,
    isSoundOff: false,
  }));
  useEffect(() => {
    const own = new PublishStudio(setState);
    setStudio(own);
    return () => own.close();
  }, []);
  return { studio, state };
}
