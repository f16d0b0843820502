import type { Server } from 'node:http';
import type { Log } from '@weir/plane';
import { answerJson, type Exchange } from './http/exchange.ts';
import { createHttpServer } from './http/http-server.ts';
import { SpeechModels } from './speech/speech-models.ts';
import { speechRoutes } from './speech/speech-routes.ts';
import { SpeechStack } from './speech/speech-stack.ts';
import { visionModels, visionRoutes } from './vision/vision-routes.ts';
import { VisionThread } from './vision/vision-thread.ts';

interface Context {
  readonly modelsDir: string;
  /** The file that this process was started with. */
  readonly entry: string;
  readonly log: Log;
}

/** Everything this process can do, as an HTTP server that does not listen yet. */
export function createAiApp({ modelsDir, entry, log }: Context): Server {
  const stack = new SpeechStack(modelsDir);
  const speech = new SpeechModels(stack, modelsDir);

  async function models(exchange: Exchange): Promise<void> {
    const heard = (await speech.list()).map(({ id, name, languages }) => ({
      id,
      name,
      kind: 'speech-to-text',
      languages,
    }));
    const data = [...heard, ...(await visionModels(modelsDir))];
    answerJson(exchange, {
      object: 'list',
      data: data.map((model) => ({ object: 'model', created: 0, owned_by: 'weir', ...model })),
    });
  }

  const vision = visionRoutes(new VisionThread(entry, modelsDir), modelsDir);
  return createHttpServer({ 'GET /v1/models': models, ...speechRoutes(stack, speech), ...vision }, log);
}
