import { readSource } from '../../components/player/session/player-source.ts';
import { startPage } from '../start-page.tsx';
import { CinemaPage } from './cinema-page.tsx';
import { requestOfUrl } from './player-address.ts';
import { PlayerPage } from './player-page.tsx';
import { recordedSource } from './recorded-source.ts';
import { WatchPage } from './watch-page.tsx';

await startPage(({ name, address }) => {
  if (name === 'xgplayer') return <CinemaPage address={address} />;
  const read = name === 'player' ? readSource(requestOfUrl(address).address, address) : undefined;
  const recorded = read && 'source' in read ? recordedSource(read.source) : undefined;
  return recorded ? <WatchPage source={recorded} address={address} /> : <PlayerPage name={name} address={address} />;
});
