/** What was said and shown; `folded` finds it. Where it is in a recording is known early, late or never. */
export const transcriptTables = {
  version: 1,
  tables: `
  CREATE TABLE words (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    vhost TEXT NOT NULL,
    app TEXT NOT NULL,
    stream TEXT NOT NULL,
    epoch TEXT NOT NULL,
    start_ms INTEGER NOT NULL,
    lasts_ms INTEGER NOT NULL,
    date_ms INTEGER NOT NULL,
    text TEXT NOT NULL,
    language TEXT NOT NULL,
    segment TEXT NOT NULL,
    in_segment_ms INTEGER NOT NULL,
    recording TEXT,
    at_ms INTEGER,
    UNIQUE (kind, vhost, app, stream, epoch, start_ms)
  ) STRICT;
  CREATE INDEX words_recording ON words (recording, kind, at_ms) WHERE recording IS NOT NULL;
  CREATE INDEX words_segment ON words (segment);
  CREATE INDEX words_date ON words (date_ms);
  CREATE VIRTUAL TABLE folded USING fts5(text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0', prefix='2 3');
  CREATE TRIGGER words_deleted AFTER DELETE ON words BEGIN DELETE FROM folded WHERE rowid = old.id; END;
`,
};
