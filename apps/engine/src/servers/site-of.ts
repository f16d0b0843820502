import type { Exchange } from '../http/exchange.ts';

/**
 * Host of the page that a request comes from: `same` for a page of this server, empty when the request does not say. Browsers set these
 * headers; other programs may write into them what they like.
 */
export function siteOf(exchange: Headers): string {
  const header = (name: string) => exchange.header(name);
  if (header('sec-fetch-site') === 'same-origin') return 'same';
  const page = header('origin') ?? header('referer');
  const host = page !== undefined && URL.canParse(page) ? new URL(page).host : '';
  return host !== '' && host === header('host') ? 'same' : host.replace(/:\d+$/, '');
}

interface Headers {
  readonly header: Exchange['header'];
}
