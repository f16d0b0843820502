import { accessFeature } from '../features/access/access-feature.ts';
import { authFeature } from '../features/auth/auth-feature.ts';
import { backupFeature } from '../features/backup/backup-feature.ts';
import { brandingFeature } from '../features/branding/branding-feature.ts';
import { cameraFeature } from '../features/camera/camera-feature.ts';
import { certsFeature } from '../features/certs/certs-feature.ts';
import { cloudFeature } from '../features/cloud/cloud-feature.ts';
import { contactFeature } from '../features/contact/contact-feature.ts';
import { doctorFeature } from '../features/doctor/doctor-feature.ts';
import { dubbingFeature } from '../features/dubbing/dubbing-feature.ts';
import { forwardFeature } from '../features/forward/forward-feature.ts';
import { hlsFeature } from '../features/hls/hls-feature.ts';
import { hooksFeature } from '../features/hooks/hooks-feature.ts';
import { limitsFeature } from '../features/limits/limits-feature.ts';
import { liveFeature } from '../features/live/live-feature.ts';
import { llmFeature } from '../features/llm/llm-feature.ts';
import { notificationsFeature } from '../features/notifications/notifications-feature.ts';
import { ocrFeature } from '../features/ocr/ocr-feature.ts';
import { openapiFeature } from '../features/openapi/openapi-feature.ts';
import { othersFeature } from '../features/others/others-feature.ts';
import { platformFeature } from '../features/platform/platform-feature.ts';
import { programFeature } from '../features/program/program-feature.ts';
import { publishAuthFeature } from '../features/publish-auth/publish-auth-feature.ts';
import { recordFeature } from '../features/record/record-feature.ts';
import { roomsFeature } from '../features/rooms/rooms-feature.ts';
import { srtTutorialFeature } from '../features/srt-tutorial/srt-tutorial-feature.ts';
import { startFeature } from '../features/start/start-feature.ts';
import { streamsFeature } from '../features/streams/streams-feature.ts';
import { systemFeature } from '../features/system/system-feature.ts';
import { talkFeature } from '../features/talk/talk-feature.ts';
import { transcodeFeature } from '../features/transcode/transcode-feature.ts';
import { transcriptFeature } from '../features/transcript/transcript-feature.ts';
import { tutorialsFeature } from '../features/tutorials/tutorials-feature.ts';
import { updatesFeature } from '../features/updates/updates-feature.ts';
import { vliveFeature } from '../features/vlive/vlive-feature.ts';
import { watchFeature } from '../features/watch/watch-feature.ts';
import type { Feature } from '../lib/feature.ts';

/** All features, in the order of their tabs, links and parts. */
export const features: readonly Feature[] = [
  systemFeature,
  doctorFeature,
  startFeature,
  liveFeature,
  programFeature,
  roomsFeature,
  forwardFeature,
  recordFeature,
  vliveFeature,
  cameraFeature,
  transcodeFeature,
  transcriptFeature,
  dubbingFeature,
  ocrFeature,
  tutorialsFeature,
  othersFeature,
  srtTutorialFeature,
  cloudFeature,
  contactFeature,
  authFeature,
  publishAuthFeature,
  accessFeature,
  certsFeature,
  openapiFeature,
  streamsFeature,
  hlsFeature,
  hooksFeature,
  limitsFeature,
  notificationsFeature,
  backupFeature,
  llmFeature,
  brandingFeature,
  platformFeature,
  updatesFeature,
  talkFeature,
  watchFeature,
];
