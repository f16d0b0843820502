import { playbackIdPattern } from '@weir/streams';
import { escapeHtml } from './watch-html.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

const usual: Size = { width: 960, height: 540 };
const leastWidth = 160;

/** The playback id in the URL of a watch or embed page of this server; undefined for any other URL. */
export function playbackInUrl(text: string, origin: string): string | undefined {
  if (text.length > 2048 || origin === '' || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.origin !== origin || url.username !== '' || url.password !== '') return undefined;
  const [, playback = ''] = /^\/(?:watch|embed)\/([^/]+)$/.exec(url.pathname) ?? [];
  return playbackIdPattern.test(playback) ? playback : undefined;
}

/** Size of a 16:9 frame within what the site has room for. */
export function frameSize(maxWidth: string | undefined, maxHeight: string | undefined): Size {
  const most = (text: string | undefined) => (/^\d{1,5}$/.test(text ?? '') ? Number(text) : Number.POSITIVE_INFINITY);
  const width = Math.max(leastWidth, Math.min(usual.width, most(maxWidth), Math.floor((most(maxHeight) * 16) / 9)));
  return { width, height: Math.round((width * 9) / 16) };
}

interface Embedded extends Size {
  readonly origin: string;
  readonly playback: string;
  readonly title: string;
  readonly site: string;
  /** Has a picture that strangers may see. */
  readonly hasPicture: boolean;
}

/** Answer of type `video` (oEmbed 1.0). */
export function oEmbedAnswer({ origin, playback, title, site, hasPicture, width, height }: Embedded): object {
  const src = `${origin}/embed/${playback}`;
  const html =
    `<iframe src="${escapeHtml(src)}" title="${escapeHtml(title)}" width="${width}" height="${height}" style="border:0" ` +
    'sandbox="allow-scripts allow-same-origin" allow="autoplay; fullscreen; picture-in-picture" loading="lazy"></iframe>';
  const picture = `${origin}/watch/${playback}/picture.jpg`;
  return {
    version: '1.0',
    type: 'video',
    title,
    provider_name: site,
    provider_url: origin,
    width,
    height,
    html,
    cache_age: 300,
    ...(hasPicture && { thumbnail_url: picture, thumbnail_width: 480, thumbnail_height: 270 }),
  };
}
