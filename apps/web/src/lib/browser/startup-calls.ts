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
  // Browsers send six requests at a time: the slowest one goes first.
  return [
    ...(isOverview(pathname, query) ? [{ path: `${api}streams/overview`, body: {} }] : []),
    { path: `${api}status`, body: {} },
    { path: `${api}streams/query`, body: {} },
    ...calls,
    { path: `${api}server/now`, body: {} },
  ];
}

export function isOverview(pathname: string, query: URLSearchParams): boolean {
  return pathname.endsWith('/routers-scenario') && query.get('tab') === 'overview';
}
