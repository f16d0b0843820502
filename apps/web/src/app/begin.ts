// By itself in the page, or here at the latest.
import './first/first.ts';
import { forgetAnswers } from '../lib/browser/asked-ahead.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { startAhead } from './start-ahead.ts';

/** The prefix the server answers this page under. */
export const base = '/mgmt';

export const queries = createQueryClient();

const { pathname, search } = window.location;
startAhead(queries, { pathname: pathname.slice(base.length), search });
forgetAnswers();
