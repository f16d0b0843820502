import { EmbedMessages } from './embed-messages.ts';
import { EmbedPage } from './embed-page.tsx';
import { readPageData } from './page-data.ts';
import { startViewer } from './start-viewer.tsx';
import { UnknownPage } from './unknown-page.tsx';

const data = readPageData();
// Before the page counts as loaded, which is when the page around it sends its first message.
const messages = new EmbedMessages(data.kind === 'stream' ? data.stream.sites : []);

startViewer((_data, address) =>
  data.kind === 'stream' ? (
    <EmbedPage initial={data.stream} address={address} messages={messages} />
  ) : (
    <UnknownPage data={data} isEmbed />
  ),
);
