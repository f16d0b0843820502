import { startPage } from '../start-page.tsx';
import { WhipPage } from './whip-page.tsx';

await startPage(({ name, address }) => <WhipPage name={name} address={address} />);
