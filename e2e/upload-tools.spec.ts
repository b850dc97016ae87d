import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiArtifactBundle, ApiArtifactBundleFiles } from '@afterimage/protocol/api'
import { launchBrowser, signIn } from './support/browser.ts'
import { writeApplication } from './support/fresh-application.ts'
import { startProduct, type Product } from './support/product.ts'
import { until } from './support/until.ts'

/** Our upload command, and Sentry's tools, unmodified from npm (`e2e/tools`), against the started product. */

const tools = fileURLToPath(new URL('tools', import.meta.url))
let product: Product
let folder: string

beforeAll(async () => {
  product = await startProduct()
  await product.createProject('tools')
  folder = mkdtempSync(join(tmpdir(), 'afterimage-tools-'))
})

afterAll(async () => {
  await product?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** A script with its map, as a bundler leaves them; each name makes another content. */
function builtScript(name: string): Record<string, string> {
  const map = {
    version: 3,
    sources: [`${name}.ts`],
    sourcesContent: [name],
    names: [],
    mappings: 'AAAA',
  }
  return {
    'dist/a.js': `console.log("${name}")\n//# sourceMappingURL=a.js.map\n`,
    'dist/a.js.map': JSON.stringify(map),
  }
}

/** Runs a tool, and returns what it prints. @throws Error with that, when it fails */
async function run(program: string, cwd: string, given: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    SENTRY_URL: product.url,
    SENTRY_AUTH_TOKEN: product.token,
    SENTRY_ORG: 'main',
    SENTRY_PROJECT: 'tools',
    SENTRY_LOG_LEVEL: 'info',
    // The plugin of the eleventh major remembers the server of an organisation, here across runs.
    SENTRY_CONFIG_DIR: join(folder, 'config'),
  }
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [...given], { cwd, env })
    return stdout + stderr
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${given.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

const sentryCli = (major: number, cwd: string, ...given: readonly string[]) =>
  run(join(tools, `node_modules/sentry-cli-${major}/bin/sentry-cli`), cwd, given)

/** The upload of a release once it is taken in, with its files. */
async function uploadOf(release: string): Promise<ApiArtifactBundleFiles> {
  const found = await until(`the upload of ${release}`, async () => {
    const path = 'projects/main/tools/files/artifact-bundles/'
    const bundles = await product.api<ApiArtifactBundle[]>(path)
    return bundles.find(
      ({ associations, state }) => state !== 'assembling' && associations[0]?.release === release,
    )
  })
  expect(found).toMatchObject({ state: 'ok', problems: [] })
  return product.api(`projects/main/tools/artifact-bundles/${found.bundleId}/files/`)
}

test.for([2, 3])('sentry-cli %i injects debug ids and uploads, again and again', async (major) => {
  const cwd = writeApplication(folder, `cli${major}`, builtScript(`cli${major}`))
  await sentryCli(major, cwd, 'sourcemaps', 'inject', 'dist')
  const upload = ['sourcemaps', 'upload', '--release', `shop@${major}.0.0`, '--dist', '7', 'dist']
  await sentryCli(major, cwd, ...upload, '--wait')
  // Without waiting; everything is there already.
  expect(await sentryCli(major, cwd, ...upload)).toContain('Nothing to upload')
  const bundle = await uploadOf(`shop@${major}.0.0`)
  const map = JSON.parse(readFileSync(join(cwd, 'dist/a.js.map'), 'utf8')) as Record<string, string>
  // The third major writes it under the name of the standard.
  const debugId = map['debugId'] ?? map['debug_id']
  expect(debugId).toMatch(/^[0-9a-f-]{36}$/)
  expect(bundle.associations).toEqual([{ release: `shop@${major}.0.0`, dist: '7' }])
  expect(bundle.files).toMatchObject([
    { filePath: '~/a.js', debugId, sourcemap: 'a.js.map' },
    { filePath: '~/a.js.map', debugId },
  ])
})

test('a token that may not write is told so', async () => {
  const token = await product.run(['token', 'create', '--name', 'r', '--right', 'read'])
  const cwd = writeApplication(folder, 'refused', builtScript('refused'))
  const upload = ['--auth-token', token.trim(), 'sourcemaps', 'upload', '--release', '1', 'dist']
  await expect(sentryCli(3, cwd, ...upload)).rejects.toThrow('This token may not write')
})

test.for([5, 11])('the Vite plugin %i uploads what it builds', async (major) => {
  const release = `built@${major}.0.0`
  const cwd = writeApplication(folder, `vite${major}`, {
    'main.js': `import { fail } from './fail.js'\nfail(${major})\n`,
    'fail.js': 'export function fail(major) { throw new Error(`failed in ${major}`) }\n',
  })
  await run(process.execPath, tools, ['build-with-plugin.js', String(major), cwd, release])
  const bundle = await uploadOf(release)
  const [script] = readdirSync(join(cwd, 'dist/assets')).filter((name) => name.endsWith('.js'))
  const built = readFileSync(join(cwd, 'dist/assets', script ?? ''), 'utf8')
  const [debugId] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(built) ?? []
  expect(bundle.files).toMatchObject([
    { fileType: 2, debugId },
    { fileType: 3, debugId },
  ])
})

test('afterimage sourcemaps upload needs one command, and deletes maps when asked to', async () => {
  const cwd = writeApplication(folder, 'ours', builtScript('ours'))
  const given = ['--url', product.url, '--token', product.token, '--release', 'ours@1']
  const program = fileURLToPath(new URL('../packages/cli/src/index.ts', import.meta.url))
  const command = [program, 'sourcemaps', 'upload', 'dist', ...given, '--delete-maps']
  const printed = await run(process.execPath, cwd, command)
  expect(printed).toContain('1 scripts, 1 maps, 1 debug ids written.')
  expect(printed).toContain('Uploaded for tools, release ours@1.')
  const code = readFileSync(join(cwd, 'dist/a.js'), 'utf8')
  const debugId = /^\/\/# debugId=(.*)$/m.exec(code)?.[1]
  expect(code).not.toContain('sourceMappingURL')
  expect(readdirSync(join(cwd, 'dist'))).toEqual(['a.js'])
  expect((await uploadOf('ours@1')).files).toMatchObject([{ debugId }, { debugId }])
  await expect(run(process.execPath, cwd, command)).rejects.toThrow('no source map')
})

test('the page of a project shows its uploads, and deletes one', async () => {
  const cwd = writeApplication(folder, 'shown', builtScript('shown'))
  await sentryCli(3, cwd, 'sourcemaps', 'upload', '--release', 'shown@1', 'dist')
  await uploadOf('shown@1')
  const browser = await launchBrowser()
  const page = await browser.newPage()
  await signIn(page, product.url)
  await page.goto(`${product.url}/projects/tools/source-maps`)
  const row = page.getByRole('row', { name: /shown@1/ })
  await row.waitFor()
  await row.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
  await browser.close()
})

test('files of a release are sent one by one, listed and deleted', async () => {
  const cwd = writeApplication(folder, 'files', builtScript('files'))
  const path = `${product.url}/api/0/projects/main/tools/releases/old%401/files/`
  const headers = { authorization: `Bearer ${product.token}` }
  const body = new FormData()
  const map = readFileSync(join(cwd, 'dist/a.js.map'))
  body.append('file', new File([map], 'a.js.map'))
  body.append('name', '~/a.js.map')
  const sent = await fetch(path, { method: 'POST', headers, body })
  expect(await sent.json()).toMatchObject({
    name: '~/a.js.map',
    sha1: createHash('sha1').update(map).digest('hex'),
  })
  expect(await sentryCli(2, cwd, 'releases', 'files', 'old@1', 'list')).toContain('~/a.js.map')
  await sentryCli(2, cwd, 'releases', 'files', 'old@1', 'delete', '--all')
  expect(await product.api('projects/main/tools/releases/old%401/files/')).toEqual([])
})
