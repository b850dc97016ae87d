import { pino, type Logger } from 'pino'

export type Log = Logger

/** One JSON line per entry on standard error: `role` says who speaks. Never a payload, never a secret. */
export function createLog(role: string, level: string): Log {
  return pino({ level, base: { role } }, pino.destination({ dest: 2, sync: true }))
}
