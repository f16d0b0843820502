import type { WatchedStream } from '@weir/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmbedMessages, type EmbedState } from './embed-messages.ts';
import { takeToken } from './page-data.ts';
import type { PlayerHandle } from './stage/watch-player.tsx';
import { WatchStage } from './stage/watch-stage.tsx';
import { useWatched } from './use-watched.ts';
import frame from './viewer-frame.module.css';
import { accentStyle } from './viewer-frame.tsx';

/** The video alone, in a frame of another site. */
export function EmbedPage({ initial, address }: { initial: WatchedStream; address: URL }) {
  const { t } = useTranslation();
  const [initialToken] = useState(() => takeToken(initial.playback));
  const [kind, setKind] = useState<string>();
  const [handle, setHandle] = useState<PlayerHandle>();
  const { watched, stage, token, setToken, look } = useWatched({ initial, initialToken, kind, isPreview: false });
  const title = watched.page.title || watched.site.title || t('watch.channel.untitled');
  const onLook = useCallback(() => void look(), [look]);
  const messages = useRef<EmbedMessages>(undefined);
  const { sites } = initial;
  useEffect(() => {
    const current = new EmbedMessages(sites);
    messages.current = current;
    return () => current.close();
  }, [sites]);
  const isPlaying = stage === 'play';
  useEffect(() => {
    if (!messages.current) return;
    messages.current.handle = isPlaying ? handle : undefined;
    messages.current.tell(stateOf(isPlaying ? handle : undefined, watched.isLive));
  }, [handle, isPlaying, watched.isLive]);
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
