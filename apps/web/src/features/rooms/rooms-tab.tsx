import { useSearchParams } from 'react-router';
import { RoomPage } from './room-page.tsx';
import { RoomsPage } from './rooms-page.tsx';

export function RoomsTab() {
  const [query, setQuery] = useSearchParams();
  const uuid = query.get('roomid');
  const open = (next: string | undefined) =>
    setQuery((before) => {
      const after = new URLSearchParams(before);
      if (next === undefined) after.delete('roomid');
      else after.set('roomid', next);
      return after;
    });
  if (uuid) return <RoomPage key={uuid} uuid={uuid} onBack={() => open(undefined)} />;
  return <RoomsPage onOpen={open} />;
}
