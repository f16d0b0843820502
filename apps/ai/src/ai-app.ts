import type { Server } from 'node:http';
import type { Log } from '@weir/plane';
import { answerJson, type Exchange } from './http/exchange.ts';
import { createHttpServer } from './http/http-server.ts';
import { SpeechModels } from './speech/speech-models.ts';
import { speechRoutes } from './speech/speech-routes.ts';
import { SpeechStack } from './speech/speech-stack.ts';

/** Everything this process can do, as an HTTP server that does not listen yet. */
export function createAiApp(modelsDir: string, log: Log): Server {
  const stack = new SpeechStack(modelsDir);
  const speech = new SpeechModels(stack, modelsDir);

  async function models(exchange: Exchange): Promise<void> {
    const data = (await speech.list()).map(({ id, name, languages }) => ({
      id,
      kind: 'speech-to-text',
      name,
      languages,
    }));
    answerJson(exchange, {
      object: 'list',
      data: data.map((model) => ({ object: 'model', created: 0, owned_by: 'weir', ...model })),
    });
  }

  return createHttpServer({ 'GET /v1/models': models, ...speechRoutes(stack, speech) }, log);
}
