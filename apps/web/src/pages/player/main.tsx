import { parseSource } from '../../components/player/session/player-source.ts';
import { startPage } from '../start-page.tsx';
import { CinemaPage } from './cinema-page.tsx';
import { parseUrlRequest, toRecordedSource } from './player-address.ts';
import { PlayerPage } from './player-page.tsx';
import { WatchPage } from './watch-page.tsx';

await startPage(({ name, address }) => {
  if (name === 'xgplayer') return <CinemaPage address={address} />;
  const read = name === 'player' ? parseSource(parseUrlRequest(address).address, address) : undefined;
  const recorded = read && 'source' in read ? toRecordedSource(read.source) : undefined;
  return recorded ? <WatchPage source={recorded} address={address} /> : <PlayerPage name={name} address={address} />;
});
