/** Pending responses of calls sent before the console ran, keyed by path, body and credentials. */
const answers = new Map<string, Promise<Response>>();

type Request = Pick<RequestInit, 'body'> & { readonly headers: Record<string, string> };

/** Sends a call early. Errors surface where the response is consumed. */
export function prefetchCall(path: string, request: Request & { readonly method: string }): void {
  const answer = fetch(path, { ...request, credentials: 'omit' });
  answer.catch(() => undefined);
  answers.set(callKey(path, request), answer);
}

/** Returns the response of an identical call, once. */
export function consumePrefetched(path: string, request: RequestInit | undefined): Promise<Response> | undefined {
  const key = callKey(path, request as Request);
  const answer = answers.get(key);
  answers.delete(key);
  return answer;
}

/** Responses that startup did not consume would be stale later. */
export function dropPrefetched(): void {
  answers.clear();
}

function callKey(path: string, { headers, body }: Request): string {
  return JSON.stringify([path, body, headers.authorization]);
}
