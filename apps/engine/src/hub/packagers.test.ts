import { MalformedMedia } from '@weir/media';
import { expect, it } from 'vitest';
import { quietLog } from '../quiet-log.fixture.ts';
import { client, picture, place, videoConfig } from './frames.fixture.ts';
import { Hub } from './hub.ts';
import type { Packager } from './packager.ts';
import { PlayerViews } from './player-views/player-views.ts';

class Counter implements Packager {
  heard: string[] = [];
  readonly #isFaulty: boolean;
  constructor(isFaulty: boolean) {
    this.#isFaulty = isFaulty;
  }
  #hear(what: string): void {
    this.heard.push(what);
    if (this.#isFaulty) throw what === 'frame' ? new MalformedMedia('odd') : new RangeError(what);
  }
  onConfig = () => this.#hear('config');
  onFrame = () => this.#hear('frame');
  onDiscontinuity = () => this.#hear('seam');
  onLeave = () => this.#hear('leave');
  close = () => this.#hear('close');
}

it.each(['stream', 'view'])('S34: a %s reader that throws affects neither its publisher nor other readers', (what) => {
  const faults: unknown[] = [];
  const hub = new Hub({ returnMs: 60_000, onFault: (_stream, error) => faults.push(error) });
  const stream = hub.open(place);
  if (!stream) throw new Error('no stream');
  const view = what === 'stream' ? stream : new PlayerViews({ log: quietLog }).of(stream, 'classic');
  const [faulty, sound] = [new Counter(true), new Counter(false)];
  view.attach(faulty);
  view.attach(sound);
  const publication = stream.publish(client());
  publication.config(videoConfig);
  publication.frame(picture(0, true));
  publication.frame(picture(40));
  publication.end();
  const late = new Counter(true);
  view.attach(late);
  hub.close();
  const heard = ['config', 'frame', 'frame', 'leave', 'close'];
  expect(faulty.heard).toEqual(heard);
  expect(sound.heard).toEqual(heard);
  expect(late.heard).toEqual(['config', 'close']);
  expect(faults).toHaveLength(7);
});
