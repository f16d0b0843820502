import process from 'node:process';

// Loaded on first use, which saves three megabytes while idle: the control plane speaks TLS only to other machines.

export function https(): typeof import('node:https') {
  return process.getBuiltinModule('node:https');
}

export function tls(): typeof import('node:tls') {
  return process.getBuiltinModule('node:tls');
}
