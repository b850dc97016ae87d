import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { transform } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { budgets, weigh, weighSource } from '../sdk-size/entries.ts'
import { root } from './fingerprint.ts'
import { packageNames } from './package-layout.ts'
import { buildPackages, ecmaVersion } from './packages.ts'

interface PackedManifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<
    Record<string, string | { readonly types: string; readonly default: string }>
  >
  readonly publishConfig?: { readonly access: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>>
}

/** The packed packages, unpacked as an installation would, in `node_modules` of a folder elsewhere. */
let application: string
let tarballs: string

const packed = (name: string): string => join(application, 'node_modules/@afterimage', name)

beforeAll(async () => {
  tarballs = await buildPackages(() => {})
  application = mkdtempSync(join(tmpdir(), 'afterimage-packages-'))
  for (const name of packageNames) {
    const archive = join(tarballs, `afterimage-${name}-${manifest(name, tarballs).version}.tgz`)
    execFileSync('mkdir', ['-p', packed(name)])
    execFileSync('tar', ['-xzf', archive, '--strip-components=1', '-C', packed(name)])
  }
  symlinkSync(join(root, 'node_modules/web-vitals'), join(application, 'node_modules/web-vitals'))
})

afterAll(() => rmSync(application, { recursive: true }))

function manifest(name: string, folder = ''): PackedManifest {
  const path = folder === '' ? packed(name) : join(folder, name)
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as PackedManifest
}

function filesOf(name: string): string[] {
  return readdirSync(packed(name), { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name).slice(packed(name).length + 1))
    .sort()
}

test.each(packageNames)('@afterimage/%s has its modules alone, and what a reader needs', (name) => {
  const files = filesOf(name)
  expect(files.filter((it) => !it.startsWith('dist/'))).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
  ])
  const modules = files.filter((it) => it.startsWith('dist/'))
  expect(modules.filter((it) => !/(\.js|\.js\.map|\.d\.ts)$/.test(it))).toEqual([])
  expect(modules.filter((it) => /\.test\.|testing\//.test(it))).toEqual([])
  const { version } = manifest(name)
  expect(readFileSync(join(packed(name), 'README.md'), 'utf8')).toContain(
    `/npm/afterimage-${name}-${version}.tgz`,
  )
})

test.each(packageNames)('each export of @afterimage/%s has a script and declarations', (name) => {
  const { exports } = manifest(name)
  const files = filesOf(name)
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target === 'string') continue
    expect(Object.keys(target), entry).toEqual(['types', 'default'])
    for (const file of Object.values(target)) expect(files).toContain(file.slice(2))
  }
})

test('applications import these entries; all others are for packages of ours', () => {
  const entries = packageNames.flatMap((name) =>
    Object.keys(manifest(name).exports).map((entry) => join('@afterimage', name, entry)),
  )
  const isForOurs = /\/(kernel\/.+|clock|route-names|routed-pages|trace|package\.json)$/
  expect(entries.filter((it) => !isForOurs.test(it)).sort()).toEqual([
    '@afterimage/browser',
    '@afterimage/browser/capture-console',
    '@afterimage/browser/compat',
    '@afterimage/browser/consent',
    '@afterimage/browser/errors',
    '@afterimage/browser/extra-error-data',
    '@afterimage/browser/feature-flags',
    '@afterimage/browser/feedback-widget',
    '@afterimage/browser/http-client',
    '@afterimage/browser/logger',
    '@afterimage/browser/metrics',
    '@afterimage/browser/remote-settings',
    '@afterimage/browser/reporting-observer',
    '@afterimage/browser/rewrite-frames',
    '@afterimage/browser/scopes',
    '@afterimage/browser/third-party-errors',
    '@afterimage/browser/thrown-values',
    '@afterimage/browser/tracing',
    '@afterimage/browser/web-workers',
    '@afterimage/browser/worker',
    '@afterimage/next',
    '@afterimage/next/client',
    '@afterimage/next/instrumentation-client',
    '@afterimage/next/not-found-shown',
    '@afterimage/next/server',
    '@afterimage/next/tunnel',
    '@afterimage/next/tunnel-node',
    '@afterimage/next/tunnel-route',
    '@afterimage/react',
    '@afterimage/react/react-router',
    '@afterimage/react/tanstack-router',
    '@afterimage/replay',
    '@afterimage/replay/canvas',
    '@afterimage/replay/compress.worker',
    '@afterimage/svelte',
    '@afterimage/svelte/kit-client',
    '@afterimage/svelte/kit-server',
    '@afterimage/vue',
  ])
})

test('no manifest is private; libraries are pinned, and ours are installed from no registry', () => {
  const browser = '@afterimage/browser'
  const { version } = manifest('browser')
  for (const name of packageNames) {
    const { dependencies = {}, peerDependencies = {}, ...rest } = manifest(name)
    expect(rest).not.toHaveProperty('private')
    expect(rest).toMatchObject({ type: 'module', license: 'MIT', files: ['dist'] })
    expect(rest.publishConfig).toEqual({ access: 'public' })
    expect(Object.keys(dependencies).filter((it) => it.startsWith('@afterimage/'))).toEqual([])
    for (const pinned of Object.values(dependencies)) expect(pinned).toMatch(/^\d+\.\d+\.\d+$/)
    expect(Object.keys(rest.peerDependenciesMeta ?? {})).toEqual(Object.keys(peerDependencies))
    if (name !== 'browser') expect(peerDependencies[browser]).toBe(version)
    // Two packages that ask for an exact version of a third do not install without it.
    for (const [it, range] of Object.entries(peerDependencies)) {
      if (it.startsWith('@afterimage/') && it !== browser) expect(range, `${name}: ${it}`).toBe('*')
    }
  }
})

test('there is one kernel, in @afterimage/browser', () => {
  const kernels = packageNames.filter((name) =>
    filesOf(name).some((file) => file.endsWith('scope.js')),
  )
  expect(kernels).toEqual(['browser'])
})

test.each(packageNames)(
  'every import of @afterimage/%s is there, by its published name',
  (name) => {
    const { dependencies, peerDependencies } = manifest(name)
    const libraries = Object.keys({ ...dependencies, ...peerDependencies })
    const wrong: string[] = []
    for (const file of filesOf(name).filter((it) => /\.(js|d\.ts)$/.test(it))) {
      const code = readFileSync(join(packed(name), file), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '')
      for (const [, it = ''] of code.matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)"/gm)) {
        const isThere = it.startsWith('.')
          ? filesOf(name).includes(join(dirname(file), it))
          : it.startsWith('node:') ||
            libraries.some((one) => it === one || it.startsWith(`${one}/`))
        const [, ours, entry] = /^@afterimage\/([\w-]+)(.*)$/.exec(it) ?? []
        const isExported = ours === undefined || `.${entry}` in manifest(ours).exports
        if (!isThere || !isExported) wrong.push(`${file}: ${it}`)
      }
    }
    expect(wrong).toEqual([])
  },
)

test('the scripts are ECMAScript 2020, and the worker is one classic script', async () => {
  for (const name of packageNames) {
    for (const file of filesOf(name).filter((it) => it.endsWith('.js'))) {
      const code = readFileSync(join(packed(name), file), 'utf8')
      const { code: lowered } = await transform(code, { target: ecmaVersion, charset: 'utf8' })
      const { code: kept } = await transform(code, { target: 'esnext', charset: 'utf8' })
      expect(lowered, file).toBe(kept)
    }
  }
  const worker = readFileSync(join(packed('replay'), 'dist/compress.worker.js'), 'utf8')
  expect(worker).not.toMatch(/\b(import|export)\b/)
})

test('the mark of a module for the client of React is still its first line', () => {
  const marked = {
    next: ['boundary.js', 'not-found-shown.js'],
    react: ['declarative-routes.js', 'error-boundary.js', 'profiler.js'],
  }
  for (const [name, files] of Object.entries(marked)) {
    for (const file of files) {
      expect(readFileSync(join(packed(name), 'dist', file), 'utf8')).toMatch(/^"use client";/)
    }
  }
})

test('maps name each source and hold its text', () => {
  const map = JSON.parse(
    readFileSync(join(packed('browser'), 'dist/kernel/scope.js.map'), 'utf8'),
  ) as { sources: string[]; sourcesContent: string[] }
  expect(map.sources).toEqual(['@afterimage/sdk-core/src/scope.ts'])
  expect(map.sourcesContent[0]).toContain('export function getScope')
})

test('packing again gives the same bytes', () => {
  const again = mkdtempSync(join(tmpdir(), 'afterimage-packages-again-'))
  const folders = packageNames.map((name) => packed(name))
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', again, ...folders], {
    stdio: 'pipe',
  })
  const names = readdirSync(again)
  expect(names).toHaveLength(packageNames.length)
  for (const name of names) {
    expect(readFileSync(join(again, name)).equals(readFileSync(join(tarballs, name)))).toBe(true)
  }
  rmSync(again, { recursive: true })
})

/** Lowering `??=` and its like costs some bytes that a bundler for newer browsers does not win back. */
const loweringFactorMax = 1.005

test.each(Object.keys(budgets))('%s as packed weighs what its sources weigh', async (entry) => {
  const uses = await Promise.all(
    entry.split(' + ').map(async (name) => {
      const names = Object.keys((await import(name)) as object).join(', ')
      return `import { ${names} } from '${name}'; globalThis.uses.push(${names})`
    }),
  )
  const { gzipped } = await weighSource(uses.join('\n'), application)
  expect(gzipped).toBeLessThanOrEqual((await weigh(entry)).gzipped * loweringFactorMax)
})
