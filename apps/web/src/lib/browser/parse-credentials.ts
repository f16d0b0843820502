/** Stored sign-in: `token` is sent in the body field of that name, `bearer` in the Authorization header. */
export interface Credentials {
  readonly token: string;
  readonly bearer: string;
}

/** Accepts a record, or a bare token that also serves as bearer. */
export function parseCredentials(answer: unknown): Credentials | undefined {
  if (typeof answer === 'string') return answer === '' ? undefined : { token: answer, bearer: answer };
  if (typeof answer !== 'object' || answer === null || !('token' in answer)) return undefined;
  const { token } = answer;
  if (typeof token !== 'string' || token === '') return undefined;
  const bearer = 'bearer' in answer && typeof answer.bearer === 'string' ? answer.bearer : '';
  return { token, bearer: bearer || token };
}
