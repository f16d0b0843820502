import { dubbingApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { Sources } from '../../media-sources/sources.ts';
import type { DubbingLinks } from './dubbing-links.ts';
import { shownProject } from './dubbing-projects.ts';
import type { DubbingStudio } from './dubbing-studio.ts';

interface Context {
  readonly studio: DubbingStudio;
  readonly sources: Sources;
  readonly links: DubbingLinks;
}

/** Any film that can be read: it is not sent to an outlet. */
const rules = { limitKbps: Number.POSITIVE_INFINITY, anyAudio: true, anyVideo: true } as const;

export function dubbingRoutes(http: HttpApp, { studio, sources, links }: Context): void {
  const { projects, corrections } = studio;
  http.route(dubbingApi.source, async ({ files }) => ({ files: await sources.accept(files, rules) }));
  http.route(dubbingApi.create, async ({ title, files }) => shownProject(await projects.create(title, files)));
  http.route(dubbingApi.list, async () => ({ projects: (await projects.list()).map(shownProject) }));
  http.route(dubbingApi.query, async ({ uuid }) => shownProject(await projects.get(uuid)));
  http.route(dubbingApi.update, async (change) => shownProject(await studio.update(change)));
  http.route(dubbingApi.remove, ({ uuid }) => studio.remove(uuid));
  http.route(dubbingApi.links, async ({ uuid }) => ({ token: await links.make((await projects.get(uuid)).uuid) }));

  http.route(dubbingApi.start, ({ uuid }) => studio.start(uuid));
  http.route(dubbingApi.pause, ({ uuid }) => studio.pause(uuid));
  http.route(dubbingApi.cancel, ({ uuid }) => studio.cancel(uuid));
  http.route(dubbingApi.restart, ({ uuid, step }) => studio.restart(uuid, step));
  http.route(dubbingApi.task, ({ uuid, task, since }) => studio.view(uuid, task, since));
  const after = async ({ uuid, since }: { uuid: string; since: string }, change: Promise<void>) => {
    await change;
    return studio.view(uuid, '', since);
  };
  http.route(dubbingApi.rephrase, (ask) => after(ask, corrections.rephrase(ask.uuid, ask.group)));
  http.route(dubbingApi.speak, (ask) => after(ask, corrections.speak(ask.uuid, ask.group, ask.revision)));
  http.route(dubbingApi.merge, (ask) => after(ask, corrections.merge(ask.uuid, ask.group, ask.direction)));
  http.route(dubbingApi.split, (ask) => after(ask, corrections.split(ask.uuid, ask.group, ask.at, ask.revision)));
  http.route(dubbingApi.edit, (ask) => {
    const { uuid, group, task: _task, since: _since, ...edit } = ask;
    return after(ask, corrections.edit(uuid, group, edit));
  });
  http.route(dubbingApi.regroup, (ask) => after(ask, corrections.regroup(ask.uuid, ask.groups, ask.known)));
  http.route(dubbingApi.peaks, ({ uuid }) => studio.peaks(uuid));
  http.route(dubbingApi.exportState, async ({ uuid, task, start }) => {
    const exporter = await studio.exporter(uuid, task);
    // Whoever waits for it asks for its state; that it failed stands there.
    if (start) exporter.make().catch(() => undefined);
    return exporter.state();
  });
}
