import type { TranscodeConfig, TranscodeProblem } from '@weir/contract';

/** In the words that scripts of the older product know. */
export function problemText(problem: TranscodeProblem, config: TranscodeConfig): string {
  const { field } = problem;
  switch (problem.kind) {
    case 'range':
      return `Invalid ${field} ${config[field]}, should be in [${problem.least}, ${problem.most}] Kbps`;
    case 'choice':
      return `Invalid ${field}${named(config[field])}, should be ${problem.choices.join(', ')}`;
    case 'missing':
      return 'Invalid server and key, at least one of them is required';
    case 'scheme':
      return 'Invalid server, should start with rtmp://, rtmps:// or srt://';
    case 'invalid':
      return 'Invalid server, should be a full URL';
  }
}

/** What was typed, where it is a plain word; else it is not repeated. */
function named(value: string | number): string {
  return /^[\w-]{1,40}$/.test(String(value)) ? ` ${value}` : '';
}
