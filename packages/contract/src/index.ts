import { aiApi } from './ai/ai-api.ts';
import { dubbingApi } from './ai/dubbing-api.ts';
import { ocrApi } from './ai/ocr.ts';
import { roomsApi } from './ai/rooms.ts';
import { talkApi } from './ai/talk.ts';
import { transcriptApi } from './ai/transcript.ts';
import { transcriptSearchApi } from './ai/transcript-search.ts';
import type { Endpoint } from './endpoint.ts';
import { bucketApi } from './media/bucket.ts';
import { cameraApi } from './media/camera.ts';
import { cloudApi } from './media/cloud.ts';

import { forwardApi } from './media/forward.ts';
import { ladderApi } from './media/ladder.ts';
import { limitsApi } from './media/limits.ts';
import { processApi } from './media/process.ts';
import { programApi } from './media/program.ts';
import { recordApi } from './media/record.ts';
import { rewindApi } from './media/rewind.ts';
import { sourceApi } from './media/source.ts';
import { transcodeApi } from './media/transcode.ts';
import { vliveApi } from './media/vlive.ts';
import { accessApi } from './server/access.ts';
import { authApi } from './server/auth.ts';
import { backupApi } from './server/backup.ts';
import { brandingApi } from './server/branding.ts';
import { certsApi } from './server/certs.ts';
import { componentsApi } from './server/components.ts';
import { contactApi } from './server/contact.ts';
import { doctorApi } from './server/doctor.ts';
import { edgesApi } from './server/edges.ts';
import { eventsApi } from './server/events.ts';
import { hlsApi } from './server/hls.ts';
import { hooksApi } from './server/hooks.ts';
import { importsApi } from './server/imports.ts';
import { llmApi } from './server/llm.ts';
import { measurementsApi } from './server/measurements.ts';
import { notificationsApi } from './server/notifications.ts';
import { overviewApi } from './server/overview.ts';
import { platformApi } from './server/platform.ts';
import { publishAuthApi } from './server/publish-auth.ts';
import { streamKeysApi } from './server/stream-keys.ts';
import { streamsApi } from './server/streams.ts';
import { systemApi } from './server/system.ts';
import { timelineApi } from './server/timeline.ts';
import { tutorialsApi } from './server/tutorials.ts';
import { updatesApi } from './server/updates.ts';
import { watchApi, watchPageApi } from './server/watch.ts';

export { Glob, type GlobProblem, globCharacters, globPath, matchingGlob } from '@weir/streams';
export * from './ai/ai.ts';
export * from './ai/ai-api.ts';
export { aiTaskLimits, aiTaskPollMs } from './ai/ai-task.ts';
export * from './ai/dubbing.ts';
export * from './ai/dubbing-api.ts';
export * from './ai/local-ai.ts';
export * from './ai/ocr.ts';
export * from './ai/rooms.ts';
export * from './ai/talk.ts';
export * from './ai/transcript.ts';
export * from './ai/transcript-search.ts';
export * from './constants.ts';
export * from './demo.ts';
export type { BodyOf, DataOf, Endpoint } from './endpoint.ts';
export * from './errors.ts';
export * from './mask-key.ts';
export * from './media/bucket.ts';
export * from './media/camera.ts';
export * from './media/cloud.ts';
export * from './media/forward.ts';
export * from './media/ladder.ts';
export * from './media/limits.ts';
export * from './media/outlet.ts';
export * from './media/process.ts';
export * from './media/program.ts';
export * from './media/record.ts';
export * from './media/record-rule.ts';
export * from './media/rewind.ts';
export * from './media/source.ts';
export * from './media/transcode.ts';
export * from './media/uploads.ts';
export * from './media/vlive.ts';
export * from './server/access.ts';
export * from './server/alerts.ts';
export * from './server/auth.ts';
export * from './server/backup.ts';
export * from './server/branding.ts';
export * from './server/certs.ts';
export * from './server/components.ts';
export * from './server/contact.ts';
export * from './server/diagnosis.ts';
export * from './server/doctor.ts';
export * from './server/edges.ts';
export * from './server/events.ts';
export * from './server/hls.ts';
export * from './server/hooks.ts';
export * from './server/imports.ts';
export * from './server/llm.ts';
export * from './server/measurements.ts';
export * from './server/notifications.ts';
export * from './server/overview.ts';
export * from './server/platform.ts';
export * from './server/publish-auth.ts';
export * from './server/stream-keys.ts';
export * from './server/streams.ts';
export * from './server/system.ts';
export * from './server/timeline.ts';
export * from './server/tutorials.ts';
export * from './server/updates.ts';
export * from './server/watch.ts';

/** All endpoints: the convention tests, the attack tests and the API reference iterate over them. */
export const endpoints: readonly Endpoint[] = [
  authApi,
  systemApi,
  componentsApi,
  doctorApi,
  contactApi,
  brandingApi,
  publishAuthApi,
  streamKeysApi,
  accessApi,
  watchPageApi,
  watchApi,
  streamsApi,
  measurementsApi,
  timelineApi,
  eventsApi,
  overviewApi,
  edgesApi,
  hlsApi,
  hooksApi,
  notificationsApi,
  backupApi,
  importsApi,
  certsApi,
  bucketApi,
  cloudApi,
  rewindApi,
  ladderApi,
  limitsApi,
  llmApi,
  aiApi,
  platformApi,
  processApi,
  transcodeApi,
  forwardApi,
  cameraApi,
  sourceApi,
  vliveApi,
  programApi,
  recordApi,
  transcriptApi,
  ocrApi,
  transcriptSearchApi,
  roomsApi,
  talkApi,
  dubbingApi,
  tutorialsApi,
  updatesApi,
].flatMap((api) => Object.values(api));

/** Path of the generated API reference. */
export const openApiPath = '/terraform/v1/openapi.json';
