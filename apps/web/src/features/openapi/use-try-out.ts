import { useRef, useState } from 'react';
import { prettyJson } from '../../components/ui/facts/pretty-json.ts';
import { xsrfHeaders } from '../../lib/browser/xsrf.ts';
import { messageOf } from '../../lib/errors/message-of.ts';
import type { ApiCall } from './api-calls.ts';

export interface CallOutcome {
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  readonly tookMs: number;
  /** Pretty-printed where it is JSON. */
  readonly text: string;
}

/** Makes one call as it would be made from outside: failures are results to look at, not errors of this page. */
export function useTryOut() {
  const [outcome, setOutcome] = useState<CallOutcome>();
  const [isRunning, setIsRunning] = useState(false);
  const running = useRef<AbortController>(undefined);

  const reset = () => {
    running.current?.abort();
    setOutcome(undefined);
    setIsRunning(false);
  };
  const run = async (call: ApiCall, input: { secret: string; body: string }) => {
    const controller = new AbortController();
    running.current = controller;
    setIsRunning(true);
    const result = await makeCall(call, input, controller.signal);
    if (controller.signal.aborted) return;
    setOutcome(result);
    setIsRunning(false);
  };
  return { outcome, isRunning, run, reset };
}

async function makeCall(
  { method, path, isPublic }: ApiCall,
  { secret, body }: { secret: string; body: string },
  signal: AbortSignal,
): Promise<CallOutcome> {
  const startedAt = performance.now();
  const tookMs = () => Math.round(performance.now() - startedAt);
  const headers: Record<string, string> = xsrfHeaders();
  if (!isPublic) headers.authorization = `Bearer ${secret}`;
  if (method === 'POST') headers['content-type'] = 'application/json';
  try {
    const response = await fetch(path, {
      method,
      headers,
      credentials: 'omit',
      signal,
      ...(method === 'POST' && { body }),
    });
    const text = await response.text();
    return { status: response.status, tookMs: tookMs(), text: prettyJson(text) };
  } catch (error) {
    return { status: undefined, tookMs: tookMs(), text: messageOf(error) };
  }
}
