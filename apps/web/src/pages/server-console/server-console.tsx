import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useCredentials } from '../../lib/credentials.ts';
import { switchLanguage } from '../../lib/i18n.ts';
import { PageFrame } from '../page-frame.tsx';
import { ClientsView } from './clients-view.tsx';
import { parseRoute, routeHash, views } from './console-route.ts';
import { SignedOut } from './signed-out.tsx';
import { StreamsView } from './streams-view.tsx';
import { SummariesView } from './summaries-view.tsx';
import { VhostsView } from './vhosts-view.tsx';

/** One page per language, because existing links name them. */
const pageOf = { en: '/console/en_index.html', zh: '/console/ng_index.html' } as const;

/** Live view of the media server's own API. */
export function ServerConsole({ page }: { page: URL }) {
  const { t } = useTranslation();
  const credentials = useCredentials();
  const route = parseRoute(useSyncExternalStore(onHashChange, () => window.location.hash));
  return (
    <PageFrame
      title={t('server-console.title')}
      layout="table"
      links={views.map((view) => ({
        href: routeHash(view, route.query),
        text: t(`server-console.view.${view}`),
        isCurrent: view === route.view,
      }))}
      onLanguage={(locale) => {
        window.history.replaceState(null, '', pageOf[locale] + window.location.hash);
        switchLanguage(locale);
      }}
    >
      {credentials === undefined ? (
        <SignedOut />
      ) : (
        {
          summaries: () => <SummariesView />,
          vhosts: () => <VhostsView />,
          streams: () => <StreamsView route={route} page={page} />,
          clients: () => <ClientsView route={route} />,
        }[route.view]()
      )}
    </PageFrame>
  );
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
