/**
 * Scripts that run as one step. A script takes effect entirely or not at all, also after a power cut: it is one entry
 * of the append-only file.
 */

/**
 * KEYS: entries, names of collections, epoch, format. ARGV: fence, id of the settings, collection, condition, expected value; then
 * put|remove, key, value for each change. -1 where the condition does not hold.
 */
export const writeScript = `
if ARGV[1] ~= '' and redis.call('GET', KEYS[3]) ~= ARGV[1] then
  return redis.error_reply('FENCED another server has taken over')
end
if redis.call('HGET', KEYS[4], 'id') ~= ARGV[2] then return 'lost' end
local current = redis.call('HGET', KEYS[1], ARGV[7])
if ARGV[4] == 'free' and current then return -1 end
if ARGV[4] == 'same' and current ~= ARGV[5] then return -1 end
local changes = 0
for i = 6, #ARGV, 3 do
  if ARGV[i] == 'put' then
    redis.call('HSET', KEYS[1], ARGV[i + 1], ARGV[i + 2])
    changes = changes + 1
  else
    changes = changes + redis.call('HDEL', KEYS[1], ARGV[i + 1])
  end
end
redis.call('SADD', KEYS[2], ARGV[3])
return changes`;

/** KEYS: names of collections. ARGV: what the key of a collection begins with. All entries of one moment. */
export const snapshotScript = `
local all = {}
for _, name in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  all[#all + 1] = name
  all[#all + 1] = redis.call('HGETALL', ARGV[1] .. name)
end
return all`;

const nowMs = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * KEYS: lease, epoch, standbys. ARGV: node, address, duration in ms. Returns the number of the new lease, or the holder's address.
 * Registers the caller as a standby for that time.
 */
export const takeLeaseScript = `
local holder = redis.call('HGET', KEYS[1], 'node')
if holder and holder ~= ARGV[1] then
  ${nowMs}
  redis.call('ZADD', KEYS[3], now, ARGV[2])
  redis.call('PEXPIRE', KEYS[3], ARGV[3])
  return redis.call('HGET', KEYS[1], 'address')
end
redis.call('ZREM', KEYS[3], ARGV[2])
local epoch = redis.call('INCR', KEYS[2])
redis.call('HSET', KEYS[1], 'node', ARGV[1], 'address', ARGV[2], 'epoch', epoch)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return epoch`;

/** KEYS: lease, epoch. ARGV: node, address, duration in ms, number. An expired lease is renewed too, unless another node took it. */
export const renewLeaseScript = `
if redis.call('GET', KEYS[2]) ~= ARGV[4] then return 0 end
redis.call('HSET', KEYS[1], 'node', ARGV[1], 'address', ARGV[2], 'epoch', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`;

/** KEYS: standbys. ARGV: for how long one that does not ask counts, how many at most. */
export const standbysScript = `
${nowMs}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[1])
return redis.call('ZRANGE', KEYS[1], 0, ARGV[2] - 1)`;

/** KEYS: lease. ARGV: number. */
export const endLeaseScript = `
if redis.call('HGET', KEYS[1], 'epoch') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`;
