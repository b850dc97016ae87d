/**
 * Builds an application with Vite and Sentry's plugin of one major, which uploads to a server:
 * `node build-with-plugin.js <major> <folder> <release>`.
 */
import { build } from 'vite'

const [major, root, name] = process.argv.slice(2)
const { sentryVitePlugin } = await import(`sentry-vite-plugin-${major}`)

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: { sourcemap: true, rollupOptions: { input: `${root}/main.js` } },
  plugins: [
    sentryVitePlugin({
      url: process.env.SENTRY_URL,
      authToken: process.env.SENTRY_AUTH_TOKEN,
      org: 'main',
      project: 'tools',
      telemetry: false,
      release: { name },
      errorHandler: (error) => {
        throw error
      },
    }),
  ],
})
