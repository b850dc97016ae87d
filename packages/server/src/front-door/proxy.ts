/** Hands every request that is not for ingest to `web`, upgrades included. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Config } from '../config.ts'
import { BodyBudget } from '../ingest/body-budget.ts'
import { BodyWatch } from '../ingest/body-watch.ts'
import type { FrontDoorLimits } from './limits.ts'
import { requestHeaders, type ForwardingOptions } from './forwarded-headers.ts'
import { answerStatus, WebExchange, type ExchangeContext } from './web-exchange.ts'
import { WebLine } from './web-line.ts'
import { WebQueue } from './web-queue.ts'
import { openWebTarget, readFromWeb } from './web-target.ts'
import { joinUpgraded, refuseUpgrade } from './web-upgrade.ts'

export interface WebProxy {
  forward(request: IncomingMessage, response: ServerResponse): void
  /** Answers with a status of its own, as a page where a page was asked for. */
  refuse(request: IncomingMessage, response: ServerResponse, status: number): void
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** The text at an address of `web`; null when it does not answer with one. */
  read(path: string): Promise<string | null>
  /** Requests that wait for their turn. */
  readonly waiting: number
  /** Ends upgraded connections: they never end by themselves, and a server waits for them. */
  endUpgraded(): void
  close(): void
}

export interface WebProxyOptions extends ForwardingOptions {
  readonly web: Config['web']
  readonly limits: FrontDoorLimits
  /** Told of every request that `web` did not answer. */
  readonly onFailure: (cause: Error) => void
}

export function createWebProxy(options: WebProxyOptions): WebProxy {
  const { limits, onFailure } = options
  const web = openWebTarget(options.web)
  const context: ExchangeContext = {
    web,
    limits,
    forwarding: options,
    queue: new WebQueue(limits),
    budget: new BodyBudget({ ...limits, bodiesBytesMax: limits.webBodiesBytesMax }),
    watch: new BodyWatch({ bodyIdleMs: limits.bodyIdleMs, bodyMs: limits.webBodyMs }),
    onFailure,
  }
  const lines = new WeakMap<Socket, WebLine>()
  const upgraded = new Set<Duplex>()
  const lineOf = (socket: Socket): WebLine => {
    const known = lines.get(socket)
    if (known !== undefined) return known
    const line = new WebLine(socket, limits.pipelinedMax)
    lines.set(socket, line)
    return line
  }
  return {
    forward: (request, response) => {
      if (request.socket.destroyed) return
      const exchange = new WebExchange(context, request, response)
      // Nobody sends so many without waiting for an answer, but for harm.
      if (!lineOf(request.socket).add((signal) => exchange.run(signal))) request.socket.destroy()
    },
    refuse: (request, response, status) => {
      const serve = (signal: AbortSignal) =>
        answerStatus(context, request, response, status, signal)
      if (!lineOf(request.socket).add(serve)) request.socket.destroy()
    },
    upgrade: (request, socket, head) => {
      if (upgraded.size >= limits.upgradedMax) return refuseUpgrade(socket)
      upgraded.add(socket)
      socket.on('close', () => upgraded.delete(socket))
      const upstream = web.request({
        ...web.address,
        agent: false,
        method: request.method ?? 'GET',
        path: request.url ?? '/',
        headers: {
          ...requestHeaders(request, options),
          connection: 'upgrade',
          upgrade: request.headers.upgrade ?? '',
        },
      })
      joinUpgraded(upstream, socket, head, onFailure)
    },
    read: (path) => readFromWeb(web, path),
    get waiting() {
      return context.queue.waiting
    },
    endUpgraded: () => {
      for (const socket of upgraded) socket.destroy()
    },
    close: () => {
      context.watch.close()
      web.agent.destroy()
    },
  }
}
