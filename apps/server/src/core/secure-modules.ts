import process from 'node:process';

// Three megabytes of an idle control plane, which speaks TLS only to other machines: loaded by the first who does.

export function https(): typeof import('node:https') {
  return process.getBuiltinModule('node:https');
}

export function tls(): typeof import('node:tls') {
  return process.getBuiltinModule('node:tls');
}
