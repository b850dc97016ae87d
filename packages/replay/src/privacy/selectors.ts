import { marked } from '@afterimage/sdk-core/describe-element'
import { warn } from '@afterimage/sdk-core/debug'
import type { ReplayOptions } from '../options.ts'

/** Media show faces, documents and places: of them only size and place are recorded. */
const media = 'img,svg,video,object,picture,embed,map,audio,link[rel*=icon]'

export interface Selectors {
  /** What may be shown. */
  readonly unmask: string
  /** What stays masked inside of it; `*` when nobody knows what was meant. */
  readonly mask: string
  readonly block: string
  readonly ignore: string
}

/**
 * The selectors of the options and our own. One that is invalid fails closed and is warned of: what
 * it would show stays hidden, and what it would hide hides everything.
 */
export function compileSelectors(options: ReplayOptions, clientUnmask?: string): Selectors {
  const { unmask = clientUnmask, unblock, mask, block, ignore } = options
  const shownMedia = valid(unblock)
  return {
    unmask: marked('unmask') + valid(unmask),
    mask: marked('mask') + valid(mask, ',*'),
    // rrweb asks it several times for each change: as one selector it takes half the time of a list.
    block: `:is(${shownMedia ? `:is(${media}):not(${shownMedia.slice(1)})` : media},${marked('block')}${valid(block, ',body')})`,
    ignore: `${marked('ignore')},input[type=file]${valid(ignore, ',*')}`,
  }
}

/** `,selector`; '' where there is none, and `otherwise` where it is not one. */
function valid(selector: string | undefined, otherwise = ''): string {
  if (!selector) return ''
  try {
    document.createDocumentFragment().querySelector(selector)
    return `,${selector}`
  } catch {
    warn('the replay options contain an invalid selector:', selector)
    return otherwise
  }
}
