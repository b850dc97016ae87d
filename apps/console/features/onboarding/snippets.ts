/** What a client needs to be told: where to report. */
export interface Address {
  readonly dsn: string
  /** `/monitoring?o=1&p=2` */
  readonly tunnel: string
  /** Origin of this server, without a slash at the end. */
  readonly origin: string
}

/** A piece of a code block; `mark` is what was filled in for this project. */
export type CodePart = string | { readonly mark: string } | { readonly quiet: string }

export interface SetupStep {
  readonly title: string
  readonly note?: string
  readonly code: readonly CodePart[]
}

export interface Framework {
  readonly id: string
  readonly label: string
  readonly steps: (address: Address) => readonly SetupStep[]
}

const OWN_DOMAIN =
  'The tunnel keeps reports on your own domain, so that ad-blockers do not drop them.'

/** Set-up by framework. All use the official Sentry SDKs: only the address is ours. */
export const FRAMEWORKS: readonly Framework[] = [
  {
    id: 'nextjs',
    label: 'Next.js',
    steps: (address) => [
      install('npm install @sentry/nextjs'),
      {
        title: 'Start it with your DSN',
        note: OWN_DOMAIN,
        code: [quiet('// instrumentation-client.ts'), ...browserInit('@sentry/nextjs', address)],
      },
      {
        title: 'Let your own domain carry it',
        note: 'Next passes the tunnel’s requests on to this server.',
        code: [
          quiet('// next.config.ts'),
          "export default {\n  rewrites: async () => [\n    { source: '",
          { mark: tunnelPath(address) },
          "', destination: '",
          { mark: `${address.origin}${tunnelPath(address)}` },
          "' },\n  ],\n}",
        ],
      },
    ],
  },
  browserFramework('react', 'React', '@sentry/react', 'main.tsx, before the root is rendered'),
  {
    id: 'vue',
    label: 'Vue',
    steps: (address) => [
      install('npm install @sentry/vue'),
      {
        title: 'Start it with your DSN',
        note: OWN_DOMAIN,
        code: [
          quiet('// main.ts'),
          "import * as Sentry from '@sentry/vue'\n\nSentry.init({\n  app,",
          ...options(address),
          '\n})',
        ],
      },
      proxyStep(address),
    ],
  },
  browserFramework('svelte', 'Svelte', '@sentry/svelte', 'main.ts, before the app is mounted'),
  browserFramework('browser', 'Browser', '@sentry/browser', 'the first script of the page'),
  {
    id: 'node',
    label: 'Node',
    steps: (address) => [
      install('npm install @sentry/node'),
      {
        title: 'Start it with your DSN',
        note: 'Before anything else is imported.',
        code: [
          quiet('// instrument.mjs'),
          "import * as Sentry from '@sentry/node'\n\nSentry.init({\n  dsn: '",
          { mark: address.dsn },
          "',\n  tracesSampleRate: 1,\n  release: process.env.RELEASE,\n})",
        ],
      },
      { title: 'Run it', code: ['node --import ./instrument.mjs app.mjs'] },
    ],
  },
  {
    id: 'python',
    label: 'Python',
    steps: (address) => [
      install('pip install sentry-sdk'),
      {
        title: 'Start it with your DSN',
        note: 'Before the application is made.',
        code: [
          'import sentry_sdk\n\nsentry_sdk.init(\n    dsn="',
          { mark: address.dsn },
          '",\n    traces_sample_rate=1.0,\n)',
        ],
      },
    ],
  },
  {
    id: 'sentry',
    label: 'Already on Sentry',
    steps: (address) => [
      {
        title: 'Change the DSN',
        note: 'Any Sentry SDK from version 7, in any language. Nothing else changes.',
        code: [{ mark: address.dsn }],
      },
      {
        title: 'In a browser, set the tunnel too',
        note: OWN_DOMAIN,
        code: ["tunnel: '", { mark: address.tunnel }, "',"],
      },
    ],
  },
]

function browserFramework(id: string, label: string, name: string, place: string): Framework {
  return {
    id,
    label,
    steps: (address) => [
      install(`npm install ${name}`),
      {
        title: 'Start it with your DSN',
        note: OWN_DOMAIN,
        code: [quiet(`// ${place}`), ...browserInit(name, address)],
      },
      proxyStep(address),
    ],
  }
}

function install(command: string): SetupStep {
  return { title: 'Install', code: [command] }
}

function browserInit(name: string, address: Address): CodePart[] {
  return [`import * as Sentry from '${name}'\n\nSentry.init({`, ...options(address), '\n})']
}

function options(address: Address): CodePart[] {
  return [
    "\n  dsn: '",
    { mark: address.dsn },
    "',\n  tunnel: '",
    { mark: address.tunnel },
    "',\n  integrations: [Sentry.browserTracingIntegration(), Sentry.replayIntegration()],\n  tracesSampleRate: 1,\n  replaysSessionSampleRate: 0.1,\n  replaysOnErrorSampleRate: 1,",
  ]
}

function proxyStep(address: Address): SetupStep {
  return {
    title: 'Let your own domain carry it',
    note: 'Where your site is served, pass the tunnel’s path on to this server. nginx:',
    code: [
      'location ',
      { mark: tunnelPath(address) },
      ' {\n  proxy_pass ',
      { mark: `${address.origin}${tunnelPath(address)}` },
      ';\n}',
    ],
  }
}

/** `/monitoring` of `/monitoring?o=1&p=2`. */
function tunnelPath(address: Address): string {
  return address.tunnel.replace(/\?.*$/, '')
}

function quiet(line: string): CodePart {
  return { quiet: `${line}\n` }
}

/** A code block as it is copied. */
export function codeText(code: readonly CodePart[]): string {
  return code
    .map((part) => (typeof part === 'string' ? part : 'mark' in part ? part.mark : part.quiet))
    .join('')
}
