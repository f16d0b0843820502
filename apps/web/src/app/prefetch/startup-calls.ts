interface OpenedPage {
  readonly pathname: string;
  readonly search: string;
  readonly language: string;
  readonly isSignedIn: boolean;
}

interface Call {
  readonly path: string;
  /** Without one it is a GET. */
  readonly body?: object;
  /** Whether it goes without the credential. */
  readonly isOpen?: true;
}

const api = '/terraform/v1/mgmt/';
const signedInRoutes = ['/routers-scenario', '/routers-settings'];

/**
 * What a page of the console asks the server for as soon as it runs. It stands here in plain words, since the contract is a part of the
 * console and comes with it; a test holds both to the same.
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
  // A browser asks a server six things at a time: what a page waits for longest goes first.
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
