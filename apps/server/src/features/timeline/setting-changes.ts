import {
  aiApi,
  authApi,
  bucketApi,
  cameraApi,
  certsApi,
  cloudApi,
  componentsApi,
  type Endpoint,
  edgesApi,
  forwardApi,
  hlsApi,
  hooksApi,
  limitsApi,
  llmApi,
  ocrApi,
  platformApi,
  publishAuthApi,
  recordApi,
  roomsApi,
  type SettingArea,
  transcodeApi,
  transcriptApi,
  vliveApi,
} from '@weir/contract';

/** Calls that change how streams are treated, by what they change. What people look at only is none of them. */
const calls: Readonly<Record<SettingArea, readonly Endpoint[]>> = {
  forward: [forwardApi.secret],
  vlive: [vliveApi.secret, vliveApi.source],
  camera: [cameraApi.secret, cameraApi.source],
  transcode: [transcodeApi.apply],
  record: [recordApi.apply, recordApi.globs, recordApi.postProcessing, recordApi.subtitles, recordApi.storage],
  bucket: [bucketApi.apply],
  cloud: [cloudApi.secret, cloudApi.dvrApply, cloudApi.vodApply],
  transcript: [transcriptApi.apply, transcriptApi.streams, transcriptApi.captions],
  ocr: [ocrApi.apply],
  ai: [llmApi.update, aiApi.updateModels, aiApi.updateLimits],
  rooms: [roomsApi.create, roomsApi.update, roomsApi.remove],
  callbacks: [hooksApi.apply, hooksApi.rotate],
  'publish-auth': [publishAuthApi.update, publishAuthApi.disable],
  hls: [hlsApi.updateDelivery, hlsApi.updateLatency],
  limits: [limitsApi.update],
  certificates: [certsApi.upload, certsApi.order, certsApi.selfSigned],
  platform: [platformApi.updateWindow, platformApi.updateLimit, platformApi.updateBackends, platformApi.removeBackends],
  edges: [edgesApi.update, edgesApi.renewToken],
  password: [authApi.changePassword, authApi.rotateApiSecret],
  components: [componentsApi.restart],
};
const areas = new Map(
  Object.entries(calls).flatMap(([area, endpoints]) => endpoints.map(({ path }) => [path, area as SettingArea])),
);
/** One path reads and writes: without an action nothing changes. */
const readsToo = new Set<string>([forwardApi.secret.path, vliveApi.secret.path, cameraApi.secret.path]);

/** Which settings a call changed that succeeded; undefined: none that matter to a broadcast. */
export function changedSetting({ path }: Endpoint, body: unknown): SettingArea | undefined {
  const { action } = body as { readonly action?: unknown };
  return readsToo.has(path) && (action === undefined || action === '') ? undefined : areas.get(path);
}
