/**
 * The load, as a process of its own: `node load.ts '{"port":…}'`. Speaks HTTP/1.1 over plain
 * sockets, so that the client costs little of the machine it shares with the server, and prints
 * one line of JSON at the end.
 */
import { connect, type Socket } from 'node:net'
import { createPayloads, ID_MARK, type Mix } from './payloads.ts'

export interface LoadOptions {
  readonly port: number
  readonly path: string
  readonly connections: number
  readonly seconds: number
  /** Requests per second over all connections; 0 is as fast as the server answers. */
  readonly perSecond: number
  readonly mix: Mix
  readonly seed: number
}

export interface LoadResult {
  readonly accepted: number
  readonly refused: number
  readonly bytes: number
  readonly seconds: number
  /** ms, of one request in 16 */
  readonly p50: number
  readonly p99: number
}

const POOL_SIZE = 3_000

if (process.argv[2] !== undefined) {
  const result = await load(JSON.parse(process.argv[2]) as LoadOptions)
  console.log(JSON.stringify(result))
  process.exit(0)
}

async function load(options: LoadOptions): Promise<LoadResult> {
  const payloads = createPayloads(options.seed)
  // Made beforehand: the client's own work must not be what is measured.
  const pool = Array.from({ length: POOL_SIZE }, () =>
    request(options.path, payloads.next(options.mix)),
  )
  let next = 0
  let accepted = 0
  let refused = 0
  let bytes = 0
  let sent = 0
  const latencies: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + options.seconds * 1000

  const mayGo = (): boolean =>
    options.perSecond === 0 || sent < ((performance.now() - startedAt) / 1000) * options.perSecond

  const run = async (): Promise<void> => {
    const socket = connect(options.port, '127.0.0.1')
    socket.setNoDelay(true)
    const answers = answersOf(socket)
    while (performance.now() < endsAt) {
      if (!mayGo()) {
        await new Promise((resolve) => setTimeout(resolve, 2))
        continue
      }
      sent += 1
      const { body, marks } = pool[next % pool.length] as PooledRequest
      const identity = (options.seed * 0x2000000 + next++).toString(16).padStart(8, '0').slice(-8)
      for (const mark of marks) body.write(identity, mark, 'latin1')
      const sentAt = performance.now()
      socket.write(body)
      const status = await answers.next()
      if (sent % 16 === 0) latencies.push(performance.now() - sentAt)
      bytes += body.length
      if (status === 200) accepted += 1
      else refused += 1
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: options.connections }, run))
  latencies.sort((a, b) => a - b)
  const seconds = (performance.now() - startedAt) / 1000
  return { accepted, refused, bytes, seconds, p50: at(latencies, 0.5), p99: at(latencies, 0.99) }
}

function at(sorted: readonly number[], q: number): number {
  return Number((sorted[Math.floor(sorted.length * q)] ?? 0).toFixed(2))
}

interface PooledRequest {
  readonly body: Buffer
  /** Offsets at which a fresh id is written before each sending. */
  readonly marks: readonly number[]
}

function request(path: string, body: Buffer): PooledRequest {
  const head =
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain;charset=UTF-8\r\n` +
    `Content-Length: ${body.length}\r\n\r\n`
  const whole = Buffer.concat([Buffer.from(head), body])
  const marks: number[] = []
  for (let at = whole.indexOf(ID_MARK); at !== -1; at = whole.indexOf(ID_MARK, at + 1))
    marks.push(at)
  return { body: whole, marks }
}

/** The status of one answer after the other; answers are small and carry a content-length or chunks. */
function answersOf(socket: Socket): { next(): Promise<number> } {
  let text = ''
  let waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | null = null
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
    const end = text.indexOf('\r\n\r\n')
    if (end === -1 || waiting === null) return
    const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1]
    const isWhole =
      length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length)
    if (!isWhole) return
    const status = Number(text.slice(9, 12))
    text = ''
    const { resolve } = waiting
    waiting = null
    resolve(status)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the server closed the connection')))
  return {
    next: () => new Promise((resolve, reject) => (waiting = { resolve, reject })),
  }
}
