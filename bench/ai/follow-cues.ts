export interface Said {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

/** Final texts, by their ids. */
export async function followCues(url: string, said: Map<string, Said>): Promise<void> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (!response) return;
    let rest = '';
    for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
      rest += Buffer.from(chunk).toString();
      const events = rest.split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const [, data] = /^event: cues\ndata: (.*)$/s.exec(event) ?? [];
        if (!data) continue;
        for (const { id, startMs, endMs, text, isInterim } of JSON.parse(data).cues)
          if (!isInterim && text !== '') said.set(id, { startMs, endMs, text });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
