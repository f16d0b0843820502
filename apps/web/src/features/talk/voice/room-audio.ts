import { helloVoices, talkApi, talkPaths } from '@weir/contract';
import { client } from '../../../lib/api.ts';
import type { AudioSource } from './voice-types.ts';

/** Listener as given by `stage/start` or the address, and by `subscribe/start`. */
interface Listener {
  readonly room: string;
  readonly roomToken: string;
  readonly sid: string;
  readonly spid: string;
}

/** Some minutes of speech: one sentence is far below. */
const mostBytes = 8 * 1024 * 1024;

/** Audio of a room. Greetings are addressed by the name of their voice. */
export function roomAudio(listener: Listener): AudioSource {
  const isGreeting = (asid: string) => helloVoices.some((voice) => voice === asid);
  return {
    load: (asid, signal) =>
      isGreeting(asid)
        ? load(`${talkPaths.helloVoices}/${asid}`, signal)
        : load(`${talkPaths.tts}?${new URLSearchParams({ ...listener, asid })}`, signal),
    drop: (asid) => {
      // The server drops the rest together with the listener.
      if (!isGreeting(asid)) client.call(talkApi.drop, { ...listener, asid }).catch(() => undefined);
    },
  };
}

async function load(address: string, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(address, { signal, credentials: 'omit' });
  const bytes = Number(response.headers.get('content-length') ?? 0);
  if (!response.ok || bytes > mostBytes) throw new Error(`no audio: ${response.status}`);
  return response.arrayBuffer();
}
