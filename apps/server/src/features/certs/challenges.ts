import { WeirError } from '../../core/errors.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';

/** Answers to the questions that prove a domain leads here (RFC 8555, 8.3), while they are being asked. */
export class Challenges {
  readonly #answers = new Map<string, string>();

  put(token: string, answer: string): void {
    this.#answers.set(token, answer);
  }

  drop(token: string): void {
    this.#answers.delete(token);
  }

  get(token: string): string | undefined {
    return this.#answers.get(token);
  }
}

/** The one thing served below `/.well-known/`: answers from memory, never a file. */
export function challengeRoute(http: HttpApp, challenges: Challenges): void {
  http.fastify.route<{ Params: { token: string } }>({
    method: anyMethod,
    url: '/.well-known/acme-challenge/:token',
    handler: (request, reply) => {
      if (request.method !== 'GET' && request.method !== 'HEAD')
        throw new WeirError('wrong_method', 'a challenge is read-only');
      const answer = challenges.get(request.params.token);
      if (answer === undefined) throw new WeirError('not_found', 'there is no such challenge');
      return reply
        .headers({
          'content-type': 'application/octet-stream',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        })
        .send(request.method === 'HEAD' ? '' : Buffer.from(answer));
    },
  });
}
