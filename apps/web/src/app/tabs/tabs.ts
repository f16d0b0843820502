import type { TabDefinition } from '../../components/ui/layout/tabbed-page.tsx';
import { overviewQuery } from '../../features/system/overview/overview-query.ts';
import { lazyScreen } from '../../lib/lazy.ts';

type Tabs = readonly [TabDefinition, ...TabDefinition[]];

export const scenarioTabs: Tabs = [
  {
    id: 'overview',
    title: 'overview.title',
    group: 'nav.scenario',
    panel: lazyScreen(async () => (await import('../../features/system/overview/overview-tab.tsx')).OverviewTab),
    prefetch: (queries) => void queries.prefetchQuery(overviewQuery),
  },
  {
    id: 'tutorials',
    title: 'tutorials.tab',
    group: 'live.group',
    panel: lazyScreen(async () => (await import('../../features/tutorials/tutorials-tab.tsx')).TutorialsTab),
  },
  {
    id: 'live',
    title: 'live.tab',
    group: 'live.group',
    panel: lazyScreen(async () => (await import('./live-route.tsx')).LiveRoute),
  },
  {
    id: 'stream',
    title: 'rooms.tab',
    group: 'live.group',
    panel: lazyScreen(async () => (await import('../../features/rooms/rooms-tab.tsx')).RoomsTab),
  },
  {
    id: 'forward',
    title: 'forward.tab',
    group: 'plat.groupDestinations',
    panel: lazyScreen(async () => (await import('../../features/forward/forward-tab.tsx')).ForwardTab),
  },
  {
    id: 'record',
    title: 'record.tab',
    group: 'record.group',
    panel: lazyScreen(async () => (await import('../../features/record/record-tab.tsx')).RecordTab),
  },
  {
    id: 'vlive',
    title: 'vlive.tab',
    group: 'plat.groupSources',
    panel: lazyScreen(async () => (await import('../../features/vlive/vlive-tab.tsx')).VliveTab),
  },
  {
    id: 'camera',
    title: 'camera.tab',
    group: 'plat.groupSources',
    panel: lazyScreen(async () => (await import('../../features/camera/camera-tab.tsx')).CameraTab),
  },
  {
    id: 'transcode',
    title: 'transcode.tab',
    group: 'transcode.group',
    panel: lazyScreen(async () => (await import('../../features/transcode/transcode-tab.tsx')).TranscodeTab),
  },
  {
    id: 'transcript',
    title: 'transcript.title',
    group: 'transcode.group',
    panel: lazyScreen(async () => (await import('../../features/transcript/transcript-tab.tsx')).TranscriptTab),
  },
  {
    id: 'dubbing',
    title: 'dubbing.title',
    group: 'transcode.group',
    panel: lazyScreen(async () => (await import('../../features/dubbing/dubbing-tab.tsx')).DubbingTab),
  },
  {
    id: 'ocr',
    title: 'ocr.title',
    group: 'transcode.group',
    panel: lazyScreen(async () => (await import('../../features/ocr/ocr-tab.tsx')).OcrTab),
  },
  {
    id: 'others',
    title: 'others.tab',
    group: 'others.group',
    panel: lazyScreen(async () => (await import('./others/others-tab.tsx')).OthersTab),
  },
];

export const settingsTabs: Tabs = [
  {
    id: 'auth',
    title: 'settings.tabAuth',
    group: 'settings.groupAccess',
    panel: lazyScreen(async () => (await import('./auth-tab.tsx')).AuthTab),
  },
  {
    id: 'https',
    title: 'settings.tabHttps',
    group: 'settings.groupAccess',
    panel: lazyScreen(async () => (await import('../../features/certs/certs-tab.tsx')).CertsTab),
  },
  {
    id: 'hls',
    title: 'settings.tabHls',
    group: 'settings.groupMedia',
    panel: lazyScreen(async () => (await import('../../features/hls/hls-tab.tsx')).HlsTab),
  },
  {
    id: 'beian',
    title: 'settings.tabFooter',
    group: 'settings.groupSite',
    panel: lazyScreen(async () => (await import('../../features/branding/branding-tab.tsx')).BrandingTab),
  },
  {
    id: 'limits',
    title: 'settings.tabLimits',
    group: 'settings.groupSources',
    panel: lazyScreen(async () => (await import('../../features/limits/limits-tab.tsx')).LimitsTab),
  },
  {
    id: 'llm',
    title: 'settings.tabLLM',
    group: 'settings.groupSources',
    panel: lazyScreen(async () => (await import('../../features/llm/llm-tab.tsx')).LlmTab),
  },
  {
    id: 'streams',
    title: 'settings.tabStreams',
    group: 'settings.groupLive',
    panel: lazyScreen(async () => (await import('../../features/streams/streams-tab.tsx')).StreamsTab),
  },
  {
    id: 'callback',
    title: 'hooks.tab',
    group: 'settings.groupLive',
    panel: lazyScreen(async () => (await import('../../features/hooks/hooks-tab.tsx')).HooksTab),
  },
  {
    id: 'api',
    title: 'openapi.tab',
    group: 'openapi.group',
    panel: lazyScreen(async () => (await import('../../features/openapi/openapi-tab.tsx')).OpenapiTab),
  },
  {
    id: 'platform',
    title: 'platform.tab',
    group: 'platform.group',
    panel: lazyScreen(async () => (await import('../../features/platform/platform-tab.tsx')).PlatformTab),
  },
];
