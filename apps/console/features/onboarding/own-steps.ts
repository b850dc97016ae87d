import { sdk } from '@afterimage/sdk-core/version'
import {
  fileOf,
  OWN_DOMAIN,
  proxyStep,
  step,
  tunnelPath,
  type Address,
  type CodePart,
  type SetupStep,
} from './setup-step.ts'

/** Set-up with our own client. The files are those of `docs/sdk`, with the address filled in. */

/** Steps for Next: the build, the browser, the server and the tunnel. One file holds the address. */
export function nextSteps(address: Address): readonly SetupStep[] {
  const path = tunnelPath(address)
  return [
    installPackages(address, 'next'),
    {
      title: 'Name this project',
      note: 'The build and the running server both read it.',
      snippets: [fileOf('.env', ['AFTERIMAGE_DSN=', { mark: address.dsn }])],
    },
    {
      title: 'Wrap the configuration',
      note: 'Put your present options between the braces. The build gets debug ids and source maps.',
      snippets: [
        fileOf('next.config.ts', [
          "import { withAfterimage } from '@afterimage/next'\n\nexport default withAfterimage({}, { tunnelPath: '",
          { mark: path },
          "' })",
        ]),
      ],
    },
    {
      title: 'Add three files of one line',
      note: `One each for the browser, the server and the tunnel. ${OWN_DOMAIN}`,
      snippets: [
        fileOf('instrumentation-client.ts', [
          "export { onRouterTransitionStart } from '@afterimage/next/instrumentation-client'",
        ]),
        fileOf('instrumentation.ts', [
          "export { register, onRequestError } from '@afterimage/next/server'",
        ]),
        fileOf(`app${path}/route.ts`, [
          "export { GET, POST } from '@afterimage/next/tunnel-route'",
        ]),
      ],
    },
  ]
}

/** Steps for React, whose root reports its errors. */
export function reactSteps(address: Address): readonly SetupStep[] {
  return bundled(address, 'src/main.jsx', {
    client: "import { browserTracing, init, reactErrorHandler } from '@afterimage/react'",
    packages: ['react'],
    imports: "import { createRoot } from 'react-dom/client'\nimport { App } from './app.jsx'\n",
    rest: `

createRoot(document.getElementById('app'), {
  onCaughtError: reactErrorHandler(),
  onUncaughtError: reactErrorHandler(),
  onRecoverableError: reactErrorHandler(),
}).render(<App />)`,
  })
}

/** Steps for Vue, whose plugin reports the errors of components. */
export function vueSteps(address: Address): readonly SetupStep[] {
  return bundled(address, 'src/main.js', {
    packages: ['vue'],
    client: "import { afterimagePlugin, browserTracing, init } from '@afterimage/vue'",
    imports: "import { createApp } from 'vue'\nimport App from './app.vue'\n",
    rest: "\n\ncreateApp(App).use(afterimagePlugin).mount('#app')",
  })
}

/** Steps for Svelte, where a boundary catches rendering errors. */
export function svelteSteps(address: Address): readonly SetupStep[] {
  const steps = bundled(address, 'src/main.js', {
    packages: ['svelte'],
    client: "import { browserTracing, init } from '@afterimage/svelte'",
    imports: "import { mount } from 'svelte'\nimport App from './app.svelte'\n",
    rest: "\n\nmount(App, { target: document.getElementById('app') })",
  })
  const boundary = {
    title: 'Catch rendering errors',
    snippets: [
      fileOf('src/app.svelte', [
        `<script>
  import { captureBoundaryError } from '@afterimage/svelte'
  import Page from './page.svelte'
</script>

<svelte:boundary onerror={captureBoundaryError}>
  <Page />
  {#snippet failed(_error, reset)}
    <button onclick={reset}>Something failed. Try again</button>
  {/snippet}
</svelte:boundary>`,
      ]),
    ],
  }
  return steps.toSpliced(2, 0, boundary)
}

/** Steps for a page without a bundler: this server hosts the client's script. */
export function scriptTagSteps(address: Address): readonly SetupStep[] {
  const script = `${address.origin}/sdk/${sdk.version}/afterimage.js`
  return [
    {
      title: 'Add two tags to the head',
      note: `There is nothing to install: this server hosts the script. ${OWN_DOMAIN}`,
      snippets: [
        fileOf('index.html', [
          '<script src="',
          { mark: script },
          '" crossorigin="anonymous"></script>\n<script>\n  Afterimage.init({',
          ...options(address, '    '),
          '\n    integrations: [Afterimage.browserTracing(), Afterimage.replayIntegration()],\n  })\n</script>',
        ]),
      ],
    },
    proxyStep(address),
  ]
}

/** Steps for a bundled application: the packages, its first script, and the tunnel. */
function bundled(
  address: Address,
  file: string,
  own: {
    /** Imports of the client. */
    readonly client: string
    /** Packages beside those of every application. */
    readonly packages: readonly string[]
    readonly imports: string
    readonly rest: string
  },
): readonly SetupStep[] {
  const { client, packages } = own
  return [
    installPackages(address, ...packages),
    {
      title: 'Start it with your DSN',
      note: OWN_DOMAIN,
      snippets: [
        fileOf(file, [
          `${client}
import { replayIntegration } from '@afterimage/replay'
${own.imports}
init({`,
          ...options(address, '  '),
          '\n  integrations: [browserTracing(), replayIntegration()],\n})',
          own.rest,
        ]),
      ],
    },
    proxyStep(address),
  ]
}

function options(address: Address, indent: string): CodePart[] {
  return [
    `\n${indent}dsn: '`,
    { mark: address.dsn },
    `',\n${indent}tunnelPath: '`,
    { mark: tunnelPath(address) },
    "',",
  ]
}

/** Installs the packages from this server, each by its address: they need no registry. */
function installPackages(address: Address, ...more: readonly string[]): SetupStep {
  const names = ['browser', 'replay', ...more]
  return step(
    'Install the client',
    [
      'npm install',
      ...names.flatMap((name) => [
        ' \\\n  ',
        { mark: `${address.origin}/npm/afterimage-${name}-${sdk.version}.tgz` },
      ]),
    ],
    'This server has the packages of its own version. They are on no registry.',
  )
}
