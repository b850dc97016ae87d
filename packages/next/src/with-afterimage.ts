import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import type { NextConfig } from 'next'
import type { RouteManifest } from '@afterimage/browser/route-names'
import type { BuildVariable } from './build-constants.ts'
import { scanRoutes } from './scan-routes.ts'
import { prepareSourceMaps } from './source-maps/prepare-source-maps.ts'
import type { SourceMapOptions } from './source-maps/prepare-source-maps.ts'

export interface AfterimageOptions {
  /** `AFTERIMAGE_DSN` of the build's environment unless given. */
  readonly dsn?: string
  /** `AFTERIMAGE_RELEASE`, else the commit that is built, unless given. */
  readonly release?: string
  readonly environment?: string
  /** Path of the tunnel's route; `/monitoring` by default. */
  readonly tunnelPath?: string
  /**
   * The routes that pages are named by. Empty unless given, so that names are raw paths; `scan` reads
   * the folders `app` and `pages`.
   * @see docs/specification.md#s9
   */
  readonly routeManifest?: RouteManifest | 'scan'
  /** `false` makes no source maps. */
  readonly sourceMaps?: SourceMapOptions | false
  /** The project's folder; where the build runs unless given. */
  readonly projectFolder?: string
}

/** A configuration that is made when Next asks for it. `C` is what was given, with all of its types. */
type ConfigFunction<C> = (phase: string, context: { defaultConfig: NextConfig }) => C | Promise<C>

const packages = [
  '@afterimage/next',
  '@afterimage/browser',
  '@afterimage/react',
  '@afterimage/replay',
  '@afterimage/sdk-core',
  '@afterimage/protocol',
]

/**
 * Wraps the configuration of Next: the build learns what the client needs to know, and its scripts
 * get debug ids and source maps, whichever bundler makes them. A configuration that is a function
 * stays one.
 */
export function withAfterimage<C extends NextConfig>(
  config?: C,
  options?: AfterimageOptions,
): C & NextConfig
export function withAfterimage<C extends NextConfig>(
  config: ConfigFunction<C>,
  options?: AfterimageOptions,
): ConfigFunction<C & NextConfig>
export function withAfterimage<C extends NextConfig>(
  config: C | ConfigFunction<C> = {} as C,
  options: AfterimageOptions = {},
): (C & NextConfig) | ConfigFunction<C & NextConfig> {
  if (typeof config !== 'function') return wrap(config, options)
  return async (phase, context) => wrap(await config(phase, context), options)
}

function wrap<C extends NextConfig>(config: C, options: AfterimageOptions): C & NextConfig {
  const { sourceMaps = {} } = options
  const isIntact = config.experimental?.sri !== undefined
  if (isIntact && sourceMaps !== false) {
    // Checksums of scripts are made before ours are written into them.
    console.warn(
      'Afterimage: no debug ids are written, because `experimental.sri` forbids changes to files.',
    )
  }
  return {
    ...config,
    env: { ...config.env, ...variables(config, options) },
    transpilePackages: [...new Set([...(config.transpilePackages ?? []), ...packages])],
    ...(sourceMaps !== false && !isIntact && withSourceMaps(config, sourceMaps)),
  }
}

function withSourceMaps(
  config: NextConfig,
  options: SourceMapOptions,
): Pick<NextConfig, 'productionBrowserSourceMaps' | 'experimental' | 'compiler'> {
  const { productionBrowserSourceMaps: isPublic = options.isPublic ?? false } = config
  const before = config.compiler?.runAfterProductionCompile
  return {
    productionBrowserSourceMaps: true,
    experimental: { ...config.experimental, serverSourceMaps: true },
    compiler: {
      ...config.compiler,
      async runAfterProductionCompile(built) {
        await before?.(built)
        const files = prepareSourceMaps(resolve(built.projectDir, built.distDir), {
          ...options,
          isPublic,
        })
        console.log(`Afterimage: ${files.length} scripts have debug ids and source maps.`)
      },
    },
  }
}

function variables(config: NextConfig, options: AfterimageOptions): Record<BuildVariable, string> {
  const folder = options.projectFolder ?? process.cwd()
  const { AFTERIMAGE_DSN, NEXT_PUBLIC_AFTERIMAGE_DSN, AFTERIMAGE_ENVIRONMENT } = process.env
  const { routeManifest = {}, tunnelPath = '/monitoring' } = options
  const routes = routeManifest === 'scan' ? scanRoutes(folder, config.basePath) : routeManifest
  return {
    AFTERIMAGE_BUILD_DSN: options.dsn ?? AFTERIMAGE_DSN ?? NEXT_PUBLIC_AFTERIMAGE_DSN ?? '',
    AFTERIMAGE_BUILD_RELEASE: options.release ?? releaseOf(folder),
    AFTERIMAGE_BUILD_ENVIRONMENT: options.environment ?? AFTERIMAGE_ENVIRONMENT ?? '',
    AFTERIMAGE_BUILD_TUNNEL_PATH: join('/', config.basePath ?? '', tunnelPath).replaceAll(
      '\\',
      '/',
    ),
    AFTERIMAGE_BUILD_ROUTES: JSON.stringify(routes),
  }
}

/** Empty where nothing says what is built. */
function releaseOf(folder: string): string {
  const { AFTERIMAGE_RELEASE } = process.env
  if (AFTERIMAGE_RELEASE) return AFTERIMAGE_RELEASE
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: [...stdio],
    }).trim()
  } catch {
    return ''
  }
}
