import { noAuthFlag } from '@weir/contract';
import { useSearchParams } from 'react-router';
import { NoAuthPanel } from './no-auth-panel.tsx';
import { PublishSecretPanel } from './publish-secret-panel.tsx';
import { StreamKeysPanel } from './stream-keys-panel.tsx';

export function PublishAuthPanels() {
  const [query] = useSearchParams();
  return (
    <>
      <PublishSecretPanel />
      <StreamKeysPanel />
      {query.get(noAuthFlag) === 'true' && <NoAuthPanel />}
    </>
  );
}
