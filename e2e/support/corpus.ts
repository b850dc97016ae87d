import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { request as httpRequest } from 'node:http'

/** The recorded traffic of the official SDKs: requests, and what a server should show of them. */
export interface Corpus {
  readonly folder: string
  readonly jobs: readonly CorpusJob[]
  readonly totals: {
    readonly requests: number
    readonly item_types: Readonly<Record<string, number>>
  }
  readonly projectKeys: readonly { readonly project: string; readonly public_key: string }[]
  readonly requests: readonly CorpusRequest[]
}

export interface CorpusJob {
  readonly job: string
  readonly sdk: string
  /** The project that it was sent to. */
  readonly projectId: string
  readonly expect: {
    readonly item_types: Readonly<Record<string, number>>
    readonly errors?: readonly {
      readonly event_id: string
      readonly title: string
      readonly level: string
    }[]
    readonly transactions?: readonly {
      readonly event_id: string
      readonly transaction: string
      readonly op: string
      readonly trace_id: string
      readonly span_id: string
      readonly span_count: number
    }[]
    readonly segments?: readonly {
      readonly trace_id: string
      readonly span_id: string
      readonly op: string
    }[]
    readonly streamed_spans?: readonly {
      readonly trace_id: string
      readonly span_id: string
      readonly op: string
    }[]
    readonly sessions?: readonly {
      readonly sid: string
      readonly status: string
      readonly errors: number
    }[]
    readonly replays?: readonly {
      readonly replay_id: string
      readonly replay_type: string
      readonly segment_ids: readonly number[]
    }[]
    readonly logs?: readonly {
      readonly level: string
      readonly body: string
      readonly trace_id: string
    }[]
    readonly metrics?: readonly {
      readonly name: string
      readonly type: string
      readonly value: number
    }[]
    readonly check_ins?: readonly {
      readonly check_in_id: string
      readonly monitor_slug: string
      readonly status: string
    }[]
    readonly feedback?: readonly { readonly event_id?: string; readonly message: string }[]
    readonly attachments?: readonly {
      readonly event_id: string
      readonly filename: string
      readonly bytes: number
    }[]
  }
}

export interface CorpusRequest {
  readonly name: string
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** ms: the `sent_at` of its envelope, else when it was recorded. */
  readonly sentAt: number
  readonly projectId: string
  readonly itemTypes: Readonly<Record<string, number>>
}

export function readCorpus(folder: string): Corpus {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    jobs: (Omit<CorpusJob, 'projectId'> & { files: { file: string }[] })[]
    totals: Corpus['totals']
    project_keys: Corpus['projectKeys']
  }
  const names = readdirSync(folder)
    .filter((file) => /^\d+-.*\.json$/.test(file))
    .sort()
  const requests = names.map((file) => readRequest(folder, file))
  const projectOf = new Map(requests.map(({ name, projectId }) => [name, projectId]))
  return {
    folder,
    jobs: manifest.jobs.map((job) => ({
      ...job,
      projectId: projectOf.get(job.files[0]?.file ?? '') ?? '',
    })),
    totals: manifest.totals,
    projectKeys: manifest.project_keys,
    requests,
  }
}

function readRequest(folder: string, file: string): CorpusRequest {
  const recorded = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
    request: { method: string; url: string; path: string; headers: Record<string, string> }
    received_at: string
    body: { file: string }
    expect: { item_types: Record<string, number> }
    name: string
  }
  const body = readFileSync(join(folder, recorded.body.file))
  const { headers } = recorded.request
  const sentAt = /"sent_at":"([^"]+)"/.exec(body.subarray(0, 2000).toString('latin1'))?.[1]
  const direct = /^\/api\/(\d+)\//.exec(recorded.request.path)?.[1]
  const tunnelled = new URL(recorded.request.url, 'http://app').searchParams.get('p')
  return {
    name: recorded.name,
    url: recorded.request.url,
    method: recorded.request.method,
    headers,
    body,
    sentAt: Date.parse(sentAt ?? recorded.received_at),
    projectId: direct ?? tunnelled ?? '',
    itemTypes: recorded.expect.item_types,
  }
}

/**
 * Sends a recorded request to a server as it was: same path, same body, same headers but the host
 * and the lengths. With `receivedAt` the server (under the test clock) takes that as its time of receipt.
 */
export async function sendRecorded(
  serverUrl: string,
  recorded: CorpusRequest,
  receivedAt?: number,
): Promise<{ readonly status: number; readonly text: string }> {
  const server = new URL(serverUrl)
  const {
    host,
    connection,
    'content-length': length,
    'transfer-encoding': coding,
    ...headers
  } = recorded.headers
  void [host, connection, length, coding]
  const outgoing: Record<string, string | number> = {
    ...headers,
    'content-length': recorded.body.length,
  }
  if (receivedAt !== undefined) outgoing['x-afterimage-test-received-at'] = receivedAt
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const request = httpRequest(
    {
      host: server.hostname,
      port: server.port,
      method: recorded.method,
      path: recorded.url,
      headers: outgoing,
    },
    (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    },
  )
  request.on('error', reject)
  request.end(recorded.body)
  return promise
}
