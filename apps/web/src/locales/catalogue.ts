/** Types of the console's texts. A file name is the first part of the keys in it. */
export interface Catalogue {
  readonly ai: typeof import('./en/settings/ai.json');
  readonly camera: typeof import('./en/scenario/camera.json');
  readonly carousel: typeof import('./en/shell/carousel.json');
  readonly certs: typeof import('./en/settings/certs.json');
  readonly charts: typeof import('./en/shell/charts.json');
  readonly cloud: typeof import('./en/scenario/cloud.json');
  readonly coms: typeof import('./en/settings/coms.json');
  readonly contact: typeof import('./en/settings/contact.json');
  readonly diagnose: typeof import('./en/shell/diagnose.json');
  readonly dubbing: typeof import('./en/scenario/dubbing.json');
  readonly errs: typeof import('./en/shell/errs.json');
  readonly forward: typeof import('./en/scenario/forward.json');
  readonly helper: typeof import('./en/shell/helper.json');
  readonly hooks: typeof import('./en/settings/hooks.json');
  readonly live: typeof import('./en/scenario/live.json');
  readonly llm: typeof import('./en/settings/llm.json');
  readonly login: typeof import('./en/shell/login.json');
  readonly nav: typeof import('./en/shell/nav.json');
  readonly ocr: typeof import('./en/scenario/ocr.json');
  readonly openapi: typeof import('./en/settings/openapi.json');
  readonly others: typeof import('./en/scenario/others.json');
  readonly overview: typeof import('./en/shell/overview.json');
  readonly palette: typeof import('./en/shell/palette.json');
  readonly plat: typeof import('./en/scenario/plat.json');
  readonly platform: typeof import('./en/settings/platform.json');
  readonly player: typeof import('./en/shell/player.json');
  readonly process: typeof import('./en/shell/process.json');
  readonly program: typeof import('./en/scenario/program.json');
  readonly record: typeof import('./en/scenario/record.json');
  readonly rooms: typeof import('./en/scenario/rooms.json');
  readonly segments: typeof import('./en/scenario/segments.json');
  readonly settings: typeof import('./en/settings/settings.json');
  readonly setup: typeof import('./en/shell/setup.json');
  readonly shell: typeof import('./en/shell/shell.json');
  readonly source: typeof import('./en/scenario/source.json');
  readonly srtTutorial: typeof import('./en/scenario/srtTutorial.json');
  readonly start: typeof import('./en/shell/start.json');
  readonly streamPage: typeof import('./en/scenario/streamPage.json');
  readonly talk: typeof import('./en/shell/talk.json');
  readonly timeline: typeof import('./en/shell/timeline.json');
  readonly transcode: typeof import('./en/scenario/transcode.json');
  readonly transcript: typeof import('./en/scenario/transcript.json');
  readonly tutorials: typeof import('./en/scenario/tutorials.json');
  readonly vlive: typeof import('./en/scenario/vlive.json');
}

/** Types of the texts of the pages outside the console. */
export interface PageCatalogue {
  readonly errs: typeof import('./en/shell/errs.json');
  readonly helper: typeof import('./en/shell/helper.json');
  readonly pages: typeof import('./en/pages/pages.json');
  readonly player: typeof import('./en/shell/player.json');
  readonly 'server-console': typeof import('./en/pages/server-console.json');
  readonly shell: typeof import('./en/shell/shell.json');
  readonly whip: typeof import('./en/pages/whip.json');
}
