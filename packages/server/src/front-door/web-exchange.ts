import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { drain } from '../ingest/answer.ts'
import type { BodyBudget } from '../ingest/body-budget.ts'
import type { BodyWatch } from '../ingest/body-watch.ts'
import type { FrontDoorLimits } from './limits.ts'
import { isForProgram, sendProblem } from './error-page.ts'
import {
  endToEndHeaders,
  requestHeaders,
  statusHeader,
  type ForwardingOptions,
} from './forwarded-headers.ts'
import { hasBody, readWebBody } from './web-body.ts'
import type { WebQueue, WebTurn } from './web-queue.ts'
import type { WebTarget } from './web-target.ts'

/** The context that all exchanges share. */
export interface ExchangeContext {
  readonly web: WebTarget
  readonly limits: FrontDoorLimits
  readonly forwarding: ForwardingOptions
  readonly queue: WebQueue
  readonly budget: BodyBudget
  readonly watch: BodyWatch
  readonly onFailure: (cause: Error) => void
}

/** One request to `web`. */
interface Question {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Buffer
}

/** One request for `web`: its body is read, its turn awaited, its answer streamed to the sender. */
export class WebExchange {
  readonly #context: ExchangeContext
  readonly #request: IncomingMessage
  readonly #response: ServerResponse

  constructor(context: ExchangeContext, request: IncomingMessage, response: ServerResponse) {
    this.#context = context
    this.#request = request
    this.#response = response
  }

  async run(signal: AbortSignal): Promise<void> {
    using hold = this.#context.budget.hold()
    const { watch } = this.#context
    const request = this.#request
    const body = hasBody(request) ? await readWebBody(request, { hold, watch }) : Buffer.alloc(0)
    if (body === 'gone') return
    if (!Buffer.isBuffer(body)) {
      return answerStatus(this.#context, request, this.#response, body, signal)
    }
    const headers = requestHeaders(request, this.#context.forwarding)
    // Its length is known now, however it came.
    if (hasBody(request)) setLength(headers, body.length)
    const { method = 'GET', url: path = '/' } = request
    const isAnswered = await this.#ask({ method, path, headers, body }, signal)
    if (!isAnswered && !signal.aborted) sendProblem(request, this.#response, 503)
  }

  /** Answers with the page that `web` draws for a status, or with our own where it cannot. */
  async showStatus(status: number, signal: AbortSignal): Promise<void> {
    const isShown = await this.#ask(
      {
        method: this.#request.method === 'HEAD' ? 'HEAD' : 'GET',
        path: `/status/${status}`,
        headers: { host: this.#request.headers.host ?? '', [statusHeader]: String(status) },
        body: Buffer.alloc(0),
      },
      signal,
    )
    if (!isShown && !signal.aborted) sendProblem(this.#request, this.#response, status)
  }

  /** Waits for a turn, asks web, and streams the answer. Returns false when web gave no answer. */
  async #ask(question: Question, signal: AbortSignal): Promise<boolean> {
    const { queue, limits, forwarding, onFailure } = this.#context
    const sender = forwarding.addressOf(this.#request) ?? ''
    let turn: WebTurn | undefined
    const isMine = await new Promise<boolean>((resolve) => {
      signal.addEventListener('abort', () => resolve(false), { once: true })
      turn = queue.enter(
        sender,
        () => resolve(true),
        () => resolve(false),
      )
    })
    try {
      if (signal.aborted) return false
      if (!isMine) {
        onFailure(new Error('too many requests wait for web'))
        return false
      }
      const giveUpAt = performance.now() + limits.webConnectMs
      for (let tries = 1; ; tries += 1) {
        const upstream = this.#open(question)
        const cause = await this.#stream(upstream, question, signal, () => turn?.leave())
        if (cause === null || signal.aborted) return true
        if (isFull(cause) && performance.now() < giveUpAt) await sleep(limits.webRetryMs)
        else if (tries > 1 || !isStale(upstream, cause, question)) {
          onFailure(cause)
          return false
        }
      }
    } finally {
      turn?.leave()
    }
  }

  #open(question: Question): ClientRequest {
    const { web } = this.#context
    const { method, path, headers } = question
    return web.request({ ...web.address, method, path, headers })
  }

  /**
   * Resolves with null when the answer has been streamed or its reader has gone, and with the cause
   * where `web` has given no answer.
   */
  #stream(
    upstream: ClientRequest,
    question: Question,
    signal: AbortSignal,
    leave: () => void,
  ): Promise<Error | null> {
    const response = this.#response
    const { limits } = this.#context
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      const abort = (): void => void upstream.destroy()
      const finish = (cause: Error | null): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        response.off('close', onClose)
        resolve(cause)
      }
      const onClose = (): void => {
        if (!response.writableFinished) upstream.destroy()
        finish(null)
      }
      signal.addEventListener('abort', abort)
      response.on('close', onClose)
      upstream.on('response', (answer) => {
        // A reader who takes a long time keeps nobody else from being answered.
        timer = setTimeout(leave, limits.webTurnMs)
        response.setTimeout(limits.answerIdleMs, () => response.destroy())
        response.writeHead(answer.statusCode ?? 502, endToEndHeaders(answer.rawHeaders))
        answer.on('error', () => response.destroy())
        answer.on('close', () => {
          if (!answer.complete) response.destroy()
        })
        answer.pipe(response)
      })
      upstream.on('error', (cause) => {
        if (response.headersSent) response.destroy()
        else finish(cause)
      })
      upstream.end(question.body)
    })
  }
}

/**
 * Answers a request that goes no further: programs get JSON, pages get the page that `web` draws
 * for the status. The rest of the body is read and dropped.
 */
export async function answerStatus(
  context: ExchangeContext,
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return
  if (status === 503 || isForProgram(request)) sendProblem(request, response, status)
  else await new WebExchange(context, request, response).showStatus(status, signal)
  if (!request.complete) drain(request, context.limits)
}

function setLength(headers: Record<string, string | string[]>, length: number): void {
  for (const name of Object.keys(headers)) {
    if (name.toLowerCase() === 'content-length') delete headers[name]
  }
  headers['content-length'] = String(length)
}

/** Tells whether `web` has more connections waiting than it can hold; it was sent nothing yet. */
function isFull(cause: Error & { code?: string }): boolean {
  return cause.code === 'EAGAIN'
}

/**
 * Tells whether a request met a kept connection that was being closed at that moment: nothing was wrong
 * with either, so what may be asked twice is asked again.
 */
function isStale(
  upstream: ClientRequest,
  cause: Error & { code?: string },
  { method, body }: Question,
): boolean {
  if (!upstream.reusedSocket || (cause.code !== 'ECONNRESET' && cause.code !== 'EPIPE'))
    return false
  return (method === 'GET' || method === 'HEAD') && body.length === 0
}
