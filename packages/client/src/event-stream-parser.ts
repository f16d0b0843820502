export interface ServerEvent {
  readonly name: string;
  readonly data: string;
  /** Id of the last event that had one. */
  readonly id: string;
}

/** Limit of an unfinished event; our servers never send more. */
const mostText = 4 * 1024 * 1024;

/** Parses `text/event-stream` (HTML, 9.2.6) from arbitrary chunks. Comments are heartbeats and are skipped. */
export class EventStreamParser {
  #rest = '';
  #id = '';

  push(text: string): ServerEvent[] {
    const blocks = (this.#rest + text).replaceAll('\r\n', '\n').split('\n\n');
    this.#rest = blocks.pop() ?? '';
    if (this.#rest.length > mostText) throw new Error('an event is too large');
    return blocks.flatMap((block) => this.#read(block));
  }

  #read(block: string): ServerEvent[] {
    let name = 'message';
    const data: string[] = [];
    for (const line of block.split('\n')) {
      const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      if (field === 'event') name = value;
      else if (field === 'data') data.push(value);
      else if (field === 'id') this.#id = value;
    }
    return data.length === 0 ? [] : [{ name, data: data.join('\n'), id: this.#id }];
  }
}
