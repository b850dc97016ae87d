/**
 * Decides which frames are the application's own, whatever the SDK said: not those of libraries,
 * their content delivery networks, and the insides of the runtime.
 */

const libraryHosts = [
  'unpkg.com/',
  'cdnjs.cloudflare.com/',
  'cdn.jsdelivr.net/',
  '/esm.run/',
  '//esm.sh/',
]

const nodeInternals = new Set([
  'processTicksAndRejections',
  'runMicrotasks',
  'process.processTicksAndRejections',
  'process._tickCallback',
  'runNextTicks',
  'nextTick',
])

const scriptPlatforms = new Set(['javascript', 'node'])

export interface FrameOrigin {
  readonly platform: string
  readonly path: string | undefined
  readonly function: string | undefined
}

/** True when the frame is known not to be the application's. */
export function isLibraryFrame(frame: FrameOrigin): boolean {
  const path = frame.path ?? ''
  if (scriptPlatforms.has(frame.platform)) {
    if (frame.function !== undefined && nodeInternals.has(frame.function)) return true
    if (path.startsWith('node:') || path.includes('/node_modules/') || path.includes('/vendor/')) {
      return true
    }
    if (path.startsWith('node_modules/')) return true
    return path.includes('//') && libraryHosts.some((host) => path.includes(host))
  }
  if (frame.platform === 'python') {
    return path.includes('site-packages/') || path.includes('dist-packages/')
  }
  return false
}
