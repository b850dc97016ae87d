import { marked } from '@afterimage/sdk-core/describe-element'
import { warn } from '@afterimage/sdk-core/debug'
import type { ReplayOptions } from '../options.ts'

/** Media show faces, documents and places: only their size and place are recorded. */
const media = 'img,svg,video,object,picture,embed,map,audio,link[rel*=icon]'

export interface Selectors {
  /** Elements that may be shown. */
  readonly unmask: string
  /** Elements that stay masked within them; `*` when the option is not a valid selector. */
  readonly mask: string
  readonly block: string
  /** Media that are shown after all; '' when there are none. */
  readonly unblock: string
  readonly ignore: string
}

/**
 * Joins the selectors of the options with our own. An invalid one fails closed, with a warning:
 * nothing is shown by it, or everything is hidden.
 */
export function compileSelectors(options: ReplayOptions, clientUnmask?: string): Selectors {
  const { unmask = clientUnmask, unblock, mask, block, ignore } = options
  const shownMedia = valid(unblock).slice(1)
  return {
    unmask: marked('unmask') + valid(unmask),
    mask: marked('mask') + valid(mask, ',*'),
    // rrweb tests it several times per change: one selector takes half the time of a list.
    block: `:is(${shownMedia ? `:is(${media}):not(${shownMedia})` : media},${marked('block')}${valid(block, ',body')})`,
    unblock: shownMedia,
    ignore: `${marked('ignore')},input[type=file]${valid(ignore, ',*')}`,
  }
}

/** Returns `,selector`; '' when there is none, and `otherwise` when it is not a valid one. */
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
