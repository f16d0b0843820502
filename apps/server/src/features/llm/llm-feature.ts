import { llmApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { LlmService } from './llm-service.ts';

export function llmRoutes(http: HttpApp, llm: LlmService): void {
  http.route(llmApi.query, () => llm.query());
  http.route(llmApi.update, (provider) => llm.update(provider));
  http.route(llmApi.check, ({ secretKey, baseURL }) => llm.check({ key: secretKey, url: baseURL }));
}
