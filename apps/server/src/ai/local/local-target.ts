import { type IncomingMessage, request as requestHttp } from 'node:http';
import { OutgoingError } from '../../core/outgoing/outgoing-error.ts';
import { flow } from '../../core/outgoing/request/outgoing-stream.ts';
import { Silence } from '../../core/outgoing/request/outgoing-upload.ts';
import { readAnswer, receiveResponse } from '../../core/outgoing/request/receive-response.ts';
import { AiError } from '../ai.ts';
import type { WireRequest, WireTarget } from '../wire/wire-target.ts';
import type { LocalAiSupervisor } from './local-ai-supervisor.ts';

/**
 * Built-in process as a target of the OpenAI wire. Its answers are checked like those of remote providers, because native code may fail
 * in any way.
 */
export function localTarget(keeper: LocalAiSupervisor): WireTarget {
  return {
    async send(request, signal) {
      const lease = await keeper.lease(signal);
      const deadline = AbortSignal.timeout(request.withinMs);
      try {
        const answer = await ask(lease.socket, request, AbortSignal.any([signal, deadline]));
        const body = await readAnswer(answer, request.answerBytes);
        return { status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'], body };
      } catch (error) {
        const explained = explain(error, { signal, isLate: deadline.aborted });
        if (explained.cause === 'local-failed') await lease.lost();
        throw explained;
      } finally {
        lease.end();
      }
    },
    async stream(request, signal) {
      const lease = await keeper.lease(signal);
      const silence = new Silence(request.withinMs);
      const failed = (error: unknown) => explain(error, { signal, isLate: silence.signal.aborted });
      try {
        const answer = await ask(lease.socket, request, AbortSignal.any([signal, silence.signal]));
        const body = flow(answer, { mostBytes: request.answerBytes, silence, failed });
        return {
          status: answer.statusCode ?? 0,
          retryAfter: answer.headers['retry-after'],
          type: answer.headers['content-type'] ?? '',
          body: finishing(body, () => lease.end()),
        };
      } catch (error) {
        silence.end();
        const explained = failed(error);
        if (explained.cause === 'local-failed') await lease.lost();
        lease.end();
        throw explained;
      }
    },
  };
}

function ask(
  socketPath: string,
  { method, path, headers, body }: WireRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = requestHttp({
      socketPath,
      method,
      path: `/v1${path}`,
      agent: false,
      signal,
      headers: {
        host: 'built-in',
        ...headers,
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
    });
    receiveResponse(outgoing, { take: resolve, fail: reject });
    outgoing.end(body);
  });
}

async function* finishing(body: AsyncIterable<Buffer>, onEnd: () => void): AsyncGenerator<Buffer, void> {
  try {
    yield* body;
  } finally {
    onEnd();
  }
}

function explain(error: unknown, { signal, isLate }: { signal: AbortSignal; isLate: boolean }): AiError {
  if (error instanceof AiError) return error;
  if (signal.aborted) return new AiError('stopped', 'the request was stopped');
  if (isLate) return new AiError('timeout', 'built-in AI did not respond in time');
  if (error instanceof OutgoingError && error.failure === 'too-large') {
    return new AiError('bad-answer', 'the response of built-in AI is too large');
  }
  return new AiError('local-failed', 'built-in AI ended during the request');
}
