// The page loads this script on its own as well; importing it here is the fallback.
import '../lib/browser/prefetch.ts';
import { dropPrefetched } from '../lib/browser/prefetched-calls.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { prefetchPage } from './prefetch-page.ts';

/** URL prefix of the console. */
export const base = '/mgmt';

export const queries = createQueryClient();

const { pathname, search } = window.location;
prefetchPage(queries, { pathname: pathname.slice(base.length), search });
dropPrefetched();
