import { authApi } from './auth.ts';
import { brandingApi } from './branding.ts';
import { cameraApi } from './camera.ts';
import { certsApi } from './certs.ts';
import { cloudApi } from './cloud.ts';
import { componentsApi } from './components.ts';
import { contactApi } from './contact.ts';
import type { Endpoint } from './endpoint.ts';
import { forwardApi } from './forward.ts';
import { hlsApi } from './hls.ts';
import { hooksApi } from './hooks.ts';
import { limitsApi } from './limits.ts';
import { llmApi } from './llm.ts';
import { platformApi } from './platform.ts';
import { processApi } from './process.ts';
import { publishAuthApi } from './publish-auth.ts';
import { recordApi } from './record.ts';
import { sourceApi } from './source.ts';
import { streamsApi } from './streams.ts';
import { systemApi } from './system.ts';
import { transcodeApi } from './transcode.ts';
import { tutorialsApi } from './tutorials.ts';
import { vliveApi } from './vlive.ts';

export * from './ai.ts';
export * from './alerts.ts';
export * from './auth.ts';
export * from './branding.ts';
export * from './camera.ts';
export * from './certs.ts';
export * from './cloud.ts';
export * from './components.ts';
export * from './constants.ts';
export * from './contact.ts';
export type { BodyOf, DataOf, Endpoint } from './endpoint.ts';
export * from './errors.ts';
export * from './forward.ts';
export * from './glob.ts';
export * from './hls.ts';
export * from './hooks.ts';
export * from './limits.ts';
export * from './llm.ts';
export * from './mask-key.ts';
export * from './outlet.ts';
export * from './platform.ts';
export * from './process.ts';
export * from './publish-auth.ts';
export * from './record.ts';
export * from './source.ts';
export * from './streams.ts';
export * from './system.ts';
export * from './transcode.ts';
export * from './tutorials.ts';
export * from './vlive.ts';

/** Every endpoint there is: what the house tests, the attack tests and the API reference walk over. */
export const endpoints: readonly Endpoint[] = [
  authApi,
  systemApi,
  componentsApi,
  contactApi,
  brandingApi,
  publishAuthApi,
  streamsApi,
  hlsApi,
  hooksApi,
  certsApi,
  cloudApi,
  limitsApi,
  llmApi,
  platformApi,
  processApi,
  transcodeApi,
  forwardApi,
  cameraApi,
  sourceApi,
  vliveApi,
  recordApi,
  tutorialsApi,
].flatMap((api) => Object.values(api));

/** Where the generated API reference is served. */
export const openApiPath = '/terraform/v1/openapi.json';
