import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { down, type HeaderList } from '../../http/failures.ts';

const texts = {
  en: {
    title: 'The server is starting',
    text: 'This page opens automatically in a moment. Live streams continue.',
  },
  zh: {
    title: '服务器正在启动',
    text: '请稍候，本页会自动打开。正在进行的直播不受影响。',
  },
} as const;

/** Only the system's own fonts and colours: whatever else a page needs comes from the plane that is away. */
const style =
  ':root{color-scheme:light dark}body{display:grid;min-height:90vh;margin:0;place-items:center;font:16px/1.5 system-ui,sans-serif}' +
  'main{max-width:32rem;padding:1.5rem;text-align:center}h1{font-size:1.25rem}';

/** Asks for the same address, query included, until somebody answers. A page that reloads itself would be read out each time. */
const script =
  'const ask=()=>fetch(location.href,{method:"HEAD",redirect:"manual",cache:"no-store"})' +
  '.then(({status})=>status===503?again():location.reload(),again);const again=()=>setTimeout(ask,1000);again()';
const scriptHash = createHash('sha256').update(script).digest('base64');

/** Page shown while the control plane is down; it reloads automatically. */
interface StartingPage {
  readonly headers: HeaderList;
  readonly body: Buffer;
}

/** Undefined for everybody but a browser that opens a page: programs are told by the same answer as ever. */
export function startingPageFor({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): StartingPage | undefined {
  const isPage = (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html');
  if (!isPage) return undefined;
  return /^\s*zh\b/i.test(headers['accept-language'] ?? '') ? pages.zh : pages.en;
}

const policy =
  `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'unsafe-inline'; ` +
  "connect-src 'self'; frame-ancestors 'none'";

function pageIn(language: keyof typeof texts): StartingPage {
  const { title, text } = texts[language];
  const body = Buffer.from(
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
      '<meta name="viewport" content="width=device-width, initial-scale=1">' +
      '<noscript><meta http-equiv="refresh" content="2"></noscript>' +
      `<title>${title}</title><style>${style}</style></head>` +
      `<body><main><h1>${title}</h1><p>${text}</p></main><script>${script}</script></body></html>`,
  );
  return {
    body,
    headers: [
      'Content-Type',
      'text/html; charset=utf-8',
      'Content-Length',
      String(body.length),
      'Content-Security-Policy',
      policy,
      'X-Content-Type-Options',
      'nosniff',
      'Cache-Control',
      'no-store',
      ...(down.headers ?? []),
    ],
  };
}

const pages = { en: pageIn('en'), zh: pageIn('zh') } as const;
