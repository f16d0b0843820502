import { startPage } from '../start-page.tsx';
import { CinemaPage } from './cinema-page.tsx';
import { PlayerPage } from './player-page.tsx';

await startPage(({ name, address }) =>
  name === 'xgplayer' ? <CinemaPage address={address} /> : <PlayerPage name={name} address={address} />,
);
