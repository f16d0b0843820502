import { ChannelPage } from './channel-page.tsx';
import { startViewer } from './start-viewer.tsx';
import { UnknownPage } from './unknown-page.tsx';

startViewer((data) => (data.kind === 'channel' ? <ChannelPage initial={data.channel} /> : <UnknownPage data={data} />));
