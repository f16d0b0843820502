import type { WatchedStream } from '@weir/contract';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmbedMessages, type EmbedState } from './embed-messages.ts';
import { readPageData, takeToken } from './page-data.ts';
import type { PlayerHandle } from './stage/watch-player.tsx';
import { WatchStage } from './stage/watch-stage.tsx';
import { startViewer } from './start-viewer.tsx';
import { UnknownPage } from './unknown-page.tsx';
import { useWatched } from './use-watched.ts';
import frame from './viewer-frame.module.css';
import { accentStyle } from './viewer-frame.tsx';

interface EmbedPageProps {
  initial: WatchedStream;
  address: URL;
  messages: EmbedMessages;
}

/** The video alone, in a frame of another site. */
function EmbedPage({ initial, address, messages }: EmbedPageProps) {
  const { t } = useTranslation();
  const [initialToken] = useState(() => takeToken(initial.playback));
  const [kind, setKind] = useState<string>();
  const [handle, setHandle] = useState<PlayerHandle>();
  const { watched, stage, token, setToken, look } = useWatched({ initial, initialToken, kind, isPreview: false });
  const title = watched.page.title || watched.site.title || t('watch.channel.untitled');
  const onLook = useCallback(() => void look(), [look]);
  const isPlaying = stage === 'play';
  useEffect(() => {
    messages.handle = isPlaying ? handle : undefined;
    messages.tell(stateOf(isPlaying ? handle : undefined, watched.isLive));
  }, [messages, handle, isPlaying, watched.isLive]);
  const flag = (name: string) => readFlag(address.searchParams.get(name));
  return (
    <main className={frame.fill} style={accentStyle(watched.page.accent)}>
      <h1 className={frame.hidden}>{title}</h1>
      <WatchStage
        watched={watched}
        stage={stage}
        token={token}
        title={title}
        onToken={setToken}
        look={onLook}
        onKind={setKind}
        onHandle={setHandle}
        autoStart={flag('autoplay') ?? true}
        startsMuted={flag('muted')}
        hasControls={flag('controls') ?? true}
      />
    </main>
  );
}

function readFlag(text: string | null): boolean | undefined {
  if (text === null) return undefined;
  return !['0', 'false', 'no'].includes(text);
}

function stateOf(handle: PlayerHandle | undefined, isLive: boolean): EmbedState {
  if (!handle) return { state: 'off', live: isLive, muted: true, volume: 1 };
  const { state, video } = handle;
  return { state: state.phase, live: isLive, muted: state.isMuted, volume: video.volume };
}

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
