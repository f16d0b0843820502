import { noAuthFlag } from '@weir/contract';
import { useSearchParams } from 'react-router';
import { NoAuthPanel } from './no-auth-panel.tsx';
import { PublishSecretPanel } from './publish-secret-panel.tsx';

export function PublishAuthPanels() {
  const [query] = useSearchParams();
  return (
    <>
      <PublishSecretPanel />
      {query.get(noAuthFlag) === 'true' && <NoAuthPanel />}
    </>
  );
}
