import { EmbedPage } from './embed-page.tsx';
import { startViewer } from './start-viewer.tsx';
import { UnknownPage } from './unknown-page.tsx';

startViewer((data, address) =>
  data.kind === 'stream' ? <EmbedPage initial={data.stream} address={address} /> : <UnknownPage data={data} isEmbed />,
);
