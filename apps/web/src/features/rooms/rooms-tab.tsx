import { useNavigate, useSearchParams } from 'react-router';
import { RoomPage } from './room-page.tsx';
import { RoomsPage } from './rooms-page.tsx';

export function RoomsTab() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const addressOf = (uuid: string | undefined) => {
    const next = new URLSearchParams(query);
    next.delete('roomid');
    if (uuid !== undefined) next.set('roomid', uuid);
    return `?${next}`;
  };
  const uuid = query.get('roomid');
  if (uuid) return <RoomPage key={uuid} uuid={uuid} listAddress={addressOf(undefined)} />;
  return <RoomsPage addressOf={addressOf} onOpen={(next) => void navigate(addressOf(next))} />;
}
