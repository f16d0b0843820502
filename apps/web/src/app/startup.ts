// By itself in the page, or here at the latest.
import './prefetch/prefetch.ts';
import { dropPrefetched } from '../lib/browser/prefetched-calls.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { prefetchPage } from './prefetch-page.ts';

/** The prefix the server answers this page under. */
export const base = '/mgmt';

export const queries = createQueryClient();

const { pathname, search } = window.location;
prefetchPage(queries, { pathname: pathname.slice(base.length), search });
dropPrefetched();
