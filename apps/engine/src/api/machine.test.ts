import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Machine } from './machine.ts';
import { readConnections, readContainerMemory, readDiskBusyMs, readNetDevices, readSelfStat } from './proc-files.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('reports the load since the previous call', () => {
  const files: Record<string, string> = {
    '/proc/stat': 'cpu  250 0 250 500 0 0 0 0 0 0\n',
    '/proc/vmstat': 'pgpgin 1000\npgpgout 500\n',
    '/proc/diskstats': '   8       0 sda 1 2 3 4 5 6 7 8 0 1000 12\n   8       1 sda1 1 2 3 4 5 6 7 8 0 9000 12\n',
  };
  const machine = new Machine((path) => files[path] ?? '');
  expect(machine.load()).toMatchObject({ systemPercent: 0.5, readKbPerSecond: 0, writeKbPerSecond: 0, diskBusy: 0 });
  files['/proc/stat'] = 'cpu  275 0 275 650 0 0 0 0 0 0\n';
  files['/proc/vmstat'] = 'pgpgin 3000\npgpgout 1500\n';
  files['/proc/diskstats'] = files['/proc/diskstats']?.replace(' 1000 ', ' 1500 ') ?? '';
  vi.advanceTimersByTime(500);
  expect(machine.load().systemPercent).toBe(0.5);
  vi.advanceTimersByTime(1500);
  expect(machine.load()).toMatchObject({
    systemPercent: 0.25,
    readKbPerSecond: 1000,
    writeKbPerSecond: 500,
    diskBusy: 0.25,
  });
});

test('reports unknown values where there is no /proc', () => {
  const machine = new Machine(() => '');
  expect(machine.memory()).toMatchObject({ ok: false, MemTotal: 0, percent_ram: 0, percent_swap: 0 });
  expect(machine.selfStat()).toMatchObject({ ok: false, utime: 0 });
  expect(machine.network()).toMatchObject({ conn_sys: 0, net_recv_bytes: 0 });
});

test('reads a process whose name contains spaces and parentheses', () => {
  const stat = readSelfStat(`12 (a) (b c) S 1 12 12 0 -1 4194560 ${'7 '.repeat(15)}18446744073709551615 99`);
  expect(stat).toMatchObject({ pid: 12, comm: '(a) (b c)', state: 'S', ppid: 1, rss: 7, rsslim: -1, startcode: 0 });
});

test('adds up network devices and connections', () => {
  const dev =
    'Inter-| x\n face |y\n    lo: 10 1 0 0 0 0 0 0 20 1 0\n  eth0:30 1 0 0 0 0 0 0 40 1 0\n  eth1: 3 1 0 0 0 0 0 0 4 1\n';
  expect(readNetDevices(dev)).toEqual({ recv: 33, send: 44, recvOwn: 10, sendOwn: 20 });
  const sockstat = 'sockets: used 14\nTCP: inuse 9 orphan 0 tw 3 alloc 11 mem 4\nUDP: inuse 2 mem 0\n';
  const snmp = 'Tcp: a b\nTcp: 1 200 120000 -1 5 6 7 8 42 10\nUdp: a\nUdp: 1\n';
  expect(readConnections(sockstat, snmp)).toEqual({ conn_sys: 14, conn_sys_et: 42, conn_sys_tw: 3, conn_sys_udp: 2 });
  expect(readDiskBusyMs(' 253 0 dm-0 1 2 3 4 5 6 7 8 0 77 1\n 259 0 nvme0n1 1 2 3 4 5 6 7 8 0 44 1\n')).toBe(44);
});

const MiB = 1024 * 1024;
const limits = {
  'in a container of the second version': {
    '/proc/self/cgroup': '0::/\n',
    '/sys/fs/cgroup/memory.max': `${512 * MiB}\n`,
    '/sys/fs/cgroup/memory.current': `${500 * MiB}\n`,
    '/sys/fs/cgroup/memory.stat': `anon 1\nfile 2\ninactive_file ${15 * MiB}\nactive_file ${5 * MiB}\n`,
  },
  'in a unit of the second version': {
    '/proc/self/cgroup': '0::/system.slice/weir.service\n',
    '/sys/fs/cgroup/system.slice/weir.service/memory.max': `${512 * MiB}\n`,
    '/sys/fs/cgroup/system.slice/weir.service/memory.current': `${500 * MiB}\n`,
    '/sys/fs/cgroup/system.slice/weir.service/memory.stat': `inactive_file ${20 * MiB}\n`,
  },
  'in a container of the first version': {
    '/proc/self/cgroup': '7:cpu,memory:/docker/abc\n1:name=systemd:/docker/abc\n',
    '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${512 * MiB}\n`,
    '/sys/fs/cgroup/memory/memory.usage_in_bytes': `${500 * MiB}\n`,
    '/sys/fs/cgroup/memory/memory.stat': `inactive_file 5\ntotal_inactive_file ${15 * MiB}\ntotal_active_file ${5 * MiB}\n`,
  },
};
test.each(Object.entries(limits))('reports the memory usage %s', (_where, files: Record<string, string>) => {
  expect(readContainerMemory((path) => files[path] ?? '', 8192 * MiB)).toEqual({
    usedBytes: 480 * MiB,
    limitBytes: 512 * MiB,
  });
  const machine = new Machine((path) => files[path] ?? '');
  expect(machine.shares().memory).toBeGreaterThanOrEqual(480 / 512);
});

test('reports no memory limit where none is set', () => {
  const unlimited: Record<string, string> = {
    '/sys/fs/cgroup/memory.max': 'max\n',
    '/sys/fs/cgroup/memory.current': `${500 * MiB}\n`,
    '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
    '/sys/fs/cgroup/memory/memory.usage_in_bytes': `${500 * MiB}\n`,
  };
  expect(readContainerMemory((path) => unlimited[path] ?? '', 8192 * MiB)).toBeUndefined();
  expect(readContainerMemory(() => '', 8192 * MiB)).toBeUndefined();
});
