import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { client } from '../../lib/api.ts';
import { TalkCalls } from './session/talk-calls.ts';
import { TalkSession } from './session/talk-session.ts';
import type { TalkState } from './session/talk-state.ts';
import { TalkStorage } from './session/talk-storage.ts';
import type { TalkAddress } from './talk-address.ts';

/** The conversation of this page, as long as it is open. */
export function useTalkSession({ room, roomToken, mode }: TalkAddress): { session: TalkSession; state: TalkState } {
  const session = useMemo(
    () =>
      new TalkSession({
        calls: new TalkCalls(client, { room, roomToken }),
        storage: new TalkStorage({ room, roomToken, mode }),
        isListener: mode === 'transcript',
      }),
    [room, roomToken, mode],
  );
  useEffect(() => {
    const look = () => session.setVisible(document.visibilityState === 'visible');
    const wake = () => session.wake();
    session.open();
    look();
    document.addEventListener('visibilitychange', look);
    window.addEventListener('online', wake);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('online', wake);
      session.close();
    };
  }, [session]);
  return { session, state: useSyncExternalStore(session.store.subscribe, session.store.get) };
}
