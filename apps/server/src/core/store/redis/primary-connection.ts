import type { RedisAddress, ServerAddress } from '@weir/plane';
import { type Access, LostConnection, RedisConnection, ReplyError } from './redis-connection.ts';

/** A Sentinel or a member of a cluster that is slower counts as absent: others are asked as well. */
const membersWithinMs = 1500;
const mostRedirections = 4;

/** Opens a connection to the server that takes writes now. */
export function openPrimary(address: RedisAddress): Promise<RedisConnection> {
  switch (address.topology) {
    case 'sentinel':
      return openByName(address);
    case 'cluster':
      return openBySlot(address);
    case 'single':
      return openFirst(address.servers, (server) => RedisConnection.open(server, address));
  }
}

async function openByName(address: RedisAddress): Promise<RedisConnection> {
  const { servers, sentinelUser: user, sentinelPassword: password, tls, primaryName } = address;
  const access: Access = { tls, user, password, database: 0, replicas: 0 };
  const answers = await Promise.allSettled(servers.map((sentinel) => readPrimary(sentinel, access, primaryName)));
  // A Sentinel that lost contact with the others may still name the previous primary: most of them decide.
  const votes = Map.groupBy(
    answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])),
    ({ host, port }) => `${host} ${port}`,
  );
  const primaries = [...votes.values()].sort((a, b) => b.length - a.length).flatMap(([server]) => server ?? []);
  if (primaries.length === 0) {
    const [failed] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    throw failed;
  }
  return openFirst(primaries, (server) => openAsPrimary(server, address));
}

async function readPrimary(sentinel: ServerAddress, access: Access, name: string): Promise<ServerAddress> {
  const connection = await RedisConnection.open(sentinel, access, membersWithinMs);
  const timer = setTimeout(() => connection.close(), membersWithinMs);
  try {
    const answer = await connection.call(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name]);
    const [host, port] = Array.isArray(answer) ? answer : [];
    if (typeof host !== 'string') throw new LostConnection('the Sentinels do not know a primary of this name');
    return { host, port: Number(port) };
  } finally {
    clearTimeout(timer);
    connection.close();
  }
}

/** Refuses a server that became a replica and has not been announced as one yet. */
async function openAsPrimary(server: ServerAddress, address: RedisAddress): Promise<RedisConnection> {
  const connection = await RedisConnection.open(server, address);
  try {
    const [role] = await connection.callAll([['ROLE']]);
    // A restricted user may not read the role; a write to a replica fails then.
    if (role instanceof ReplyError || (Array.isArray(role) && role[0] === 'master')) return connection;
    throw new LostConnection('no server of the database is the primary right now');
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** All keys of Weir are in one slot, so one connection to the server of that slot is enough. */
async function openBySlot(address: RedisAddress): Promise<RedisConnection> {
  const key = `${address.prefix}:format`;
  const follow = async (server: ServerAddress, left: number): Promise<RedisConnection> => {
    const connection = await RedisConnection.open(server, address, membersWithinMs);
    const [reply] = await connection.callAll([['EXISTS', key]]).catch((error: unknown) => {
      connection.close();
      throw error;
    });
    if (!(reply instanceof ReplyError)) return connection;
    connection.close();
    const [, host, port] = /^MOVED \d+ (.*):(\d+)$/.exec(reply.message) ?? [];
    if (port === undefined || left === 0) throw reply;
    // An empty host means the server that answered.
    return follow({ host: host || server.host, port: Number(port) }, left - 1);
  };
  return openFirst(address.servers, (server) => follow(server, mostRedirections));
}

/** The first that can be opened; otherwise the first failure, which names what the owner should look at. */
async function openFirst(
  servers: readonly ServerAddress[],
  open: (server: ServerAddress) => Promise<RedisConnection>,
): Promise<RedisConnection> {
  const failures: unknown[] = [];
  for (const server of servers) {
    try {
      return await open(server);
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0];
}
