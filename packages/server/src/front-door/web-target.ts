import { Agent, request as httpRequest, type ClientRequest, type RequestOptions } from 'node:http'
import { Agent as TlsAgent, request as httpsRequest } from 'node:https'
import type { Config } from '../config.ts'

/** The address of `web`: a socket of this machine, or another machine. */
export interface WebTarget {
  readonly request: (options: RequestOptions) => ClientRequest
  readonly agent: Agent
  /** The connection options of every request to it. */
  readonly address: RequestOptions
}

export function openWebTarget(web: Config['web']): WebTarget {
  if ('socketPath' in web) {
    const agent = new Agent({ keepAlive: true })
    return { request: httpRequest, agent, address: { agent, socketPath: web.socketPath } }
  }
  const url = new URL(web.url)
  const isTls = url.protocol === 'https:'
  const agent = isTls ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const port = Number(url.port) || (isTls ? 443 : 80)
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return { request: isTls ? httpsRequest : httpRequest, agent, address: { agent, hostname, port } }
}

/** Time and size within which `readFromWeb` reads a text; later or larger ones are not read. */
const READ_MS = 2_000
const READ_CHARACTERS_MAX = 1024 * 1024

/** Reads the text at an address of `web`; null when it does not answer 200 with one. */
export function readFromWeb(web: WebTarget, path: string): Promise<string | null> {
  const upstream = web.request({ ...web.address, agent: false, path, timeout: READ_MS })
  return new Promise((resolve) => {
    upstream.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (text.length > READ_CHARACTERS_MAX) upstream.destroy()
      })
      answer.on('close', () => resolve(answer.complete && answer.statusCode === 200 ? text : null))
    })
    upstream.on('timeout', () => upstream.destroy())
    upstream.on('error', () => resolve(null))
    upstream.end()
  })
}
