/**
 * The front door: one HTTP server on one port. Takes envelopes in all the ways SDKs send them and
 * answers when they are on disk; everything else goes to `web`.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isRefusal } from '@afterimage/protocol/outcome'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { QueueWriter } from '../storage/queue/port.ts'
import {
  detailAnswer,
  failureAnswer,
  methodAnswer,
  preflightAnswer,
  refusalAnswer,
  send,
  type Answer,
} from '../ingest/answer.ts'
import type { Arrival, IngestContext } from '../ingest/arrival.ts'
import { readPublicKey } from '../ingest/authenticate.ts'
import { BodyBudget } from '../ingest/body-budget.ts'
import { BodyWatch } from '../ingest/body-watch.ts'
import { createClientAddressReader, type ReadClientAddress } from './client-address.ts'
import {
  answerClientSettings,
  settingsAddress,
  type ClientSettingsOf,
} from '../ingest/client-settings.ts'
import { answerCron } from '../ingest/cron.ts'
import { answerEnvelope, answerTunnel } from '../ingest/envelope.ts'
import { defaultFrontDoorLimits, type FrontDoorLimits } from './limits.ts'
import { createIngestMetrics, type IngestMetrics } from '../ingest/metrics.ts'
import { renderProblemPage } from './error-page.ts'
import { webFiguresPath, webReadinessPath } from './inner-addresses.ts'
import { refusalOfMetrics, type RightsOfToken } from './metrics-access.ts'
import type { ProjectKeys } from '../ingest/project-keys.ts'
import { countRefusedKeys, type RefusedKeys } from '../ingest/refused-keys.ts'
import { createWebProxy, type WebProxy } from './proxy.ts'
import { strictTransport } from './strict-transport.ts'
import { methodsOf, routeOf, type IngestRoute, type OwnRoute, type Route } from './routes.ts'
import { answerSecurity } from '../ingest/security.ts'
import { answerStore } from '../ingest/store.ts'

export interface IngestDependencies {
  readonly queue: QueueWriter
  readonly keys: ProjectKeys
  readonly settingsOf: ClientSettingsOf
  readonly rightsOf: RightsOfToken
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly limits?: Partial<FrontDoorLimits>
}

export type IngestSettings = Pick<
  Config,
  'baseUrl' | 'tunnelPath' | 'regions' | 'trustProxy' | 'web' | 'hasTestClock'
>

export interface IngestServer {
  /** Resolves with the port, which is a free one when 0 was asked for. */
  listen(address: { readonly host: string; readonly port: number }): Promise<number>
  /** Takes no new request, lets those in flight finish within the limit, then closes. */
  close(): Promise<void>
}

export function createIngestServer(
  dependencies: IngestDependencies,
  settings: IngestSettings,
): IngestServer {
  const limits = { ...defaultFrontDoorLimits, ...dependencies.limits }
  const door = new FrontDoor(dependencies, settings, limits)
  const server = createServer(
    {
      // Twice the limit: headers slightly over the limit get a page that says so.
      maxHeaderSize: 2 * limits.headBytesMax,
      headersTimeout: limits.headMs,
      // Bodies have limits of their own: uploads to `web` may take long, envelopes may not.
      requestTimeout: 0,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: Math.min(limits.headMs, 2_000),
      noDelay: true,
    },
    (request, response) => door.handle(request, response),
  )
  server.maxConnections = limits.connectionsMax
  // One more than may be: those beyond it would be left out without a word.
  server.maxHeadersCount = limits.headersMax + 1
  server.on('upgrade', (request, socket, head) => door.upgrade(request, socket, head))
  server.on('clientError', (cause, socket) => door.answerBrokenRequest(cause, socket))
  return {
    listen: ({ host, port }) => listen(server, host, port),
    close: async () => {
      door.endUpgraded()
      await stop(server, limits.stopMs)
      await door.close()
    },
  }
}

/** An answer about readiness holds this long. */
const READINESS_MS = 1_000

class FrontDoor {
  readonly #dependencies: IngestDependencies
  readonly #settings: IngestSettings
  readonly #limits: FrontDoorLimits
  readonly #budget: BodyBudget
  readonly #metrics: IngestMetrics
  readonly #watch: BodyWatch
  readonly #refusedKeys: RefusedKeys
  readonly #context: IngestContext
  readonly #addressOf: ReadClientAddress
  readonly #proxy: WebProxy
  readonly #strictTransport: string | null
  readonly #warnedAt = new Map<string, number>()
  #readiness: { readonly askedAt: number; readonly answer: Promise<Answer> } | null = null

  constructor(dependencies: IngestDependencies, settings: IngestSettings, limits: FrontDoorLimits) {
    const { queue, keys, settingsOf } = dependencies
    this.#dependencies = dependencies
    this.#settings = settings
    this.#limits = limits
    this.#budget = new BodyBudget(limits)
    this.#metrics = createIngestMetrics(queue, this.#budget, () => this.#proxy.waiting)
    this.#watch = new BodyWatch(limits)
    this.#refusedKeys = countRefusedKeys(
      queue,
      (id) => keys.hasProject(id),
      (cause) => this.#warn('refused keys could not be counted', { err: cause }),
    )
    this.#context = {
      queue,
      keys,
      settingsOf,
      refusedKeys: this.#refusedKeys,
      limits,
      metrics: this.#metrics,
      watch: this.#watch,
      regions: settings.regions,
    }
    this.#strictTransport = strictTransport(settings.baseUrl)
    this.#addressOf = createClientAddressReader(settings.trustProxy)
    this.#proxy = createWebProxy({
      web: settings.web,
      limits,
      addressOf: this.#addressOf,
      isBehindProxy: settings.trustProxy.type !== 'none',
      onFailure: (cause) => {
        this.#metrics.proxyFailed()
        this.#warn('web did not answer', { err: cause })
      },
    })
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const [path = '/', search = ''] = splitOnce(request.url ?? '/', '?')
    const route = routeOf(path, this.#settings.tunnelPath)
    const isForWeb = route.type === 'web' || route.type === 'inner'
    if (isForWeb && this.#strictTransport !== null) {
      response.setHeader('strict-transport-security', this.#strictTransport)
    }
    const status = refusedHead(request, this.#limits)
    if (status !== null) return this.#refuseHead(route, request, response, status)
    if (route.type === 'web') return this.#proxy.forward(request, response)
    if (route.type === 'inner') return this.#proxy.refuse(request, response, 404)
    void this.#answer(route, request, response, search)
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (refusedHead(request, this.#limits) === null) this.#proxy.upgrade(request, socket, head)
    else socket.destroy()
  }

  #refuseHead(
    route: Route,
    request: IncomingMessage,
    response: ServerResponse,
    status: 414 | 431,
  ): void {
    this.#metrics.refused('broken_request')
    response.shouldKeepAlive = false
    if (route.type === 'web' || route.type === 'inner') {
      return this.#proxy.refuse(request, response, status)
    }
    const detail = status === 414 ? 'the address is too long' : 'the request headers are too large'
    send(request, response, detailAnswer(status, detail, []), this.#limits)
  }

  /** A request that HTTP itself forbids never becomes one; its connection is told and closed. */
  answerBrokenRequest(cause: Error & { code?: string }, socket: Duplex): void {
    this.#metrics.refused('broken_request')
    if (!socket.writable || (socket as Socket).bytesWritten > 0) return void socket.destroy()
    const [status, text] =
      cause.code === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'the request headers are too large']
        : cause.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? ['408 Request Timeout', 'the request headers did not come in time']
          : ['400 Bad Request', 'this is not an HTTP request']
    // Headers as large as that come from a browser full of cookies: it is shown a page.
    const isPage = status.startsWith('431')
    const body = isPage ? renderProblemPage(431) : JSON.stringify({ detail: text, causes: [] })
    const strict = this.#strictTransport
    socket.end(
      `HTTP/1.1 ${status}\r\ncontent-type: ${isPage ? 'text/html; charset=utf-8' : 'application/json'}\r\n` +
        (strict === null ? '' : `strict-transport-security: ${strict}\r\n`) +
        `access-control-allow-origin: *\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
        `connection: close\r\n\r\n${body}`,
    )
  }

  endUpgraded(): void {
    this.#proxy.endUpgraded()
  }

  async close(): Promise<void> {
    this.#refusedKeys.close()
    await this.#refusedKeys.flush()
    this.#watch.close()
    this.#proxy.close()
  }

  /** The edge at which every failure becomes an answer. */
  async #answer(
    route: OwnRoute,
    request: IncomingMessage,
    response: ServerResponse,
    search: string,
  ): Promise<void> {
    let answer: Answer
    try {
      answer = await this.#answerOf(route, request, search)
    } catch (cause) {
      answer = this.#answerFailure(cause, request)
    }
    try {
      this.#metrics.answered(route.type, answer.status)
      if (answer.refused !== undefined) this.#metrics.refused(answer.refused)
      send(request, response, answer, this.#limits)
    } catch (cause) {
      this.#dependencies.log.error({ err: cause }, 'an answer could not be sent')
      response.destroy()
    }
  }

  #answerOf(route: OwnRoute, request: IncomingMessage, search: string): Promise<Answer> | Answer {
    switch (route.type) {
      case 'health':
        return { status: 200, body: '{"status":"ok"}', isOwn: true }
      case 'readiness':
        return this.#answerReadiness()
      case 'metrics':
        return this.#answerMetrics(request)
      default:
        return this.#answerIngest(route, request, new URLSearchParams(search))
    }
  }

  #answerFailure(cause: unknown, request: IncomingMessage): Answer {
    const path = (request.url ?? '').split('?')[0]
    if (cause instanceof AppError) {
      this.#warn(`requests fail with ${cause.code}`, { err: cause, path })
      return failureAnswer(cause)
    }
    this.#dependencies.log.error({ err: cause, path }, 'a request failed unexpectedly')
    return { ...detailAnswer(500, 'internal error', []), refused: 'internal' }
  }

  /** Once a second and subject: under overload every request would say the same. It is counted. */
  #warn(subject: string, details: object): void {
    const now = performance.now()
    if (now - (this.#warnedAt.get(subject) ?? -Infinity) < 1000) return
    this.#warnedAt.set(subject, now)
    this.#dependencies.log.warn(details, subject)
  }

  /** Tells whether envelopes can be stored and the console read. Checked at most once a second. */
  #answerReadiness(): Promise<Answer> {
    const now = performance.now()
    if (this.#readiness === null || now - this.#readiness.askedAt >= READINESS_MS) {
      this.#readiness = { askedAt: now, answer: this.#findReadiness() }
    }
    return this.#readiness.answer
  }

  async #findReadiness(): Promise<Answer> {
    await this.#dependencies.queue.check()
    if ((await this.#proxy.read(webReadinessPath)) !== null) {
      return { status: 200, body: '{"status":"ready"}', isOwn: true }
    }
    const detail = 'the console and the API do not answer; envelopes are taken all the same'
    const body = JSON.stringify({ status: 'not ready', detail })
    return { status: 503, body, isOwn: true, headers: { 'retry-after': '5' } }
  }

  async #answerMetrics(request: IncomingMessage): Promise<Answer> {
    const refused = await refusalOfMetrics(request, this.#dependencies.rightsOf)
    if (refused !== null) return { ...refused, isOwn: true }
    const { contentType, text } = await this.#metrics.render()
    // Only a web on this machine is asked: another one's address may be anybody's.
    const isLocal = 'socketPath' in this.#settings.web
    const ofWeb = isLocal ? await this.#proxy.read(webFiguresPath) : null
    return { status: 200, body: text + (ofWeb ?? ''), contentType, isOwn: true }
  }

  async #answerIngest(
    route: IngestRoute,
    request: IncomingMessage,
    query: URLSearchParams,
  ): Promise<Answer> {
    if (request.method === 'OPTIONS') return preflightAnswer(request)
    const asked = settingsAddress(route, request, query)
    const allowed = methodsOf(route.type)
    if (!asked && !allowed.includes(request.method ?? '')) return methodAnswer(allowed)
    using hold = this.#budget.hold()
    const arrival: Arrival = {
      request,
      query,
      hold,
      receivedAt: this.#receivedAt(request),
      remoteAddress: this.#addressOf(request),
      userAgent: request.headers['user-agent']?.slice(0, 512) ?? null,
    }
    if (asked) return await answerClientSettings(this.#context, arrival, asked)
    // The tunnel is asked by pages, whose requests may carry a password of the site in front.
    if (route.type === 'tunnel') return await answerTunnel(this.#context, arrival)
    const pathKey = route.type === 'cron' ? route.key : null
    const publicKey = readPublicKey(request.headers, query, pathKey)
    if (isRefusal(publicKey)) return refusalAnswer(publicKey)
    const answer = await this.#answerSender(route, arrival, publicKey)
    // Without a key in the request the envelope's own header named the project, and was counted.
    if (publicKey !== null) this.#refusedKeys.note(route.project, answer.refused)
    return answer
  }

  #answerSender(
    route: Exclude<IngestRoute, { readonly type: 'tunnel' }>,
    arrival: Arrival,
    publicKey: string | null,
  ): Promise<Answer> {
    switch (route.type) {
      case 'envelope':
        return answerEnvelope(this.#context, arrival, route.project, publicKey)
      case 'store':
        return answerStore(this.#context, arrival, route.project, publicKey)
      case 'security':
      case 'nel':
        return answerSecurity(this.#context, arrival, route.project, publicKey)
      case 'cron':
        return answerCron(this.#context, arrival, route, publicKey)
    }
  }

  #receivedAt(request: IncomingMessage): number {
    if (this.#settings.hasTestClock) {
      const given = Number(request.headers['x-afterimage-test-received-at'])
      if (given > 0) return given
    }
    return Date.now()
  }
}

/** The status of a request whose address or headers are over their limits; null for all others. */
function refusedHead(request: IncomingMessage, limits: FrontDoorLimits): 414 | 431 | null {
  const { url = '', rawHeaders } = request
  if (url.length > limits.targetBytesMax) return 414
  if (rawHeaders.length > 2 * limits.headersMax) return 431
  let bytes = url.length
  // Each is followed by two more characters on the wire.
  for (const part of rawHeaders) bytes += part.length + 2
  return bytes > limits.headBytesMax ? 431 : null
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function stop(server: Server, stopMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A connection turns idle with its last answer, which may still be on its way.
  const sweep = setInterval(() => server.closeIdleConnections(), 20)
  const timer = setTimeout(() => server.closeAllConnections(), stopMs)
  await closed
  clearInterval(sweep)
  clearTimeout(timer)
}
