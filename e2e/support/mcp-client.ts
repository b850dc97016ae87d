import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Product } from './product.ts'

const folder = fileURLToPath(new URL('../api-clients/', import.meta.url))

/** Sentry's MCP server as a program of its own, and a client that calls its tools. */
export interface McpClient {
  readonly tools: readonly string[]
  /** Calls a tool of the organisation `main`, and returns the text that it answers. */
  call(tool: string, parameters?: Readonly<Record<string, unknown>>): Promise<string>
  close(): Promise<void>
}

interface Sdk {
  readonly client: {
    connect(transport: unknown): Promise<void>
    listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
    callTool(call: {
      readonly name: string
      readonly arguments: Readonly<Record<string, unknown>>
    }): Promise<{ readonly isError?: boolean; readonly content: readonly { text?: string }[] }>
    close(): Promise<void>
  }
  readonly transport: unknown
}

/** Starts the server with all its skills, and connects to it. */
export async function startMcpClient(product: Product): Promise<McpClient> {
  const { client, transport } = await load(product)
  await client.connect(transport)
  const { tools } = await client.listTools()
  return {
    tools: tools.map(({ name }) => name),
    call: async (tool, parameters = {}) => {
      const answer = await client.callTool({
        name: tool,
        arguments: { organizationSlug: 'main', ...parameters },
      })
      const text = answer.content.map((part) => part.text ?? '').join('\n')
      if (answer.isError === true) throw new Error(`${tool}: ${text}`)
      return text
    },
    close: () => client.close(),
  }
}

async function load(product: Product): Promise<Sdk> {
  const require = createRequire(`${folder}package.json`)
  const from = (path: string) =>
    import(require.resolve(`@modelcontextprotocol/sdk/client/${path}.js`)) as Promise<
      Record<string, new (options: unknown) => never>
    >
  const [{ Client }, { StdioClientTransport }] = [await from('index'), await from('stdio')]
  if (Client === undefined || StdioClientTransport === undefined) throw new Error('not installed')
  const { host } = new URL(product.url)
  return {
    client: new Client({ name: 'journey', version: '1' }),
    transport: new StdioClientTransport({
      command: process.execPath,
      args: [
        'node_modules/@sentry/mcp-server/dist/index.js',
        `--host=${host}`,
        '--insecure-http',
        '--all-skills',
        `--access-token=${product.token}`,
      ],
      cwd: folder,
      env: { ...process.env, SENTRY_DSN: '', DISABLE_TELEMETRY: '1' },
      stderr: 'ignore',
    }),
  }
}
