import { llmApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Feature } from '../../core/feature.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import { LlmService } from './llm-service.ts';
import { requestProvider } from './provider-request.ts';

interface Context {
  readonly store: Store;
  readonly outgoing: OutgoingClient;
  readonly log: Log;
}

/** The AI provider that features start from. */
export function llmFeature({ store, outgoing, log }: Context): Feature {
  const llm = new LlmService({ store, request: requestProvider(outgoing), log: log.child({ feature: 'llm' }) });
  return {
    routes: (http) => {
      http.route(llmApi.query, () => llm.query());
      http.route(llmApi.update, (provider) => llm.update(provider));
      http.route(llmApi.check, ({ secretKey, baseURL }) => llm.check({ key: secretKey, url: baseURL }));
    },
  };
}
