/** Broadcasts and what happened in them. `seen_ms`: when a running one was last known to run. */
export const timelineTables = {
  version: 1,
  tables: `
  CREATE TABLE broadcasts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    vhost TEXT NOT NULL,
    app TEXT NOT NULL,
    stream TEXT NOT NULL,
    client TEXT NOT NULL,
    began_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    seen_ms INTEGER NOT NULL,
    peak INTEGER NOT NULL DEFAULT 0,
    good_ms INTEGER NOT NULL DEFAULT 0,
    ok_ms INTEGER NOT NULL DEFAULT 0,
    bad_ms INTEGER NOT NULL DEFAULT 0,
    recordings TEXT NOT NULL DEFAULT '[]',
    left_out INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX broadcasts_place ON broadcasts (app, stream, vhost, id);
  CREATE INDEX broadcasts_open ON broadcasts (id) WHERE ended_ms IS NULL;
  CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    broadcast INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    count INTEGER NOT NULL,
    what TEXT NOT NULL,
    facts TEXT NOT NULL,
    numbers TEXT NOT NULL
  ) STRICT;
  CREATE INDEX entries_broadcast ON entries (broadcast, id);
  CREATE TRIGGER broadcasts_deleted AFTER DELETE ON broadcasts BEGIN DELETE FROM entries WHERE broadcast = old.id; END;
`,
};
