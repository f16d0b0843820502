import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { defaultVhost, streamSampleFields } from '@weir/streams';
import { expect, it } from 'vitest';
import { appendSample, liveSamplesQuery } from './live-samples.ts';

const place = { vhost: defaultVhost, app: 'live', stream: 'show' };
const second = (fps: number) => ({
  ...place,
  values: streamSampleFields.map((field) => (field === 'fps' ? fps : null)),
});

it('stores live samples only while they are observed', () => {
  const queries = new QueryClient();
  const known = () => queries.getQueryData(liveSamplesQuery(place).queryKey);
  appendSample(queries, second(24), 1000);
  expect(known()).toBeUndefined();
  const leave = new QueryObserver(queries, liveSamplesQuery(place)).subscribe(() => undefined);
  appendSample(queries, second(25), 2000);
  appendSample(queries, { ...second(60), stream: 'other' }, 2000);
  appendSample(queries, second(26), 3000);
  expect(known()?.at).toEqual([2000, 3000]);
  expect(known()?.columns.fps).toEqual([25, 26]);
  expect(known()?.columns.inKbps).toEqual([null, null]);
  leave();
  appendSample(queries, second(27), 4000);
  expect(known()?.at).toEqual([2000, 3000]);
});
