import { startViewer } from './start-viewer.tsx';
import { UnknownPage } from './unknown-page.tsx';
import { WatchPage } from './watch-page.tsx';

startViewer((data, address) =>
  data.kind === 'stream' ? (
    <WatchPage initial={data.stream} isPreview={address.searchParams.has('preview')} />
  ) : (
    <UnknownPage data={data} />
  ),
);
