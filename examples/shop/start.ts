/** `npm start`: builds the shop when it is not built, then serves it. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildShop, shopFolder } from './build.ts'

const { AFTERIMAGE_DSN: dsn = '', PORT = '3000', SHOP_ROUTES } = process.env
if (dsn === '') console.log('AFTERIMAGE_DSN is not set: the shop works, and reports nothing.')
console.log('Building the shop (once) …')
const build = await buildShop({ dsn, routes: SHOP_ROUTES === 'scan' ? 'scan' : '' })
if (!process.argv.includes('--build-only')) {
  const next = fileURLToPath(import.meta.resolve('next/dist/bin/next'))
  const child = spawn(process.execPath, [next, 'start', '-p', PORT], {
    cwd: shopFolder,
    env: { ...process.env, NODE_ENV: 'production', SHOP_BUILD: build },
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => (process.exitCode = code ?? 0))
}
