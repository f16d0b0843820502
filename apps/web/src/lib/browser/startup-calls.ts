interface OpenedPage {
  readonly pathname: string;
  readonly search: string;
  readonly language: string;
  readonly isSignedIn: boolean;
}

interface Call {
  readonly path: string;
  /** Calls without a body are GET requests. */
  readonly body?: object;
  /** Sent without credentials. */
  readonly isOpen?: true;
}

const api = '/terraform/v1/mgmt/';
const signedInRoutes = ['/routers-scenario', '/routers-settings'];

/**
 * Lists the calls that the console makes during startup. Paths are literals because importing the contract would load most of the console;
 * a test keeps both in sync.
 */
export function listStartupCalls({ pathname, search, language, isSignedIn }: OpenedPage): Call[] {
  const query = new URLSearchParams(search);
  const calls: Call[] = [
    { path: `${api}envs`, body: { locale: language }, isOpen: true },
    { path: `${api}check` },
    { path: `${api}init` },
  ];
  const isDesk = isSignedIn && signedInRoutes.some((route) => pathname.endsWith(route));
  if (!isDesk || query.get('popout') === '1') return calls;
  const isOverview = openedPart(pathname, query) === 'overview';
  const isLive = pathname.endsWith('/routers-scenario') && query.get('tab') === 'live';
  // Browsers send six requests at a time: the slowest one goes first.
  return [
    ...(isOverview ? [{ path: `${api}streams/overview`, body: {} }] : []),
    ...(isLive ? [{ path: '/terraform/v1/hooks/srs/secret/query', body: {} }] : []),
    { path: `${api}status`, body: {} },
    { path: `${api}streams/query`, body: {} },
    ...calls,
    { path: `${api}server/now`, body: {} },
  ];
}

/** Part of the console whose files the first script fetches for this address, as the build names it. */
export function openedPart(pathname: string, query: URLSearchParams): 'overview' | 'stream' | undefined {
  const tab = pathname.endsWith('/routers-scenario') ? query.get('tab') : null;
  if (tab === 'overview') return 'overview';
  return tab === 'live' && query.has('stream') ? 'stream' : undefined;
}
