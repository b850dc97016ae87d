import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { UploadFailed } from './upload-failed.ts'
import { firstPauseMs, requestMs, stateEveryMs, stateMs, triesMax } from './limits.ts'

/** The server to upload to, and with which token. */
export interface UploadTarget {
  /** Its address, without a closing slash. */
  readonly server: string
  readonly token: string
}

export interface ArchiveUpload {
  readonly path: string
  readonly project: string
  readonly release: string | null
  readonly dist: string | null
}

interface Part {
  readonly sha1: string
  readonly start: number
  readonly end: number
}

interface State {
  readonly state: 'not_found' | 'created' | 'assembling' | 'ok' | 'error'
  readonly missingChunks?: readonly string[]
  readonly detail?: string | null
}

/**
 * Uploads an archive in parts, of which only those that the server lacks are sent, and waits until it
 * is taken in. @throws UploadFailed
 */
export async function uploadArchive(
  target: UploadTarget,
  upload: ArchiveUpload,
  onProgress: (sent: number, of: number) => void,
): Promise<void> {
  const { url, chunkSize } = await ask<{ url: string; chunkSize: number }>(
    target,
    `${target.server}/api/0/organizations/main/chunk-upload/`,
  )
  await using file = await open(upload.path)
  const { checksum, parts } = await partsOf(file, chunkSize)
  const body = JSON.stringify({
    checksum,
    chunks: parts.map(({ sha1 }) => sha1),
    projects: [upload.project],
    version: upload.release,
    dist: upload.dist,
  })
  const assemble = () =>
    ask<State>(target, `${target.server}/api/0/organizations/main/artifactbundle/assemble/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
  let state = await assemble()
  const missing = parts.filter(({ sha1 }) => state.missingChunks?.includes(sha1))
  for (const [index, part] of missing.entries()) {
    onProgress(index, missing.length)
    await sendPart(target, url, file, part)
  }
  onProgress(missing.length, missing.length)
  const giveUpAt = performance.now() + stateMs
  if (missing.length > 0) state = await assemble()
  while (state.state !== 'ok') {
    if (state.state === 'error') throw new UploadFailed(state.detail ?? 'The upload failed.')
    if (performance.now() > giveUpAt) throw new UploadFailed('The server did not take it in.')
    await delay(stateEveryMs)
    state = await assemble()
  }
}

async function partsOf(
  file: FileHandle,
  chunkSize: number,
): Promise<{ readonly checksum: string; readonly parts: readonly Part[] }> {
  const { size } = await file.stat()
  const whole = createHash('sha1')
  const parts: Part[] = []
  for (let start = 0; start < size; start += chunkSize) {
    const end = Math.min(start + chunkSize, size)
    const content = await readPart(file, { start, end })
    whole.update(content)
    parts.push({ sha1: createHash('sha1').update(content).digest('hex'), start, end })
  }
  return { checksum: whole.digest('hex'), parts }
}

async function readPart(
  file: FileHandle,
  { start, end }: Omit<Part, 'sha1'>,
): Promise<Buffer<ArrayBuffer>> {
  const content = Buffer.alloc(end - start)
  await file.read(content, 0, content.length, start)
  return content
}

async function sendPart(
  target: UploadTarget,
  url: string,
  file: FileHandle,
  part: Part,
): Promise<void> {
  const body = new FormData()
  const content = await promisify(gzip)(await readPart(file, part))
  body.append('file_gzip', new File([new Uint8Array(content)], part.sha1))
  await ask(target, url, { method: 'POST', body })
}

/** Sends a request, again when the network or the server failed. @throws UploadFailed */
export async function ask<T>(
  target: UploadTarget,
  url: string,
  init: RequestInit = {},
): Promise<T> {
  for (let tries = 1, pause = firstPauseMs; ; tries += 1, pause *= 2) {
    const answered = await tryOnce(target, url, init)
    if (!(answered instanceof UploadFailed)) return answered as T
    if (!answered.isPassing || tries === triesMax) throw answered
    await delay(pause)
  }
}

async function tryOnce(target: UploadTarget, url: string, init: RequestInit): Promise<unknown> {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${target.token}`)
  let response: Response
  let text: string
  try {
    response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(requestMs) })
    text = await response.text()
  } catch (cause) {
    const why = (cause as { cause?: { code?: string } }).cause?.code ?? (cause as Error).message
    return new UploadFailed(`${target.server} cannot be reached (${why}).`, true)
  }
  if (response.ok) return text === '' ? null : parsed(text)
  const { detail } = parsed(text) as { detail?: string }
  const isPassing = response.status >= 500 || response.status === 429 || response.status === 408
  return new UploadFailed(reasonOf(response.status, detail ?? '', target), isPassing)
}

function reasonOf(status: number, detail: string, { server }: UploadTarget): string {
  if (status === 401) return `${server} does not know the token: make one on its page of settings.`
  if (status === 404) return `${server} has no such address: is it an Afterimage server?`
  return `${server} answered ${status}: ${detail}`
}

function parsed(text: string): object {
  try {
    return (JSON.parse(text) as object | null) ?? {}
  } catch {
    return {}
  }
}
