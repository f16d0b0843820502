import { tutorialsApi } from '@weir/contract';
import type { HttpApp } from '../../core/http/http-app.ts';
import type { TutorialsService } from './tutorials-service.ts';

export function tutorialsRoutes(http: HttpApp, tutorials: TutorialsService): void {
  http.route(tutorialsApi.video, ({ bvid }) => tutorials.video(bvid));
}
