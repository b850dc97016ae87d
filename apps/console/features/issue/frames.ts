import type {
  ApiEvent,
  ApiException,
  ApiFrame,
  ApiStacktrace,
} from '@afterimage/protocol/api/event'
import { shortFile } from '../stream/issue-title.ts'

/** Part of a stack as drawn: an application's frame, or several third-party ones folded into one line. */
export type StackPart =
  | { readonly type: 'frame'; readonly frame: ApiFrame; readonly isOpen: boolean }
  | { readonly type: 'folded'; readonly frames: readonly ApiFrame[]; readonly words: string }

/**
 * Arranges a stack, newest first. Two or more adjacent third-party frames are folded; the newest
 * application frame with source is open (else the newest of all). With `showAll` nothing is folded.
 */
export function stackParts(stack: ApiStacktrace, showAll: boolean): StackPart[] {
  const frames = stack.frames.toReversed()
  const ours = frames.findIndex((frame) => frame.inApp && frame.context.length > 0)
  const open = ours >= 0 ? ours : frames.findIndex((frame) => frame.context.length > 0)
  const hasOurs = frames.some((frame) => frame.inApp)
  const parts: StackPart[] = []
  let run: ApiFrame[] = []
  const flush = () => {
    if (run.length === 1 && run[0] !== undefined) {
      parts.push({ type: 'frame', frame: run[0], isOpen: false })
    } else if (run.length > 1) parts.push({ type: 'folded', frames: run, words: foldedWords(run) })
    run = []
  }
  frames.forEach((frame, index) => {
    if (!frame.inApp && hasOurs && !showAll && index !== open) run.push(frame)
    else {
      flush()
      parts.push({ type: 'frame', frame, isOpen: index === open })
    }
  })
  flush()
  return parts
}

/** "14 frames in react-dom and scheduler" */
export function foldedWords(frames: readonly ApiFrame[]): string {
  const places = [...new Set(frames.map(packageOf).filter((name) => name !== null))]
  const named =
    places.length === 0
      ? ' of others'
      : places.length === 1
        ? ` in ${places[0]}`
        : places.length === 2
          ? ` in ${places[0]} and ${places[1]}`
          : ` in ${places[0]}, ${places[1]} and ${places.length - 2} more`
  return `${frames.length} ${frames.length === 1 ? 'frame' : 'frames'}${named}`
}

/** Returns the package of a third-party frame: from its path, its module, or the runtime. */
export function packageOf(frame: ApiFrame): string | null {
  const path = frame.absPath ?? frame.filename ?? ''
  const inModules = /node_modules\/(?:\.pnpm\/[^/]+\/node_modules\/)?((?:@[^/]+\/)?[^/]+)/.exec(
    path,
  )?.[1]
  if (inModules !== undefined) return inModules
  if (path.startsWith('node:') || path.startsWith('internal/')) return 'Node'
  if (frame.package !== null && frame.package !== '') return frame.package.split('/').at(-1) ?? null
  const site = /site-packages\/([^/]+)/.exec(path)?.[1]
  if (site !== undefined) return site
  return (
    frame.module?.split(/[./]/)[0] ??
    (frame.filename === null ? null : (shortFile(frame.filename).split('/').at(-1) ?? null))
  )
}

/** "checkout/price-summary.tsx:87:42" */
export function placeOf(frame: ApiFrame): string {
  const file = shortFile(frame.filename ?? frame.absPath ?? frame.module ?? 'unknown')
  if (frame.lineNo === null) return file
  return `${file}:${frame.lineNo}${frame.colNo === null ? '' : `:${frame.colNo}`}`
}

export interface ThrownException {
  readonly exception: ApiException
  /** "Caused by" or "One of the group", for every one after the first. */
  readonly relation: string | null
}

/** Returns an event's chain of exceptions, the last thrown first, followed by its causes. */
export function exceptionsOf(event: Pick<ApiEvent, 'entries'>): ThrownException[] {
  const entry = event.entries.find((one) => one.type === 'exception')
  const values = entry?.type === 'exception' ? entry.data.values : []
  const groups = new Set(
    values.flatMap(({ mechanism }) =>
      mechanism?.is_exception_group === true ? [mechanism.exception_id] : [],
    ),
  )
  return values.toReversed().map((exception, index) => ({
    exception,
    relation: index === 0 ? null : relationOf(exception, groups),
  }))
}

/* A member of a group (AggregateError) did not cause its siblings. */
function relationOf(exception: ApiException, groups: ReadonlySet<number | undefined>): string {
  const parent = exception.mechanism?.parent_id
  return parent !== undefined && groups.has(parent) ? 'One of the group' : 'Caused by'
}

/** Returns the stack of an event without an exception: its own, or its crashed or current thread's. */
export function bareStack(event: Pick<ApiEvent, 'entries'>): ApiStacktrace | null {
  for (const entry of event.entries) {
    if (entry.type === 'stacktrace') return entry.data
    if (entry.type === 'threads') {
      const thread =
        entry.data.values.find((one) => one.crashed) ??
        entry.data.values.find((one) => one.current) ??
        entry.data.values[0]
      if (thread?.stacktrace) return thread.stacktrace
    }
  }
  return null
}
