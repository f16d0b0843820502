import { openPage } from '../../tests/e2e/fixtures/browser.fixture.ts';
import { giveEars, heard } from '../../tests/e2e/fixtures/page-ears.fixture.ts';
import { browserHearing } from '../../tests/e2e/fixtures/spoken-microphone.fixture.ts';
import { openRoom } from '../../tests/talk-room.fixture.ts';
import { VoiceProvider } from '../../tests/voice-provider.fixture.ts';
import { until } from '../../tests/weir.fixture.ts';
import type { BenchResult } from '../results.ts';
import { quantile, startProduct } from './product.ts';

const questions = [
  'What is the weather like in Rotterdam today?',
  'Which river goes through the city?',
  'How long does the journey take by train?',
  'Tell me something about the harbour.',
];
/** An answer is over by then. */
const pauseSeconds = 9;

/** From the end of a sentence to the first word of the answer, in a browser and hands-free, without what the provider takes for it. */
export async function talk(result: BenchResult, isQuick: boolean): Promise<void> {
  const rounds = isQuick ? 4 : 20;
  const provider = await VoiceProvider.start();
  provider.reply = () => ['That is a good question.', 'I will think about it.'];
  const spoken = Array.from({ length: rounds }, (_, n) => [questions[n % questions.length] ?? '', pauseSeconds]);
  const [live, browser] = await Promise.all([startProduct(), browserHearing(provider, [8, ...spoken.flat()])]);
  try {
    const link = await openRoom(live, provider);
    const context = await browser.newContext();
    await giveEars(context);
    const { page } = await openPage(context);
    await page.goto(link({ assistant: '1', username: 'Anna', language: 'en' }));
    await page.getByRole('button', { name: 'Start chat' }).click();
    await page.getByLabel('Hands-free').check();
    const device = page.getByLabel('Microphone', { exact: true });
    await device.selectOption({ label: 'Fake Audio Input 1' });
    const from = await page.evaluate<number>('performance.now()');
    const before = provider.turns.length;
    const asked = async () => (await heard(page)).microphone.filter(([begin]) => begin > from);
    const isAnswered = async () => {
      const [last] = (await asked()).slice(rounds - 1);
      return last !== undefined && (await heard(page)).speaker.some(([begin]) => begin > last[1]);
    };
    await until(isAnswered, 'everything was answered', (8 + rounds * 20) * 1000);
    const { speaker } = await heard(page);
    const sentences = await asked();
    const turns = provider.turns.slice(before);
    const whole: number[] = [];
    const beyond: number[] = [];
    sentences.forEach(([, end], n) => {
      const answer = speaker.find(([begin]) => begin > end);
      const next = sentences[n + 1]?.[0] ?? Number.POSITIVE_INFINITY;
      const own = ownMs(turns, n);
      if (!answer || answer[0] > next || own === undefined) return;
      whole.push(answer[0] - end);
      beyond.push(answer[0] - end - own);
    });
    const [p50, p95, all] = [quantile(beyond, 0.5), quantile(beyond, 0.95), quantile(whole, 0.5)].map((ms) =>
      ((ms ?? Number.NaN) / 1000).toFixed(2),
    );
    result.add(
      {
        p50Seconds: Number(p50),
        p95Seconds: Number(p95),
        withProviderP50: Number(all),
        answered: beyond.length,
        rounds,
      },
      `talk: first word p50 ${p50} s, p95 ${p95} s after the end of a sentence without the provider's own time, ` +
        `p50 ${all} s with it, ${beyond.length} of ${rounds} sentences`,
    );
  } finally {
    await browser.close();
    await live.close();
    await provider.close();
  }
}

/** Provider's own time for question `n`: recognition, first sentence and speech. */
function ownMs(turns: VoiceProvider['turns'], n: number): number | undefined {
  const chats = turns.filter(({ kind }) => kind === 'chat');
  const understood = turns.filter(({ kind }) => kind === 'transcribe')[n];
  const chat = chats[n];
  const spoken = turns.find(({ kind, atMs }) => kind === 'speak' && chat !== undefined && atMs > chat.atMs);
  return understood && chat && spoken && understood.ms + chat.ms + spoken.ms;
}
