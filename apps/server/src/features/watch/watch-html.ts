import { type ListedChannel, type Locale, product, type WatchedStream } from '@weir/contract';

/** Data for the script of a page. */
type PageData =
  | { readonly kind: 'stream'; readonly stream: WatchedStream }
  | { readonly kind: 'channel'; readonly channel: ListedChannel }
  | { readonly kind: 'unknown'; readonly site: WatchedStream['site'] };

interface Head {
  readonly title: string;
  readonly description: string;
  readonly isIndexed: boolean;
  /** Full URLs; empty where there is none. */
  readonly url: string;
  readonly image: string;
  readonly embed: string;
  readonly oEmbed: string;
  /** Address that the page loads before its script runs. */
  readonly poster: string;
  readonly site: string;
}

const htmlLanguage: Record<Locale, string> = { en: 'en', zh: 'zh-CN' };
const untitled: Record<Locale, string> = { en: 'Live stream', zh: '直播' };
const notFound: Record<Locale, string> = { en: 'Stream not found', zh: '未找到直播' };

/** Fills the built file of a page. Everything that an owner wrote is escaped. */
export function fillPage(template: string, data: PageData, head: Head, locale: Locale): string {
  return template
    .replace('<html lang="en">', () => `<html lang="${htmlLanguage[locale]}">`)
    .replace(/<meta name="robots"[^>]*>/, () => (head.isIndexed ? '' : '<meta name="robots" content="noindex" />'))
    .replace(/<title>[^<]*<\/title>/, () => headTags(head))
    .replace('<div id="root"', () => `${dataBlock(data)}\n    <div id="root"`);
}

/** Facts for search engines, chats and the browser tab. `origin` is empty when the visitor named no usable host. */
export function headOf(data: PageData, origin: string, locale: Locale, isPublic: boolean): Head {
  const none = { url: '', image: '', embed: '', oEmbed: '', poster: '', description: '', isIndexed: false };
  if (data.kind === 'unknown') return { ...none, title: notFound[locale], site: data.site.title || product.name };
  if (data.kind === 'channel') {
    const { title, description, site } = data.channel;
    const name = site.title || product.name;
    return {
      ...none,
      title: title || name,
      description,
      isIndexed: true,
      site: name,
      url: absolute(origin, '/watch/'),
    };
  }
  const { playback, page, pictures, site } = data.stream;
  const hasPicture = pictures.poster !== '' || (isPublic && data.stream.isLive);
  const url = absolute(origin, `/watch/${playback}`);
  return {
    title: page.title || site.title || untitled[locale],
    description: page.description,
    isIndexed: page.isIndexed && isPublic,
    site: site.title || product.name,
    url,
    image: hasPicture ? absolute(origin, `/watch/${playback}/picture.jpg`) : '',
    embed: absolute(origin, `/embed/${playback}`),
    oEmbed: page.allowsSharing && url !== '' ? `${origin}/watch/oembed?url=${encodeURIComponent(url)}` : '',
    poster: pictures.poster,
  };
}

function headTags({ title, description, url, image, embed, oEmbed, poster, site }: Head): string {
  const text = description.replace(/\s+/g, ' ').slice(0, 300);
  const meta = (name: string, content: string, kind = 'property') =>
    content === '' ? [] : [`<meta ${kind}="${name}" content="${escapeHtml(content)}" />`];
  const link = (rel: string, href: string, more = '') =>
    href === '' ? [] : [`<link rel="${rel}" href="${escapeHtml(href)}"${more} />`];
  return [
    `<title>${escapeHtml(title === site ? title : `${title} · ${site}`)}</title>`,
    ...meta('description', text, 'name'),
    ...link('canonical', url),
    ...meta('og:type', embed === '' ? 'website' : 'video.other'),
    ...meta('og:site_name', site),
    ...meta('og:title', title),
    ...meta('og:description', text),
    ...meta('og:url', url),
    ...meta('og:image', image),
    ...(embed === '' ? [] : [...meta('og:video:url', embed), ...meta('og:video:type', 'text/html')]),
    ...meta('twitter:card', image === '' ? 'summary' : 'summary_large_image', 'name'),
    ...meta('twitter:title', title, 'name'),
    ...meta('twitter:description', text, 'name'),
    ...meta('twitter:image', image, 'name'),
    ...link('alternate', oEmbed, ' type="application/json+oembed"'),
    ...link('preload', poster, ' as="image"'),
  ].join('\n    ');
}

/** Block of data, which is no script to browsers, so the content security policy allows it. Without `<` no text can end the block. */
function dataBlock(data: PageData): string {
  const text = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `<script type="application/json" id="page-data">${text}</script>`;
}

function absolute(origin: string, path: string): string {
  return origin === '' ? '' : origin + path;
}

export function escapeHtml(text: string): string {
  const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (sign) => signs[sign] ?? sign);
}
