import { ladderApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { LadderEncoder } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { LiveInputs } from '../../outlets/live-inputs.ts';
import { EncoderTests } from './encoder-tests.ts';
import { FreeCpu } from './free-cpu.ts';
import { LadderRunner } from './ladder-runner.ts';
import { LadderService } from './ladder-service.ts';
import { RungCosts } from './rung-costs.ts';

interface Context {
  readonly store: Store;
  readonly mediaServer: MediaServer;
  readonly inputs: LiveInputs;
  readonly ownToken: string;
  readonly clock: Clock;
  readonly log: Log;
}

const reviewEveryMs = 1000;

/** Lower qualities of streams, encoded on this machine. */
export function ladderFeature(context: Context): Feature & { readonly encoders: EncoderTests } {
  const { clock, mediaServer } = context;
  const log = context.log.child({ feature: 'ladder' });
  const tests = new EncoderTests();
  const costs = new RungCosts(context);
  const machine = new FreeCpu(mediaServer);
  const rules = () => service.rules();
  const runner: LadderRunner = new LadderRunner({ ...context, log, rules, tests, costs, machine });
  const service: LadderService = new LadderService({ ...context, tests, costs, machine, runner });
  return {
    encoders: tests,
    routes: (http) => {
      http.route(ladderApi.query, async () => ({
        rules: [...(await service.rules())],
        streams: runner.rows(),
        isAvailable: service.isAvailable,
        cores: machine.cores,
      }));
      http.route(ladderApi.save, (change) => service.save(change));
      http.route(ladderApi.remove, ({ id }) => service.remove(id));
      http.route(ladderApi.encoders, async ({ isFresh }) => {
        service.assertAvailable();
        const encoders = await tests.all(isFresh);
        const chosen: LadderEncoder | '' = (await tests.chosen())?.encoder ?? '';
        return { encoders, chosen };
      });
      http.route(ladderApi.measure, (question) => service.measure(question));
    },
    tasks: {
      ladders: async (signal) => {
        while (!signal.aborted && service.isAvailable) {
          // While the engine is away there is nothing to decide.
          await runner.review().catch((error: unknown) => log.debug({ err: error }, 'ladders not reviewed'));
          await clock.pause(reviewEveryMs, signal).catch(() => undefined);
        }
      },
    },
    engineSettings: async () => runner.resend(),
    reported: async () => ({
      rules: (await service.rules()).map(({ id: _id, pattern: _pattern, ...rule }) => rule),
    }),
  };
}
