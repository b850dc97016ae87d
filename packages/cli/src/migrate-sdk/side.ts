import type { Side } from './names.ts'

const serverFiles =
  /(?:^|\/)(?:sentry\.(?:server|edge)\.config|instrumentation|hooks\.server|\+server|\+(?:page|layout)\.server)\.[cm]?[jt]s$/
const browserFiles =
  /(?:^|\/)(?:sentry\.client\.config|instrumentation-client|hooks\.client)\.[cm]?[jt]s$/
const useClient = /^(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*["']use client["']/

/** Says on which side of an application a file runs, by its name or its first line. */
export function sideOf(path: string, text: string): Side {
  if (serverFiles.test(path)) return 'server'
  return browserFiles.test(path) || useClient.test(text) ? 'browser' : null
}
