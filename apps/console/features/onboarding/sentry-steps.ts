import {
  fileOf,
  OWN_DOMAIN,
  proxyStep,
  quiet,
  step,
  tunnelPath,
  type Address,
  type CodePart,
  type SetupStep,
} from './setup-step.ts'

/** Set-up with the official Sentry SDKs: only the address is ours. */

export function sentryNextSteps(address: Address): readonly SetupStep[] {
  return [
    install('npm install @sentry/nextjs'),
    {
      title: 'Start it with your DSN',
      note: OWN_DOMAIN,
      snippets: [fileOf('instrumentation-client.ts', browserInit('@sentry/nextjs', address))],
    },
    {
      title: 'Send reports through your own domain',
      note: 'Next passes the tunnel’s requests on to this server.',
      snippets: [
        fileOf('next.config.ts', [
          "export default {\n  rewrites: async () => [\n    { source: '",
          { mark: tunnelPath(address) },
          "', destination: '",
          { mark: `${address.origin}${tunnelPath(address)}` },
          "' },\n  ],\n}",
        ]),
      ],
    },
  ]
}

export function sentryVueSteps(address: Address): readonly SetupStep[] {
  return [
    install('npm install @sentry/vue'),
    step(
      'Start it with your DSN',
      [
        quiet('// main.ts'),
        "import * as Sentry from '@sentry/vue'\n\nSentry.init({\n  app,",
        ...options(address),
        '\n})',
      ],
      OWN_DOMAIN,
    ),
    proxyStep(address),
  ]
}

/** An SDK that a page's own script starts; `place` says where. */
export function sentryBrowserSteps(
  name: string,
  place: string,
): (address: Address) => readonly SetupStep[] {
  return (address) => [
    install(`npm install ${name}`),
    step(
      'Start it with your DSN',
      [quiet(`// ${place}`), ...browserInit(name, address)],
      OWN_DOMAIN,
    ),
    proxyStep(address),
  ]
}

export function sentryNodeSteps(address: Address): readonly SetupStep[] {
  return [
    install('npm install @sentry/node'),
    {
      title: 'Start it with your DSN',
      note: 'Import it before anything else.',
      snippets: [
        fileOf('instrument.mjs', [
          "import * as Sentry from '@sentry/node'\n\nSentry.init({\n  dsn: '",
          { mark: address.dsn },
          "',\n  tracesSampleRate: 1,\n  release: process.env.RELEASE,\n})",
        ]),
      ],
    },
    step('Run it', ['node --import ./instrument.mjs app.mjs']),
  ]
}

export function sentryPythonSteps(address: Address): readonly SetupStep[] {
  return [
    install('pip install sentry-sdk'),
    step(
      'Start it with your DSN',
      [
        'import sentry_sdk\n\nsentry_sdk.init(\n    dsn="',
        { mark: address.dsn },
        '",\n    traces_sample_rate=1.0,\n)',
      ],
      'Call it before the application is created.',
    ),
  ]
}

/** For an application that reports to a Sentry so far. */
export function movingSteps(address: Address): readonly SetupStep[] {
  return [
    step(
      'Change the DSN',
      [{ mark: address.dsn }],
      'Any Sentry SDK from version 7, in any language. Nothing else changes.',
    ),
    step(
      'In a browser, set the tunnel too',
      ["tunnel: '", { mark: address.tunnel }, "',"],
      OWN_DOMAIN,
    ),
  ]
}

/** Moves the source of an application to our own client, where it has one for the framework. */
export function moveStep(address: Address): SetupStep {
  return step(
    'Later: move to Afterimage’s client',
    ['npm run afterimage -- migrate-sdk ../my-application --server ', { mark: address.origin }],
    'Run it in this server’s folder. It shows the diff and what is left to do; with --write it changes the files.',
  )
}

function install(command: string): SetupStep {
  return step('Install', [command])
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
