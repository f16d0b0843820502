/** What a sign-in leaves in the browser: `token` goes into the body field of that name, `bearer` into the header. */
export interface Credentials {
  readonly token: string;
  readonly bearer: string;
}

/** A server answers a sign-in with a record, or with the bare token, which then serves as bearer too. */
export function parseCredentials(answer: unknown): Credentials | undefined {
  if (typeof answer === 'string') return answer === '' ? undefined : { token: answer, bearer: answer };
  if (typeof answer !== 'object' || answer === null || !('token' in answer)) return undefined;
  const { token } = answer;
  if (typeof token !== 'string' || token === '') return undefined;
  const bearer = 'bearer' in answer && typeof answer.bearer === 'string' ? answer.bearer : '';
  return { token, bearer: bearer || token };
}
