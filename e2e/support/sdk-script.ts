import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { until } from './until.ts'

/** A server of `e2e/sdks/servers`, which has an official SDK. */
export interface SdkScript {
  readonly url: string
  readonly child: ChildProcess
}

const sdks = fileURLToPath(new URL('../sdks', import.meta.url))

/** Starts a server with the installed SDKs; resolves when it has printed its port. */
export async function startSdkScript(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> & { readonly DSN: string },
): Promise<SdkScript> {
  const DSN = environment.DSN.replace('localhost', '127.0.0.1')
  const env = { ...process.env, ...environment, DSN }
  const child = spawn(process.execPath, parameters, {
    cwd: sdks,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const port = await until('the server listens', () => /port (\d+)/.exec(printed)?.[1])
  return { url: `http://127.0.0.1:${port}`, child }
}
