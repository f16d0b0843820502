-- Settings as version 0.1.0 wrote them.
CREATE TABLE entries (
collection TEXT NOT NULL,
key TEXT NOT NULL,
value TEXT NOT NULL,
updated_at INTEGER NOT NULL,
PRIMARY KEY (collection, key)
) STRICT, WITHOUT ROWID;
INSERT INTO entries VALUES ('api-secret', 'admin', '{"secret":"srs-v2-1ea820022d65cc8e02b932d329adf83d","updatedAt":1795121021736}', 1795121021736);
INSERT INTO entries VALUES ('branding', 'site', '{"title":"Format fixture","icp":""}', 1795121021830);
INSERT INTO entries VALUES ('forward', 'wx', '{"platform":"wx","server":"rtmp://192.0.2.5/live","secret":"fixture-key","enabled":false,"custom":false,"label":"one","stream":"","quality":""}', 1795121021891);
INSERT INTO entries VALUES ('known-network', '127.0.0.1', '{"lastAt":1795121021734}', 1795121021735);
INSERT INTO entries VALUES ('ocr', 'task', '{"uuid":"1ac84a56-6b61-4f65-826e-23d510ac4139","epoch":0,"place":""}', 1795121021708);
INSERT INTO entries VALUES ('password', 'admin', '{"hash":"scrypt:1024:8:1:zKyZj1M3RfU0ZmmwVZHYcQ:mWi1FLIVsADv5Kbh3zX4EB2bFN_qTC829RDg3_6hpg8","updatedAt":1795121021732}', 1795121021733);
INSERT INTO entries VALUES ('publish-secret', 'publish', '{"secret":"8ae8fab7292022f0caba854c6b06300e","updatedAt":1795121021481}', 1795121021482);
INSERT INTO entries VALUES ('session-salt', 'admin', '{"salt":"xTOjsKMVswyOymMeGmMQmWh2SSUHZ6yik9ud0wG0AU4"}', 1795121021737);
INSERT INTO entries VALUES ('stream-key-salt', 'salt', '{"salt":"2fbaa2cdefb70c7df56abf179f0c4687b122bcec3723c9ff6554a2045868456e"}', 1795121021706);
INSERT INTO entries VALUES ('transcript', 'task', '{"lanes":[{"uuid":"b7f674af-b03b-4f6c-9044-fdd6d4f6e815","wanted":"","place":"","epoch":0,"nextNumber":null,"seamsGone":0}]}', 1795121021510);
PRAGMA user_version = 1;
