import type { Locale } from '@weir/contract';

/** Pages of the documentation that exist in Chinese too. The others are shown in English. */
const translated = [
  'start',
  'installation',
  'configuration',
  'publishing',
  'playing',
  'recording',
  'ai',
  'troubleshooting',
] as const;
type OwnerPage = (typeof translated)[number];

/** Page of the documentation that this server serves. Feature pages are named `features-` and the name of the feature. */
export function docsAddress(page: OwnerPage | `features-${string}`, locale: Locale): string {
  const isTranslated = (translated as readonly string[]).includes(page);
  return `/docs/${isTranslated ? locale : 'en'}/${page}.html`;
}

/** Page about a tab of the console, by the tab's id. */
const byTab: Readonly<Record<string, OwnerPage | `features-${string}`>> = {
  start: 'start',
  overview: 'features-overview',
  live: 'publishing',
  program: 'features-program',
  stream: 'features-rooms',
  forward: 'features-forward',
  record: 'recording',
  vlive: 'features-vlive',
  camera: 'features-camera',
  transcode: 'features-transcode',
  transcript: 'features-transcript',
  dubbing: 'features-dubbing',
  ocr: 'features-ocr',
  auth: 'features-auth',
  access: 'features-access',
  https: 'features-certs',
  api: 'features-openapi',
  streams: 'features-streams',
  hls: 'features-hls',
  callback: 'features-hooks',
  notifications: 'features-notifications',
  limits: 'features-limits',
  llm: 'ai',
  beian: 'features-branding',
  platform: 'features-platform',
};

/** The page that helps with an address of the console. */
export function docsAddressOf({ pathname, search }: { pathname: string; search: string }, locale: Locale): string {
  if (pathname.endsWith('/routers-components')) return docsAddress('features-doctor', locale);
  return docsAddress(byTab[new URLSearchParams(search).get('tab') ?? ''] ?? 'start', locale);
}
