import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from './product.ts'
import { writeProject } from './snippets.ts'
import { until } from './until.ts'

/** A Next application of a few files, built and served. */
export interface NextApp {
  readonly url: string
  /** Folder of the application; the build is in `.next` below it. */
  readonly folder: string
  stop(): Promise<void>
}

export interface NextAppOptions {
  readonly files: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
  /** Turbopack unless given. */
  readonly bundler?: 'webpack'
}

const common = {
  // For what is not transpiled: types are checked with all others, here the application is built.
  'tsconfig.json': JSON.stringify({
    extends: '../../../tsconfig.json',
    compilerOptions: {
      module: 'esnext',
      moduleResolution: 'bundler',
      jsx: 'react-jsx',
      types: ['node', 'react', 'react-dom', 'next'],
      isolatedModules: true,
      resolveJsonModule: true,
      esModuleInterop: true,
      allowJs: false,
      incremental: false,
      plugins: [{ name: 'next' }],
    },
    include: ['**/*.ts', '**/*.tsx'],
  }),
  'package.json': '{ "private": true, "type": "module" }',
  'app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {
    return <html lang="en"><body>{children}</body></html>
  }`,
}

/** A page with a button that breaks it; its error names the router. */
export function breakingPage(router: 'app' | 'pages'): string {
  return `'use client'
import { useState } from 'react'
function Broken(): never { throw new Error('failed in the ${router} router') }
export default function Page() {
  const [isBroken, setBroken] = useState(false)
  return isBroken ? <Broken /> : <button onClick={() => setBroken(true)}>Pay</button>
}`
}

/** Builds the application with `next build` and starts it; throws the output of a failing build. */
export async function startNextApp(name: string, options: NextAppOptions): Promise<NextApp> {
  const folder = writeProject(name, { ...common, ...options.files })
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    ...options.environment,
  }
  const flags = options.bundler === undefined ? [] : [`--${options.bundler}`]
  const building = next(folder, environment, ['build', ...flags])
  const [code] = (await once(building.child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`The build failed:\n${building.printed().slice(-4000)}`)

  const port = await freePort()
  const serving = next(folder, environment, ['start', '-p', String(port)])
  await until('Next is ready', () => serving.printed().includes('Ready in'), 60_000)
  return {
    url: `http://localhost:${port}`,
    folder,
    stop: async () => {
      serving.child.kill('SIGTERM')
      await once(serving.child, 'exit')
    },
  }
}

interface Running {
  readonly child: ChildProcess
  printed(): string
}

function next(folder: string, env: NodeJS.ProcessEnv, parameters: readonly string[]): Running {
  const path = fileURLToPath(import.meta.resolve('next/dist/bin/next'))
  const child = spawn(process.execPath, [path, ...parameters], { cwd: folder, env })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  }
  return { child, printed: () => text }
}
