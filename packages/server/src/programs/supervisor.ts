import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { AppError } from '../errors.ts'
import type { RoleAnnouncement, RoleMessage } from './role.ts'

/** A child program to be kept alive. */
export interface SupervisedProgram {
  readonly name: string
  readonly modulePath: string
  readonly arguments: readonly string[]
  /** Flags of Node itself. */
  readonly nodeOptions?: readonly string[]
  /**
   * Additions to its environment that are known only later; the role is started then, others at
   * once.
   */
  readonly environment?: Promise<Readonly<Record<string, string>>>
}

export interface SupervisorEvents {
  /** A program is ready; also after each restart. */
  readonly onReady: (name: string, announcement: RoleAnnouncement) => void
  readonly onExit: (name: string, how: string, restartsInMs: number) => void
}

export interface Supervisor {
  /**
   * Resolves when every program has been ready once, with what they announced; rejects when the
   * environment of one does, and with the reason of one that refuses its first start.
   */
  readonly ready: Promise<ReadonlyMap<string, RoleAnnouncement>>
  /**
   * Stops the first program, and when it is gone all others together, with SIGTERM; whatever is still
   * there after `stopMs` is killed.
   */
  stop(): Promise<void>
  /** For tests: the process ids of the programs that run. */
  pids(): ReadonlyMap<string, number>
}

/**
 * Time after which a hanging role is killed, ms. The whole stop takes at most 10 s, of which the
 * system needs some to free the memory of a large process.
 */
const STOP_MS = 7_500
const BACKOFF_MS_FIRST = 50
const BACKOFF_MS_MAX = 5_000
/** A program that has run this long is considered healthy again: its next restart is immediate. */
const HEALTHY_AFTER_MS = 10_000

/**
 * Starts the programs, restarts any that dies (with back-off), stops them in order. The
 * children hold a channel to this process: when it goes, however it goes, they exit at once.
 */
export function supervise(
  programs: readonly SupervisedProgram[],
  environment: Readonly<Record<string, string | undefined>>,
  events: SupervisorEvents,
  { stopMs = STOP_MS }: { readonly stopMs?: number } = {},
): Supervisor {
  const children = new Map<string, ChildProcess>()
  const announcements = new Map<string, RoleAnnouncement>()
  const timers = new Set<NodeJS.Timeout>()
  const firstReady = Promise.withResolvers<ReadonlyMap<string, RoleAnnouncement>>()
  let isStopping = false
  const launch = (
    program: SupervisedProgram,
    own: Readonly<Record<string, string>>,
    backoffMs: number,
  ): void => {
    if (isStopping) return
    const startedAt = performance.now()
    const child = start(program, { ...environment, ...own })
    children.set(program.name, child)
    let refusal: AppError | null = null
    child.on('message', (message: RoleMessage) => {
      if (message.type === 'refused')
        return void (refusal = new AppError(message.code, message.message))
      announcements.set(program.name, message.announcement)
      events.onReady(program.name, message.announcement)
      if (announcements.size === programs.length) firstReady.resolve(announcements)
    })
    // After `exit`, when the last message has been read too.
    child.once('close', (code, signal) => {
      children.delete(program.name)
      if (isStopping) return
      if (refusal !== null && !announcements.has(program.name)) return firstReady.reject(refusal)
      const isHealthy = performance.now() - startedAt > HEALTHY_AFTER_MS
      const waitMs = isHealthy ? BACKOFF_MS_FIRST : backoffMs
      events.onExit(program.name, refusal?.message ?? signal ?? `exit code ${code}`, waitMs)
      const timer = setTimeout(() => {
        timers.delete(timer)
        launch(program, own, Math.min(waitMs * 2, BACKOFF_MS_MAX))
      }, waitMs)
      timers.add(timer)
    })
  }
  for (const program of programs) {
    const own = program.environment ?? Promise.resolve({})
    own.then(
      (it) => launch(program, it, BACKOFF_MS_FIRST),
      // A build that was interrupted together with us is part of the stop, which goes on in order.
      (cause: unknown) => {
        if (!isStopping) firstReady.reject(cause)
      },
    )
  }

  return {
    ready: firstReady.promise,
    pids: () => new Map([...children].map(([name, child]) => [name, child.pid ?? 0])),
    stop: async () => {
      isStopping = true
      for (const timer of timers) clearTimeout(timer)
      const killAll = setTimeout(() => {
        for (const child of children.values()) child.kill('SIGKILL')
      }, stopMs)
      const [first = null, ...others] = programs.map(({ name }) => name)
      if (first !== null) await end(children.get(first))
      await Promise.all(others.map((name) => end(children.get(name))))
      clearTimeout(killAll)
    },
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

function start(
  program: SupervisedProgram,
  environment: Readonly<Record<string, string | undefined>>,
): ChildProcess {
  return fork(program.modulePath, [...program.arguments], {
    env: environment as NodeJS.ProcessEnv,
    execArgv: [...(program.nodeOptions ?? [])],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}
