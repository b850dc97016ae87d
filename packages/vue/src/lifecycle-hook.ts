/**
 * The words of Vue's development build. A production build passes their codes alone, at the end of
 * an address: `https://vuejs.org/error-reference/#runtime-5`.
 * @see https://vuejs.org/error-reference/
 */
const hooks: Readonly<Record<string, string>> = {
  sp: 'serverPrefetch hook',
  bc: 'beforeCreate hook',
  c: 'created hook',
  bm: 'beforeMount hook',
  m: 'mounted hook',
  bu: 'beforeUpdate hook',
  u: 'updated',
  bum: 'beforeUnmount hook',
  um: 'unmounted hook',
  a: 'activated hook',
  da: 'deactivated hook',
  ec: 'errorCaptured hook',
  rtc: 'renderTracked hook',
  rtg: 'renderTriggered hook',
  0: 'setup function',
  1: 'render function',
  2: 'watcher getter',
  3: 'watcher callback',
  4: 'watcher cleanup function',
  5: 'native event handler',
  6: 'component event handler',
  7: 'vnode hook',
  8: 'directive hook',
  9: 'transition hook',
  10: 'app errorHandler',
  11: 'app warnHandler',
  12: 'ref function',
  13: 'async component loader',
  14: 'scheduler flush',
  15: 'component update',
  16: 'app unmount cleanup function',
}

/** Returns the words for the place of an error; one that is not known stays as Vue wrote it. */
export function lifecycleHook(info: string): string {
  const [, code = ''] = /#runtime-(\w+)$/.exec(info) ?? []
  return hooks[code] ?? info
}
