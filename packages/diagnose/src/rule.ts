import type { Issue, IssueId } from '@weir/contract';
import type { ServerSampleField, StreamSampleField } from '@weir/streams';
import type { ServerFacts, StreamFacts } from './facts.ts';
import type { SampleView } from './sample-view.ts';

export interface StreamSeen {
  readonly samples: SampleView<StreamSampleField>;
  readonly facts: StreamFacts;
}

export interface ServerSeen {
  readonly samples: SampleView<ServerSampleField>;
  readonly facts: ServerFacts;
}

export interface Finding {
  readonly severity: Issue['severity'];
  readonly sinceMs: number;
  readonly numbers?: Readonly<Record<string, number>>;
  readonly subject?: string;
}

/** Detects one kind of issue. */
export interface Rule<Seen> {
  readonly id: IssueId;
  readonly find: (seen: Seen) => Finding | readonly Finding[] | undefined;
}
