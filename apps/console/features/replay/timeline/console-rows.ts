import { customOf, fieldsOf, listOf, numberOf, textOf, toMs } from './recorded.ts'
import type { Recording } from './recording.ts'

export type Level = 'fatal' | 'error' | 'warning' | 'info' | 'debug'

export interface ConsoleRow {
  readonly id: string
  /** ms since the start. */
  readonly at: number
  readonly level: Level
  /** The console's own method: `warn`, `log`. */
  readonly method: string
  readonly text: string
}

export const consoleRowsMax = 20_000
const textCharsMax = 5_000

export function deriveConsole(recording: Recording): readonly ConsoleRow[] {
  const rows: ConsoleRow[] = []
  for (const event of recording.events) {
    const custom = customOf(event)
    if (custom?.tag !== 'breadcrumb' || custom.payload['category'] !== 'console') continue
    if (rows.length >= consoleRowsMax) break
    const level = textOf(custom.payload['level'], 16) ?? 'info'
    const at = toMs(numberOf(custom.payload['timestamp']) ?? event.timestamp)
    rows.push({
      id: `c${rows.length}`,
      at: Math.max(0, at - recording.startedAt),
      level: levelOf(level),
      method: level === 'warning' ? 'warn' : level,
      text: argumentsText(fieldsOf(custom.payload['data'])['arguments'], custom.payload['message']),
    })
  }
  return rows
}

export function levelOf(level: string): Level {
  if (level === 'fatal' || level === 'error' || level === 'warning' || level === 'debug')
    return level
  if (level === 'warn') return 'warning'
  return 'info'
}

/** Writes the arguments on one line, as the console would; the message without arguments. */
function argumentsText(value: unknown, message: unknown): string {
  const parts = listOf(value).map((part) => (typeof part === 'string' ? part : shown(part)))
  const text = parts.length > 0 ? parts.join(' ') : (textOf(message, textCharsMax) ?? '')
  return text.slice(0, textCharsMax)
}

function shown(value: unknown): string {
  const fields = fieldsOf(value)
  const stack = textOf(fields['stack'])
  if (stack !== null) return stack
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
