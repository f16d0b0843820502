import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { defaultVhost } from '@weir/streams';
import { expect, it, vi } from 'vitest';
import { createQueryClient } from '../../lib/query-client.ts';
import { Thumbnail, thumbnailQuery } from './thumbnail.tsx';

const place = { vhost: defaultVhost, app: 'live', stream: 'show' };

it('a stream that went off shows its last picture in grey, one that was never seen a drawn one', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:picture', revokeObjectURL: () => undefined }));
  const queries = createQueryClient();
  queries.setQueryData(thumbnailQuery(place).queryKey, new Blob(['jpeg']));
  const draw = (isLive: boolean, stream = place) => (
    <QueryClientProvider client={queries}>
      <Thumbnail stream={stream} isLive={isLive} />
    </QueryClientProvider>
  );
  const { rerender, container } = render(draw(true));
  expect((await screen.findByAltText('')).getAttribute('src')).toBe('blob:picture');
  expect(container.querySelector('[data-off]')).toBeNull();
  queries.clear();
  rerender(draw(false));
  expect((await screen.findByAltText('')).getAttribute('src')).toBe('blob:picture');
  expect(container.querySelector('[data-off]')).not.toBeNull();
  rerender(draw(false, { ...place, stream: 'never' }));
  await expect.poll(() => screen.queryByAltText('')).toBeNull();
  expect(container.querySelector('svg')).not.toBeNull();
});
